"""Compare the whole default run of an older commit and this one; `make bench` runs it.

Both make the studies of the older commit, each in a separate folder that holds only downloads,
on two cores; set-up is left out. Ratios of CPU times count where the machine does other work.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections import defaultdict
from io import BytesIO
from pathlib import Path

import yaml
from bench_cells import OLDER
from cost import Cost, cost_of
from oracle.live.peer import DOWNLOADS
from oracle.pinned import ROOT

GOAL = 40
DROPPED = (".git", ".venv*", "results", ".snakemake", "build")


def older_copy(commit: str, folder: Path) -> None:
    """A folder with a commit of this project."""
    packed = subprocess.run(
        ["git", "archive", commit], check=True, cwd=ROOT, capture_output=True
    ).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


def own_copy(folder: Path, studies: Path) -> None:
    """A folder with this checkout, set to the studies of an older one."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*DROPPED))
    config = folder / "config/config.yaml"
    named = yaml.safe_load((studies.parent / "config.yaml").read_text())["studies"]
    config.write_text(yaml.safe_dump(yaml.safe_load(config.read_text()) | {"studies": named}))
    for name in named:
        shutil.copy(studies / f"{name}.yaml", folder / "config/studies")


def run(folder: Path, *options: str) -> Cost:
    """Make everything, downloads at hand."""
    for kept in ("results", ".snakemake"):
        shutil.rmtree(folder / kept, ignore_errors=True)
    if DOWNLOADS.is_dir():
        shutil.copytree(DOWNLOADS, folder / "results/downloads")
    how = ["--workflow-profile", "workflow/profiles/local", "--cores", "2", *options]
    return cost_of([sys.executable, "-m", "snakemake", *how], folder, folder / "scripts")


def by_rule(folder: Path) -> dict[str, list[float]]:
    """Rule -> seconds of each of its jobs, by the benchmarks of a run."""
    found = defaultdict(list)
    for path in (folder / "results/benchmarks").rglob("*.tsv"):
        rule = path.relative_to(folder / "results/benchmarks").parts[0]
        with path.open() as file:
            found[rule.removesuffix(".tsv")] += [
                float(r["s"]) for r in csv.DictReader(file, delimiter="\t")
            ]
    return found


def main() -> None:
    """Print the table of both runs, and what the jobs of this one take by rule."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--beside", default=OLDER, help="the commit to compare with")
    parser.add_argument("--runs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        old, new = Path(name, "old"), Path(name, "new")
        older_copy(options.beside, old)
        own_copy(new, old / "config/studies")
        print(f"\n{'default run, 2 cores':<24}{'wall s':>10}{'CPU s':>10}{'MB':>8}", flush=True)
        for _ in range(options.runs):
            before, after = run(old), run(new, "--executor", "fairflow")
            for what, cost in ((options.beside, before), ("now", after)):
                print(f"{what:<24}{cost.wall:>10.1f}{cost.cpu:>10.1f}{cost.megabytes:>8.0f}")
            wall, cpu = 100 * after.wall / before.wall, 100 * after.cpu / before.cpu
            print(f"{f'per cent ({GOAL})':<24}{wall:>10.0f}{cpu:>10.0f}", flush=True)
        print(f"\n{'seconds of jobs, now':<24}{'jobs':>10}{'all':>10}{'mean':>8}{'slowest':>9}")
        rules = sorted(by_rule(new).items(), key=lambda rule: -sum(rule[1]))
        for rule, each in rules:
            mean = sum(each) / len(each)
            print(f"{rule:<24}{len(each):>10}{sum(each):>10.1f}{mean:>8.2f}{max(each):>9.2f}")


if __name__ == "__main__":
    main()
