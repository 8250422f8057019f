"""The study nulls: pages have the numbers of a run, and shares are those of plain code."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from stores import files_in

from fairflow.metrics.intersections import QUADRANTS
from fairflow.vectors.store import VectorStore
from pages import page
from project import ROOT, Project, copy_workflow

pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of `make run STUDY=nulls` in a separate folder, its download included."""
    folder = tmp_path_factory.mktemp("nulls") / "project"
    copy_workflow(folder, ROOT / "config")
    Project(folder).run("--config", "studies=[nulls]", "--", "all")
    return folder / "results"


@pytest.fixture(scope="module")
def table(results: Path) -> pd.DataFrame:
    return pd.read_csv(results / "studies/nulls/intersections.csv")


def cell(row: dict) -> str:
    """'47 % (39 to 52)', bold beyond random words."""
    low, high = (f"{100 * row[end]:.0f}" for end in ("null_low", "null_high"))
    text = f"{100 * row['value']:.0f} % ({low} to {high})"
    return f"**{text}**" if row["verdict"] in ("more", "fewer") else text


def test_the_page_has_the_numbers_of_this_run(table: pd.DataFrame):
    text = " ".join(page("numbers/intersections.md").split())
    for group, rows in table.groupby("group"):
        assert f"| {group} | {' | '.join(map(cell, rows.to_dict('records')))} |" in text
    first = table.iloc[0]
    names = f"from {100 * first['ci_low_both']:.0f} to {100 * first['ci_high_both']:.0f} %"
    assert names in text
    assert {*table["swap"]} == {"turned"}
    assert f"{20 * table['shared'].max():.0f} of 20 surnames" in text
    prose = [line for line in page("numbers/intersections.md").split("\n") if line[:1] != "|"]
    assert len(" ".join(prose).split()) <= 250


def test_the_page_on_methods_is_of_this_run(results: Path):
    kept, made = ROOT / "workflow/report/methods.csv", results / "studies/nulls/methods.csv"
    # Sums round otherwise on another machine, which may turn a draw in one of 100 worlds.
    pd.testing.assert_frame_equal(pd.read_csv(kept), pd.read_csv(made), rtol=0, atol=0.02)


def test_shares_are_those_of_plain_code(results: Path, table: pd.DataFrame):
    scores = pd.read_parquet(results / "studies/nulls/scores.parquet")
    words = pd.read_json(results / "words/intersections.json").drop(columns="sha256")

    def unit(store: VectorStore, names: list[str]) -> np.ndarray:
        vectors = store.vectors([name.lower() for name in dict.fromkeys(names)])
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    with VectorStore(*files_in(results / "models/glove-6B-50d")) as store:
        for query, asked in words.items():
            (traits,) = (unit(store, names) for names in asked["targets"].values())
            a, b, c, d = (unit(store, names).mean(axis=0) for names in asked["attributes"].values())
            first, second = traits @ (a - b) > 0, traits @ (c - d) > 0
            counted = [np.mean((first == x) & (second == y)) for x in (1, 0) for y in (1, 0)]
            rows = scores[scores["query"] == query].set_index("measure")
            np.testing.assert_allclose(rows.loc[[*QUADRANTS], "value"], counted, atol=1e-12)
