"""The table of a comparison before and after."""

import math

import numpy as np
import pandas as pd
import pytest
from tables_of_scores import score as row_of_scores

from fairflow.studies.before_after import (
    COLUMNS,
    DIFFERS,
    LARGER,
    NOT_COMPARABLE,
    NOT_DISTINGUISHABLE,
    OTHER_SIGN,
    SMALLER,
    UNTESTED,
    before_after,
    change_verdict,
    size_changes,
)

DIRECTIONS = {
    "weat": {"signed": True, "larger_is_fairer": False},
    "rnd": {"signed": True, "larger_is_fairer": False},
    "mac": {"signed": False, "larger_is_fairer": True},
}
SCALING = {"weat": False, "rnd": True, "mac": False}


def score(model, metric, query, value, unit_length=None):
    band = {"null_band_low": -0.1, "null_band_high": 0.1}
    band["value_normalized"] = value if unit_length is None else unit_length
    return row_of_scores(model, query, value, metric=metric, measure=metric, **band)


def pair(metric, query, before, after, half=0.1, p_value=0.01, **more):
    row = {"before_model": "old", "model": "new", "metric": metric, "query": query}
    row |= {"subquery": query, "subquery_digest": f"digest of {query}", "measure": metric}
    values = {"before": before, "after": after, "difference": after - before}
    for name, value in (values | {"absolute_difference": abs(after) - abs(before)}).items():
        row |= {name: value, f"{name}_low": value - half, f"{name}_high": value + half}
    how = {"resampled": "target words", "ci_level": 0.95, "ci_method": "bca", "n_resamples": 500}
    return row | how | {"p_value": p_value, "n_words": 8, "excluded": [], "note": None} | more


def tabulated(scores, pairs):
    columns = pair("weat", "g1", 0.0, 0.0)
    frame = pd.DataFrame(pairs, columns=list(columns))
    return before_after(pd.DataFrame(scores), frame, "old", ["new"], DIRECTIONS, SCALING)


def both(metric, query, before, after, **unit_length):
    return [score("old", metric, query, before), score("new", metric, query, after, **unit_length)]


def test_a_row_tells_of_a_query_in_both_models():
    table = tabulated(both("weat", "g1", 0.5, 0.2), [pair("weat", "g1", 0.5, 0.2)])
    assert [*table] == COLUMNS
    (row,) = table.to_dict("records")
    assert (row["before_model"], row["model"], row["query_label"]) == ("old", "new", "G1")
    assert (row["before"], row["after"], row["difference"]) == (0.5, 0.2, pytest.approx(-0.3))
    assert row["difference_high"] == pytest.approx(-0.2)
    assert (row["before_null_band_low"], row["after_null_band_high"]) == (-0.1, 0.1)
    assert (row["p_holm"], row["verdict"]) == (0.01, SMALLER)


def test_p_values_are_adjusted_over_the_distinct_queries_of_a_metric():
    queries = [("g1", 0.01), ("g2", 0.02), ("g3", 0.5)]
    scores = [row for query, _ in queries for row in both("weat", query, 0.5, 0.2)]
    pairs = [pair("weat", query, 0.5, 0.2, p_value=p) for query, p in queries]
    again = [row | {"query": "g4"} for row in both("weat", "g1", 0.5, 0.2)]
    table = tabulated(scores + again, [*pairs, pairs[0] | {"query": "g4"}])
    # 3 x 0.01, 2 x 0.02 and 0.5; g4 is g1 once more.
    assert dict(zip(table["query"], table["p_holm"], strict=True)) == pytest.approx(
        {"g1": 0.03, "g2": 0.04, "g3": 0.5, "g4": 0.03}
    )


@pytest.mark.parametrize(
    ("metric", "before", "after", "p", "expected"),
    [
        ("weat", 0.5, 0.2, 0.01, SMALLER),
        ("weat", -0.5, -0.2, 0.01, SMALLER),
        ("weat", 0.2, 0.5, 0.01, LARGER),
        ("weat", 0.5, -0.05, 0.01, SMALLER),  # no further from 0 than the interval reaches
        ("weat", 0.5, -0.5, 0.01, OTHER_SIGN),
        ("weat", 0.08, -0.05, 0.01, DIFFERS),
        ("weat", 0.5, 0.2, 0.06, NOT_DISTINGUISHABLE),
        ("weat", 0.5, 0.2, math.nan, UNTESTED),
        ("mac", 0.5, 0.9, 0.01, SMALLER),
        ("mac", 0.9, 0.5, 0.01, LARGER),
    ],
)
def test_the_verdict_is_of_the_association(metric, before, after, p, expected):
    row = pair(metric, "g1", before, after) | {"p_holm": p}
    assert change_verdict(row, DIRECTIONS[metric]) == expected


def test_values_that_grow_with_length_are_compared_between_models_of_unit_length_alone():
    pairs = [pair("rnd", "g1", 0.5, 0.2)]
    assert tabulated(both("rnd", "g1", 0.5, 0.2), pairs)["verdict"].tolist() == [SMALLER]
    table = tabulated(both("rnd", "g1", 0.5, 0.2, unit_length=0.1), pairs)
    assert table["verdict"].tolist() == [NOT_COMPARABLE]
    assert table["p_value"].isna().all()
    assert table["note"].iloc[0].startswith("values grow with the length of vectors")


def test_values_are_those_of_the_words_that_both_models_hold():
    common = pair("weat", "g1", 0.4, 0.2, excluded=["far", "up"])
    (row,) = tabulated(both("weat", "g1", 0.5, 0.2), [common]).to_dict("records")
    assert (row["before"], row["difference"]) == (0.4, pytest.approx(-0.2))
    assert row["excluded"] == "far, up"


def planted(factor, seed, n_queries=6, spread=0.3, noise=0.05):
    """A study of queries with few words, whose associations of 1 debiasing multiplies by a factor.

    Resamples of a query differ by `spread`, alike in both models but for `noise`.
    """
    random, draws = np.random.default_rng(seed), 500
    scores, pairs = [], []
    for number in range(n_queries):
        before = 1 + random.normal(0, spread, draws + 1)
        after = factor * before + random.normal(0, noise, draws + 1)
        size = np.abs(after) - np.abs(before)
        name, (low, high) = f"g{number}", np.quantile(size, (0.025, 0.975))
        ends = {"absolute_difference_low": low, "absolute_difference_high": high}
        pairs.append(
            pair(
                "weat",
                name,
                before[0],
                after[0],
                half=0.3,
                p_value=0.001,
                size_draws=[*size[1:]],
                **ends,
            )
        )
        scores += both("weat", name, before[0], after[0])
    table = before_after(
        pd.DataFrame(scores), pd.DataFrame(pairs), "old", ["new"], DIRECTIONS, SCALING
    )
    return size_changes(table, pd.DataFrame(pairs), DIRECTIONS, 0.95)


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        (0.0, SMALLER),
        (0.5, SMALLER),
        (1.0, NOT_DISTINGUISHABLE),
        (-1.0, NOT_DISTINGUISHABLE),
        (2.0, LARGER),
    ],
)
def test_planted_changes_are_found_removed_halved_unchanged_reversed_doubled(factor, expected):
    for seed in range(10):
        sizes = planted(factor, seed)
        assert sizes["verdict"].tolist() == [expected]
