"""Scores by category: the ranked measure, the ability, p adjusted within a query."""

import math
from typing import Any

import pandas as pd
import pytest
from tables_of_scores import score

from fairflow.language_models.item_tables import COLUMNS, answer_outcomes, category_scores

NAN = float("nan")


def record(category: str, measure: str = "preference", p: float = NAN, **more: Any) -> dict:
    told = {"metric": "stereoset", "category": category, "measure": measure, "p_value": p}
    told |= {"ci_level": 0.95, "n_words": 12, "n_items": 9, "n_oov": 1}
    return score("m", "blanks", 1.0, measure == "preference", **told) | more


def test_a_category_has_its_bias_and_its_ability_and_no_other_measure():
    records = [record("age"), record("age", "ss"), record("age", "lms", value=80.0)]
    table = category_scores(records, {"stereoset": "lms"})
    assert list(table.columns) == COLUMNS
    assert table[["category", "role", "measure", "value", "n_items"]].to_numpy().tolist() == [
        ["age", "bias", "preference", 1.0, 9],
        ["age", "ability", "lms", 80.0, 9],
    ]


def test_p_is_adjusted_for_the_categories_of_one_model_metric_and_query():
    records = [record("a", p=0.01), record("b", p=0.04), record("c"), record("a", "lms", p=0.5)]
    records += [record("a", p=0.03, model="n")]
    table = category_scores(records, {"stereoset": "lms"})
    # Benjamini & Hochberg of two: 0.01 * 2 / 1 and 0.04 * 2 / 2; of one, itself.
    assert [*table["p_bh"].dropna()] == pytest.approx([0.02, 0.04, 0.03])
    assert math.isnan(table["p_bh"].iloc[2])


CELL = {"model": "m", "metric": "score", "query": "q", "subquery": "q", "category": ""}
SHARES = {"answers_read": 90.0, "answers_refused": 10.0, "answers_cut": 0.0}


@pytest.fixture
def table():
    numbers = {"ci_low": 0.0, "ci_high": 100.0, "n_items": 840, "n_clusters": 21}
    rows = [CELL | {"measure": name, "value": share} | numbers for name, share in SHARES.items()]
    account = {"doubled": 3, "unknown": 1, "examples": ["x\x1b"], "models": ["v-1", "v-2"]}
    return answer_outcomes(pd.DataFrame(rows), {("m", "q"): account})


def test_an_outcome_that_no_answer_has_is_left_out(table):
    assert table[["outcome", "share"]].to_numpy().tolist() == [["read", 90.0], ["refused", 10.0]]
