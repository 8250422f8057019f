"""Means over queries that share some of their words vary more than resamples of their sets."""

import numpy as np
import pandas as pd
import pytest
from shipped import plan_of
from tables_of_scores import score

from fairflow.planning import study_jobs  # noqa: F401  # It registers the job.
from fairflow.planning.registry import Jobs
from fairflow.statistics.overlap import matrix, widening
from fairflow.studies.aggregation import Rules
from fairflow.studies.model_comparison import compare_models

SETS = {
    "names": ("abcd", "efgh", "pq", "st"),
    "more names": ("abcdABCDEFGHIJKL", "efghABCDEFGHIJKL", "pq", "st"),
    "other attributes": ("abcd", "efgh", "xy", "zw"),
    "others": ("ijkl", "mnop", "uv", "zw"),
}


def test_queries_overlap_by_the_mean_share_of_their_targets_and_attributes():
    # 4 of 4 and 16 words: 4 / sqrt(64). Without common attributes the targets say nothing.
    found = matrix(["others", "names", "more names", "other attributes", "unknown"], SETS)
    assert np.argwhere(found).tolist() == [[1, 2], [2, 1]]
    assert found[1, 2] == found[2, 1] == 0.75


def test_parts_of_one_query_have_its_name_and_words_of_their_own():
    assert matrix(["names", "names", "more names"], SETS).tolist() == [
        [0, 0, 0.75],
        [0, 0, 0.75],
        [0.75, 0.75, 0],
    ]


def test_independent_draws_of_queries_that_vary_together_are_widened():
    independent = np.random.default_rng(1).normal(size=(2, 20_000))
    shares = np.array([[0, 1], [1, 0]])
    assert widening(independent, 1.0 * shares) == pytest.approx(2**0.5, abs=0.02)
    assert widening(independent, 0.0 * shares) == pytest.approx(1, abs=0.02)
    alike = independent[[0, 0]]
    assert widening(alike, 0.5 * shares) == 1
    assert widening(independent[:1], np.zeros((1, 1))) == 1
    assert widening(np.full((2, 5), np.nan), 1.0 * shares) == 1


def test_models_are_compared_by_widened_draws():
    random = np.random.default_rng(2)
    rows = [
        score(model, query, value, draws=(value + random.normal(size=500) / 4).tolist())
        for model, value in (("a", 2.0), ("b", 2.6))
        for query in ("names", "more names")
    ]
    how = "abs_avg", {"weat_es": {"signed": True, "larger_is_fairer": False}}, 0.5
    alone, widened_by = (
        compare_models(pd.DataFrame(rows), Rules(*how, overlaps=found)).pairwise.iloc[0]
        for found in ({}, dict.fromkeys(("names", "more names"), SETS["names"]))
    )
    lengths = [row["difference_high"] - row["difference_low"] for row in (alone, widened_by)]
    assert lengths[1] == pytest.approx(lengths[0] * 2**0.5, rel=0.05)
    assert alone["p_value"] < 0.05 < widened_by["p_value"]


def test_the_plan_names_queries_that_share_some_words():
    sets = (
        Jobs(plan_of("weat_replication"))
        .of("tables", study="weat_replication")
        .how["comparison"]["overlaps"]
    )
    _, shared, none = matrix(["weat_4", "weat_4_18", "weat_6"], sets)[0]
    assert shared == pytest.approx(0.97, abs=0.01)
    assert none == 0
