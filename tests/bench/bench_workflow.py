"""Cost per cell, of the case study and WEFE, and of planning as studies grow; `make bench`.

Compare CPU times on a machine that does other work: wall times are of the moment.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml
from bench_vectors import CONVERT, write_text
from cost import Cost, cheapest, cost_of, heading, row, snakemake
from grown_study import make_grown
from oracle.live.peer import DOWNLOADS, case_study, run_wefe
from oracle.pinned import ROOT, model_file
from workflow.project import copy_workflow

MODEL = "word2vec-google-news-300-weat"
SMALL, LARGE = "gender_1", "eth_sent_1"
VARIANTS = ("weat", "weat_es", "rnd", "rnsb_100")
CELL = """
import json, sys
from dataclasses import asdict
from score_query import score_queries
from fairflow.statistics.uncertainty import Statistics
metric, query, statistics, model, variant = sys.argv[1:]
statistics = asdict(Statistics()) if statistics == "on" else None
cell, slice_ = [model, metric, query], f"results/slices/{model}/{query}.npz"
how = {"variant": json.loads(variant), "seed": 1, "statistics": statistics}
score_queries([slice_], [cell], [how], "cell.parquet")
"""
# WEFE is run with so few and scaled to its default.
THEIR_PERMUTATIONS, DEFAULT_PERMUTATIONS = 2, 10_000
THEIR_REPEATS, REPEATS = 5, 100
# Models, metrics and queries of each size.
SIZES = {700: (4, 5, 35), 3_000: (10, 7, 43), 20_000: (20, 10, 100)}
WIDE = (200, 4, 25)
PLANNING_GOAL = "(20 s, 400 MB)"
FINISHED = 3_000


def case_study_project(folder: Path) -> None:
    """The case study alone, its downloads at hand."""
    copy_workflow(folder, ROOT / "config")
    path = folder / "config/config.yaml"
    path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text()) | {"studies": ["case_study"]}))
    for part in ("models", "lexicons"):
        if (DOWNLOADS / part).is_dir():
            shutil.copytree(DOWNLOADS / part, folder / "results/downloads" / part)


def cells(folder: Path, work: Path) -> None:
    """Single cells in separate processes, and what Snakemake adds."""
    heading("one cell: start, read, compute, write")
    entries = yaml.safe_load((folder / "config/metrics.yaml").read_text())
    for query in (SMALL, LARGE):
        for metric in VARIANTS:
            for statistics in ("off", "on"):
                entry = entries[metric].items()
                variant = json.dumps({k: v for k, v in entry if k not in ("label", "note")})
                cell = [metric, query, statistics, MODEL, variant]
                command = [sys.executable, "-c", CELL, *cell]
                cost = cheapest(command, folder, folder / "scripts")
                first = (metric, query, statistics) == ("weat", SMALL, "off")
                goal = "(0.3 s CPU, 300 MB)" if first else "(300 MB)"
                row(f"{metric}, {query}, statistics {statistics}", cost, goal)
    project = make_grown(work / "cells", 1, 5, 12)
    slices = [f"results/slices/model-0/query-{i}.npz" for i in range(12)]
    snakemake(project.folder, *slices)
    every, nothing = (snakemake(project.folder, "scores") for _ in range(2))
    each = Cost((every.wall - nothing.wall) / 60, (every.cpu - nothing.cpu) / 60, every.megabytes)
    row("WEAT without statistics, Snakemake's work included (of 60)", each, "(0.3 s CPU)")


def conversion(work: Path) -> None:
    """A conversion's memory does not depend on the model's size."""
    for words in (50_000, 200_000):
        path = write_text(work / "glove.txt", words)
        command = [sys.executable, "-c", CONVERT, path, "glove-text", "none", work]
        row(f"conversion of {words:,} words", cost_of(command, work, ROOT / "scripts"), "(200 MB)")
        path.unlink()


def whole_case_study(folder: Path, python: str) -> None:
    """Every score of the case study from slices, compared with WEFE's run_queries."""
    heading("case study: 25 queries x 4 metrics x 3 models")
    ours = snakemake(folder, "scores")
    row("fairflow on 2 cores, statistics on", ours)
    shutil.rmtree(folder / "results/scores")
    path = folder / "config/studies/case_study.yaml"
    path.write_text(path.read_text() + "statistics: none\n")
    # Slices without random words are other slices; only the scores count here.
    snakemake(folder, "--until", "slice_vectors")
    without = snakemake(folder, "scores")
    row("fairflow on 2 cores, statistics off", without)
    plain, tested = wefe_seconds(python)
    print(f"WEFE, RNSB of {THEIR_REPEATS} repeats scaled to {REPEATS}: {plain:,.0f} s CPU")
    print(
        f"WEFE, with WEAT's p-value, {THEIR_PERMUTATIONS} permutations scaled to "
        f"{DEFAULT_PERMUTATIONS:,}: {tested:,.0f} s CPU"
    )
    for what, theirs, own in (
        ("no p-values in WEFE, all statistics in fairflow", plain, ours),
        ("no statistics in either", plain, without),
        ("p-values of WEAT in WEFE, all statistics in fairflow", tested, ours),
    ):
        print(
            f"{what:<58}{theirs / (own.cpu / 2):8,.0f}x on 2 idle cores, "
            f"{theirs / own.wall:,.0f}x by wall (20x)"
        )


