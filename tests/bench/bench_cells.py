"""CPU seconds of the statistics of cells, of an older commit and this one; `make bench` runs it.

The cells are metrics with tests, intervals and null band on the slices that `make run` made. Both
libraries take turns on each metric, one thread each.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from cost import ONE_THREAD
from oracle.pinned import ROOT

from fairflow.errors import FairflowError
from fairflow.metrics import metric_class
from fairflow.vectors.query_vectors import read_slice

OLDER = "ff52f0d"
REPEATED = {"holdout": True, "n_iterations": 100}
# What each is called -> its definition in configurations of either age.
VARIANTS: dict[str, dict[str, Any]] = {
    "weat": {"metric": "weat", "measure": "weat"},
    "rnd": {"metric": "rnd", "measure": "rnd", "subqueries": True},
    "rnd_unit_length": {"metric": "rnd", "measure": "rnd", "subqueries": True, "normalize": True},
    "rnsb_100": {"metric": "rnsb", "measure": "rnsb", "parameters": REPEATED},
    "mac": {"metric": "mac", "measure": "mac"},
}
LARGEST, GOAL = 1.0, 3


def cells(folder: Path, name: str, every: int) -> list[dict[str, Any]]:
    """The cells of a metric on every so-many-th slice that it fits."""
    variant = VARIANTS[name]
    found = []
    for path in sorted(folder.glob("*/*.npz"))[::every]:
        if _fits(path, variant):
            cell = {"model": path.parent.name, "query": path.stem, "metric": name}
            found.append(cell | {"slice": str(path.resolve()), "variant": variant})
    return found


def _fits(path: Path, variant: dict[str, Any]) -> bool:
    """Whether a metric can be had of a slice with random words, as those with statistics have."""
    vectors = read_slice(path)
    metric = metric_class(variant["metric"])
    part = vectors.query
    try:
        parts = part.get_subqueries(metric.metric_template) if "subqueries" in variant else [part]
        metric.check_template(parts[0].template)
    except (ValueError, IndexError, TypeError, FairflowError):
        return False
    return vectors.random is not None


def seconds(library: Path, entries: Sequence[dict[str, Any]]) -> list[float]:
    """CPU seconds of each cell with the library in a folder."""
    script = Path(__file__).with_name("run_cells.py")
    with tempfile.TemporaryDirectory() as folder:
        todo, done = Path(folder, "cells.json"), Path(folder, "seconds.json")
        todo.write_text(json.dumps(entries))
        environment = os.environ | ONE_THREAD | {"PYTHONPATH": str(library)}
        subprocess.run([sys.executable, script, todo, done], check=True, env=environment)
        return json.loads(done.read_text())


def checked_out(commit: str, folder: Path) -> Path:
    """The library of a commit."""
    packed = subprocess.run(
        ["git", "archive", commit, "scripts"], check=True, cwd=ROOT, capture_output=True
    ).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "scripts"


def row(name: str, before: Sequence[float], after: Sequence[float]) -> str:
    """One line of the table."""
    old, new = sum(before), sum(after)
    return (
        f"{name:<20}{len(after):>7}{old:>11.2f}{new:>11.2f}{old / new:>8.1f}x"
        f"{max(before):>11.2f}{max(after):>11.2f}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--beside", default=OLDER, help="the commit to compare with")
    parser.add_argument("--slices", type=Path, default=ROOT / "results/slices")
    parser.add_argument("--every", type=int, default=4, help="take every so-many-th slice")
    options = parser.parse_args()
    print(
        f"\n{'CPU s of cells':<20}{'cells':>7}{options.beside:>11}{'now':>11}"
        f"{f'({GOAL}x)':>9}{'largest':>11}{f'({LARGEST:g} s)':>11}"
    )
    if not any(options.slices.glob("*/*.npz")):
        print(f"no slices in {options.slices}: make run makes them")
        return
    before: list[float] = []
    after: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        library = checked_out(options.beside, Path(folder))
        for name in VARIANTS:
            entries = cells(options.slices, name, options.every)
            if entries:
                old, new = (seconds(path, entries) for path in (library, ROOT / "scripts"))
                before, after = before + old, after + new
                print(row(name, old, new), flush=True)
    print(row("all", before, after))


if __name__ == "__main__":
    main()
