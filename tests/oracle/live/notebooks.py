"""Run every notebook with WEFE and with fairflow.wefe; `make oracle` runs this.

The text of a notebook is the same but for the name of the package. Values that differ must be
named in notebooks/deviations.yaml, with the number of the defect that is the reason.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import yaml

from ..comparison import same
from ..pinned import ROOT
from .peer import ONE_THREAD

NOTEBOOKS = ROOT / "tests/oracle/notebooks"
COMPAT = "fairflow.wefe"
CHAPTERS = tuple(sorted(path.stem for path in NOTEBOOKS.glob("*.py")))
# WEFE computes in the number type of the vectors, of 32 bits.
TOLERANCE = 2e-6

Found = dict[str, Any]


def run(python: str, chapter: str, package: str) -> Found:
    """What `run_notebook.py` writes down."""
    script = Path(__file__).with_name("run_notebook.py")
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(ROOT / "scripts")}
    if package != COMPAT:
        environment.pop("PYTHONPATH")
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder, "results.json")
        command = [python, script, NOTEBOOKS / f"{chapter}.py", package, results]
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
        return json.loads(results.read_text())


def deviations() -> dict[str, dict[str, dict[str, Any]]]:
    """Chapter -> name of a value -> defect, reason and what fairflow has instead."""
    return yaml.safe_load((NOTEBOOKS / "deviations.yaml").read_text("utf-8"))


def problems(theirs: Found, ours: Found, named: dict[str, dict[str, Any]]) -> list[str]:
    """What is neither equal nor a named deviation, a sentence each.

    Parameters
    ----------
    theirs, ours : values by name, and what each cell shows.
    named : the chapter's entries of `deviations`.
    """
    sentences = [f"no such value: {name}" for name in sorted(named.keys() - ours["values"].keys())]
    if theirs["values"].keys() != ours["values"].keys():
        names = sorted(theirs["values"].keys() ^ ours["values"].keys())
        sentences.append(f"values of one side: {names}")
    if theirs["shown"] != ours["shown"]:
        sentences.append(f"cells show {theirs['shown']} there, {ours['shown']} here")
    for name in [name for name in theirs["values"] if name in ours["values"]]:
        expected, found = theirs["values"][name], ours["values"][name]
        if name in named:
            if agrees(expected, found):
                sentences.append(f"{name} is named as a deviation and agrees")
            expected = overlaid(expected, named[name]["ours"])
        if not agrees(expected, found):
            sentences.append(f"{name} is {found}, expected {expected}")
    return sentences


def agrees(expected: Any, found: Any) -> bool:
    """Whether two values are the same, numbers up to rounding."""
    return same(_without_nan(expected), found, TOLERANCE)


def overlaid(theirs: Any, ours: Any) -> Any:
    """WEFE's value with fairflow's where a deviation gives one."""
    return {**theirs, **ours} if isinstance(theirs, dict) and isinstance(ours, dict) else ours


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def main() -> int:
    """Print a line for each chapter, and what is wrong; 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("python", help="the Python of WEFE's environment")
    parser.add_argument("--record", type=Path, help="write WEFE's answers to this file")
    options = parser.parse_args()
    with ThreadPoolExecutor(2) as pool:
        wefe = pool.map(lambda chapter: run(options.python, chapter, "wefe"), CHAPTERS)
        ported = pool.map(lambda chapter: run(sys.executable, chapter, COMPAT), CHAPTERS)
        theirs = dict(zip(CHAPTERS, wefe, strict=True))
        ours = dict(zip(CHAPTERS, ported, strict=True))
    if options.record:
        lines = [f'"{chapter}": {json.dumps(found)}' for chapter, found in theirs.items()]
        options.record.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    pairs = {chapter: (theirs[chapter], ours[chapter]) for chapter in CHAPTERS}
    named, failed = deviations(), False
    for chapter, (expected, found) in pairs.items():
        entries = named.get(chapter, {})
        wrong = problems(expected, found, entries)
        failed |= bool(wrong)
        verdict = "DIFFERENT" if wrong else "as with WEFE"
        but = f", but for {', '.join(sorted({e['defect'] for e in entries.values()}))}"
        print(f"{chapter:20}{len(found['values']):4} values {verdict}{but if entries else ''}")
        print("".join(f"  - {sentence}\n" for sentence in wrong), end="")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
