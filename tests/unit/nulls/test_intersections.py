"""The table of groups: next to random words, and by several lists of names."""

import numpy as np
import pandas as pd
import pytest
from crossed_worlds import GROUPS, drawn, table_of
from scipy.stats import norm

from fairflow.metrics.intersections import QUADRANTS
from fairflow.nulls.intersections import swapped
from fairflow.statistics.rank_tests import holm


@pytest.fixture(scope="module")
def scores():
    """230 words, a third planted in the first group by both lists."""
    return drawn(np.random.default_rng(1), "50", 230, 4, 1 / 3, turned=False)


@pytest.fixture(scope="module")
def table(scores):
    return table_of(scores, 400)


def test_a_planted_group_has_more_words_and_the_others_no_more(table):
    assert table["group"].tolist() == [*GROUPS, *GROUPS]
    assert table["quadrant"].tolist() == [*QUADRANTS, *QUADRANTS]
    verdicts = table.pivot_table("verdict", "group", "query", "first")
    assert verdicts.loc["White Men"].tolist() == ["more", "more"]
    assert "more" not in verdicts.drop("White Men").to_numpy()
    assert table.groupby("query")["is_largest"].sum().tolist() == [1, 1]
    assert {*table["swap"]} == {"same"}
    assert {*table["n_words"]} == {230}


def test_band_and_p_are_those_of_random_sets_and_of_their_own_mean(table, scores):
    # With 4 random words a word: 4 = the larger of 4 and 400 / 230.
    rows = scores[scores["query"] == "first"]
    middle = (rows["null_band_low"] + rows["null_band_high"]).to_numpy() / 2
    half = (rows["null_band_high"] - rows["null_band_low"]).to_numpy() / 2 * np.sqrt(5 / 3)
    distance = np.maximum(np.abs(rows["value"] - middle) - 0.5 / 230, 0)
    p = 2 * norm.sf(distance / (half / norm.ppf(0.975)))
    found = table[table["query"] == "first"]
    np.testing.assert_allclose(found["null_low"], middle - half)
    np.testing.assert_allclose(found["null_high"], middle + half)
    np.testing.assert_allclose(found["p_null"], p)
    np.testing.assert_allclose(found["p_adjusted"], holm(p))


def test_more_random_words_widen_the_band_less(scores, table):
    many = table_of(scores, 230 * 100)
    wide, narrow = (one["null_high"] - one["null_low"] for one in (table, many))
    np.testing.assert_allclose(wide / narrow, np.sqrt(5 / 3) / np.sqrt(101 / 99))


def test_without_a_share_or_without_random_words_nothing_is_said(scores):
    lost = scores.assign(value=scores["value"].where(scores["query"] == "first"))
    lost = lost.assign(null_band_low=np.nan, null_band_high=np.nan)
    table = table_of(lost, 400)
    assert table["verdict"].tolist() == ["untested"] * 4 + ["undefined"] * 4
    assert {*table["swap"]} == {"untested"}


def group_rows(shares, width=0.05):
    """The rows of a list with an interval of this half-width."""
    rows = pd.DataFrame({"quadrant": QUADRANTS, "value": shares})
    return rows.assign(ci_low=rows["value"] - width, ci_high=rows["value"] + width)


@pytest.mark.parametrize(
    ("second", "width", "verdict"),
    [
        ([0.5, 0.2, 0.2, 0.1], 0.05, "same"),
        ([0.1, 0.2, 0.2, 0.5], 0.05, "turned"),
        ([0.1, 0.2, 0.2, 0.5], 0.3, "open"),
        # Black Women are largest by one list alone, but by the other one nearly as many.
        ([0.1, 0.2, 0.3, 0.4], 0.05, "open"),
        ([np.nan] * 4, 0.05, "untested"),
    ],
)
def test_another_list_has_another_largest_group_where_both_are_clear(second, width, verdict):
    first = [0.4, 0.1, 0.15, 0.35]
    assert swapped([group_rows(first, width), group_rows(second, width)]) == verdict
