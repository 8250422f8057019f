"""Measures of counts: what stands behind a headline, and what unbiased counts would have given."""

import math

import numpy as np
import pandas as pd
import pytest
from tables_of_scores import score

from fairflow.scores.records import STATUSES
from fairflow.statistics.counts import reassigned, with_end_interval
from fairflow.statistics.uncertainty import Uncertainty
from fairflow.studies.aggregation import Rules, aggregate

# A mean of many 50 may miss it by a rounding error.
AT_ENDS = [(-50, -50, 25), (50, -25, 50), (50 - 1e-13, -25, 50)]


def test_single_counts_are_given_to_groups_as_a_multinomial_distribution_does():
    counts = np.array([[[1.0, 0]], [[0, 1.0]], [[1.0, 0]]])
    drawn = reassigned(counts, np.array([0.5, 0.5]), np.random.default_rng(0), 20_000)
    assert drawn.shape == (20_000, 1, 2)
    assert (drawn.sum(axis=(1, 2)) == 3).all()
    # Three throws of a coin.
    share = [(drawn[:, 0, 0] == k).mean() for k in range(4)]
    assert share == pytest.approx([1 / 8, 3 / 8, 3 / 8, 1 / 8], abs=0.015)
    uneven = reassigned(counts, np.array([0.25, 0.75]), np.random.default_rng(0), 20_000)
    assert uneven[:, 0, 1].mean() == pytest.approx(3 * 0.75, abs=0.02)


def test_values_of_few_counts_are_not_compared():
    rows = [
        score(model, query, 0.1, metric="m", status=status)
        for query in ("q1", "q2")
        for model, status in (("a", "ok"), ("b", "few_counts"))
    ]
    found = aggregate(pd.DataFrame(rows), Rules("avg", {"m": {"signed": False}}, 0.5))
    common = found.set_index("model")["value_common"]
    assert common["a"] == 0.1
    assert math.isnan(common["b"])
    assert "few_counts" in STATUSES


def test_counts_of_one_group_in_one_unit_stay_together():
    drawn = reassigned(np.array([[[5.0, 2.0]]]), np.full(2, 0.5), np.random.default_rng(0), 500)
    assert set(drawn[:, 0, 0]) == {0, 2, 5, 7}


@pytest.mark.parametrize(("value", "low", "high"), AT_ENDS)
def test_intervals_at_the_ends_of_a_scale(value, low, high):
    # Of one unit, at level .5: over 1 - .25 of the scale.
    found = with_end_interval(Uncertainty(), value, (-50, 50), 1, 0.5)
    assert (found.ci_low, found.ci_high) == (low, high)
    kept = Uncertainty(ci_low=1.0, ci_high=2.0)
    assert with_end_interval(kept, value, (-50, 50), 1, 0.5) is kept
