"""The command `fairflow score` compared with the table of a run."""

import json
import math
import shutil

import pyarrow.parquet as pq
import pytest

from project import Project, command

pytestmark = pytest.mark.workflow
METRICS = ("weat", "rnd", "rnsb")


def printed(project: Project, *arguments: str) -> list[dict]:
    asked = ["--all-measures", "--format", "json", "--metric", *METRICS]
    ran = command(project, "score", *arguments, *asked)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def in_table(project: Project, model: str, queries: list[str]) -> list[dict]:
    """The rows of a model in the table of the study, what is undefined as None."""
    table = pq.read_table(project.folder / "results/studies/toy/scores.parquet").to_pylist()
    return [
        {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in row.items()
        }
        for query in queries
        for metric in METRICS
        for row in table
        if (row["model"], row["metric"], row["query"]) == (model, metric, query)
    ]


@pytest.mark.parametrize(
    ("place", "model"),
    [
        ("data/first.txt", "first"),
        ("first", "first"),
        ("data/second.txt", "second"),
        ("first-normalised", "first-normalised"),
    ],
)
def test_what_is_printed_are_the_numbers_of_the_table_to_the_last_digit(
    finished_once: Project, place: str, model: str
):
    queries = ["temperature", "noise"]
    rows = printed(finished_once, place, "--query", *queries)
    told = in_table(finished_once, model, queries)
    assert len(rows) == len(told) > 6
    for row, cell in zip(rows, told, strict=True):
        # It reports the null band, whose random words the command does not read.
        row.pop("statistics_note")
        assert row == {name: cell[name] for name in row}
    assert any(row["p_value"] is not None for row in rows)


def test_a_model_that_is_not_converted_is_told_with_what_makes_it(finished_once, tmp_path):
    shutil.copytree(finished_once.folder / "config", tmp_path / "config")
    arguments = ["score", "first-normalised", "--query", "noise", "--metric", "weat"]
    ran = command(finished_once, *arguments, folder=tmp_path)
    assert ran.returncode == 2
    assert "snakemake --cores 1 results/models/first-normalised/derivation.npz" in ran.stderr
    assert ran.stderr.count("\n") == 1