def wefe_seconds(python: str) -> tuple[float, float]:
    """CPU seconds of WEFE for the three models, without and with p-values, scaled."""
    lookup = {"preprocessors": [{}, {"lowercase": True}]}

    def job(metric: str, subqueries: bool = False, **own: Any) -> dict[str, Any]:
        parameters = {"metric_params": lookup | own, "generate_subqueries": subqueries}
        return {"metric": metric, "queries": case_study(), "params": parameters, "runs": 1}

    p_value = {"calculate_p_value": True, "p_value_iterations": THEIR_PERMUTATIONS}
    jobs = [
        job("WEAT"),
        job("WEAT", return_effect_size=True),
        job("RND", subqueries=True),
        job("RNSB", n_iterations=THEIR_REPEATS),
        job("WEAT", **p_value),
    ]
    results = run_wefe(python, model_file(DOWNLOADS), jobs, "float32")
    weat, effect, rnd, rnsb, tested = (result["cpu"] for result in results)
    plain = weat + effect + rnd + rnsb * REPEATS / THEIR_REPEATS
    # For the score and for the effect size.
    permutations = 2 * (tested - weat) * DEFAULT_PERMUTATIONS / THEIR_PERMUTATIONS
    return 3 * plain, 3 * (plain + permutations)


def least_plan(folder: Path) -> Cost:
    """A dry run of a workflow of one job that is done: what no workflow can do without."""
    folder.mkdir()
    (folder / "done").touch()
    (folder / "Snakefile").write_text(
        "rule:\n    output:\n        'done',\n    shell:\n        ':'\n"
    )
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--cores", "1"]
    return cheapest(command, folder, folder)


def growth(work: Path) -> None:
    """Planning by the number of cells; a run that finds everything done."""
    heading("planning (--dry-run of everything)")
    for size, shape in SIZES.items():
        folder = make_grown(work / str(size), *shape).folder
        goal = PLANNING_GOAL if size == max(SIZES) else ""
        row(f"{size:,} cells", snakemake(folder, "--dry-run"), goal)
    wide = make_grown(work / "wide", *WIDE).folder
    row("20,000 cells of 200 models", snakemake(wide, "--dry-run"), PLANNING_GOAL)
    heading("a run that finds everything done")
    folder = work / str(FINISHED)
    one_process = Path(__file__).with_name("snakemake_in_one_process.py")
    profile = ["--workflow-profile", "workflow/profiles/local", "--cores", "1"]
    cost_of([sys.executable, one_process, *profile], folder, folder / "scripts")
    least = least_plan(work / "least")
    row("a workflow of one job: Snakemake's own start", least)
    finished = snakemake(folder)
    row(f"{FINISHED:,} cells", finished, f"(3 s) {finished.cpu / least.cpu:.1f}x one job")
    if (ROOT / "results/ledger.csv").is_file():
        row("the default studies", snakemake(ROOT, "--dry-run"), "(3 s, if make run came before)")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("python", help="the Python of WEFE's environment")
    python = parser.parse_args().python
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        folder = work / "case_study"
        case_study_project(folder)
        snakemake(folder, "--until", "slice_vectors")
        cells(folder, work)
        conversion(work)
        whole_case_study(folder, python)
        growth(work)


if __name__ == "__main__":
    main()
