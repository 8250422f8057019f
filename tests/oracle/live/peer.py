"""The way to WEFE: jobs go to its own environment as a file, results come back as one."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import yaml

from ..pinned import ROOT, lexicon

DOWNLOADS = ROOT / "results/downloads"
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def run_wefe(
    python: str, model: Path, jobs: list[dict[str, Any]], dtype: str
) -> list[dict[str, Any]]:
    """Results of the jobs, see `run_wefe.py`; `python` is the one of WEFE's environment."""
    script = Path(__file__).with_name("run_wefe.py")
    with tempfile.TemporaryDirectory() as folder:
        todo, done = Path(folder, "jobs.json"), Path(folder, "results.json")
        todo.write_text(json.dumps({"model": str(model), "dtype": dtype, "jobs": jobs}))
        environment = os.environ | ONE_THREAD
        environment.pop("PYTHONPATH", None)
        subprocess.run([python, script, todo, done], check=True, env=environment)
        return json.loads(done.read_text())


def word_sets() -> dict[str, list[str]]:
    """The word sets of the configuration by their reference, "file:set"; pairs are left out."""
    found = {}
    for path in sorted((ROOT / "config/word_sets").glob("*.yaml")):
        for name, entry in yaml.safe_load(path.read_text("utf-8"))["sets"].items():
            if "words" in entry:
                found[f"{path.stem}:{name}"] = entry["words"]
            elif "lexicon" in entry:
                found[f"{path.stem}:{name}"] = lexicon(name, DOWNLOADS)
    return found


def case_study() -> list[dict[str, Any]]:
    """The queries of the case study as arguments of Query."""
    sets = word_sets()
    path = ROOT / "config/queries/case_study.yaml"
    return [
        {
            "target_sets": [sets[reference] for reference in entry["targets"].values()],
            "attribute_sets": [sets[reference] for reference in entry["attributes"].values()],
            "target_sets_names": list(entry["targets"]),
            "attribute_sets_names": list(entry["attributes"]),
        }
        for entry in yaml.safe_load(path.read_text("utf-8"))["queries"].values()
    ]
