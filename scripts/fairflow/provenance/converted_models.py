"""Converted models that are on this machine, compared with the records of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import yaml

from fairflow.files import sha256

RECORDS = "results/provenance/models"


def model_faults(folder: Path) -> Iterator[str]:
    """One sentence for each converted file that is not the one that the run read.

    A model that is not here is no fault: results can be rebuilt and read without it.
    """
    store = _store(folder)
    for record in sorted((folder / RECORDS).glob("*.json")):
        facts = json.loads(record.read_text(encoding="utf-8"))
        for name, file in (("vectors", "vectors"), ("card", "card.json")):
            path = folder / store / record.stem / file
            if path.is_file() and sha256(path) != facts[f"{name}_sha256"]:
                shown = Path(store) / record.stem / file
                yield f"{shown}: changed since the run; remove it, and make run converts it again"


def _store(folder: Path) -> str:
    config = folder / "config/config.yaml"
    entries = yaml.safe_load(config.read_text(encoding="utf-8")) if config.is_file() else {}
    return entries.get("models_dir", "results/models")
