"""The page Models: its table holds what the committed scores say."""

import math
from pathlib import Path

import pandas as pd
import pytest
from building.models import (
    COMPARED,
    RANKED,
    REFERENCES,
    TABLES,
    as_rows,
    french_table,
    from_rows,
    reference,
)
from tables_of_scores import score

from fairflow.products.report.standings import QUALITY, Cell, Column, models_table
from fairflow.studies.aggregation import OVERALL

ROOT = Path(__file__).parents[3]
CONTROLS = ["weat_1", "weat_2"]


def test_what_is_written_of_a_table_is_read_again(tmp_path: Path):
    cells = {"a": Cell(1.0, 0.5, 1.5, "tied", "not told apart from B"), "b": Cell(0.5)}
    column = Column("mine", "Mine", "Gender", "Gender", "WEAT", "effect_size", 0.0, cells)
    quality = Column("mine", "Mine", "", "Quality", "MEN", "Quality", math.nan, {"a": Cell(0.7)})
    table = models_table([column, quality], {"a": "A", "b": "B"})
    as_rows(table).to_csv(tmp_path / "models.csv", index=False)
    again = from_rows(pd.read_csv(tmp_path / "models.csv"))
    assert again.models == table.models
    assert as_rows(again).to_csv() == as_rows(table).to_csv()


def test_random_vectors_show_what_nothing_looks_like_and_planted_ones_are_far_above():
    nothing, planted = (reference(["weat_6"], strength) for strength in (0.0, 0.3))
    assert 0 < nothing.low < nothing.value < nothing.high < planted.low
    assert nothing == reference(["weat_6"], 0.0)


def test_the_committed_scores_are_means_of_the_scores_of_the_figure():
    scores = pd.read_csv(ROOT / TABLES / "static_and_contextual.csv")
    scores = scores[~scores["query"].isin(CONTROLS)].assign(size=lambda t: t["value"].abs())
    means = scores.groupby(["criterion", "model"])["size"].mean().to_dict()
    of_all = scores.groupby("model")["size"].mean()
    means |= {(OVERALL, name): mean for name, mean in of_all.items()}
    table = pd.read_csv(ROOT / TABLES / RANKED)
    table = table[(table["study"] == COMPARED) & ~table["model"].isin(REFERENCES)]
    table = table[table["scale"] != QUALITY]
    shown = {(row.criterion, row.model): row.value for row in table.itertuples()}
    assert shown == pytest.approx(means, rel=1e-5)


def test_a_test_has_its_score_in_each_language_and_the_vectors_of_its_words(tmp_path: Path):
    row = {"ci_low_both": 0.1, "ci_high_both": 1.4, "n_words": 4, "n_found": 4}
    named = [("French", "fr_weat1", "f", 1.5), ("English", "en_weat1", "e", 0.5)]
    scores = [
        score(m, q, value, criterion=c, query_label=f"A [{q}]", **row) for c, q, m, value in named
    ]
    # A model of control queries alone has no criterion.
    scores += [scores[0] | {"criterion": None, "query": "weat_2"}]
    pd.DataFrame(scores).to_csv(tmp_path / "scores.csv")
    sets = [("f", "fr_weat1 weat_2", 2), ("f", "fr_weat1", 1), ("e", "en_weat1", 4)]
    covered = pd.DataFrame(sets, columns=["model", "queries", "distinct"])
    covered.to_csv(tmp_path / "coverage.csv")
    table = french_table(tmp_path)
    assert table["label"].tolist() == ["A", "A"]
    assert table.set_index("criterion")["distinct"].to_dict() == {"French": 3, "English": 4}
