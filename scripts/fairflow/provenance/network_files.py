"""The files of language models that are on this machine, compared with their lists."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from fairflow.files.atomic import sha256
from fairflow.planning.result_files import LANGUAGE_MODELS
from fairflow.provenance.fault import AGAIN, Fault


def network_faults() -> Iterator[Fault]:
    """Each file of a language model that is not as when the model was made or fetched.

    A model that is not here is no fault; nor is a list that cannot be read, which is a result.
    """
    for manifest in sorted(Path(LANGUAGE_MODELS).glob("*/manifest.json")):
        model = manifest.with_name("model")
        try:
            listed = json.loads(manifest.read_text(encoding="utf-8"))["files"]
        except (ValueError, KeyError):
            continue
        if not model.is_dir():
            continue
        for name, expected in listed.items():
            path = model / name
            what = "missing" if not path.is_file() else "changed"
            if what == "missing" or sha256(path) != expected:
                yield Fault(f"{path}: {what}; {AGAIN}", remove=(manifest.as_posix(),))
