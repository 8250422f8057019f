"""Intervals of means and correlations over items."""

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from fairflow.statistics.item_bootstrap import STATISTICS, observed, percentile_interval, resampled

GENERATOR = np.random.default_rng(3)
EXPECTED = GENERATOR.integers(0, 6, 40).astype(float)
GIVEN = EXPECTED + GENERATOR.normal(size=40) * 2


def test_the_statistics_of_all_items_are_the_usual_ones():
    assert observed("mean", EXPECTED, GIVEN) == pytest.approx(GIVEN.mean())
    assert observed("pearson", EXPECTED, GIVEN) == pytest.approx(pearsonr(EXPECTED, GIVEN)[0])
    assert observed("spearman", EXPECTED, GIVEN) == pytest.approx(spearmanr(EXPECTED, GIVEN)[0])


@pytest.mark.parametrize("statistic", STATISTICS)
def test_an_item_of_weight_two_counts_as_two(statistic):
    weights = np.array([[2.0, 0.0, 1.0] + [1.0] * 37])
    rows = np.repeat(np.arange(40), weights[0].astype(int))
    weighted = STATISTICS[statistic](EXPECTED, GIVEN, weights)[0]
    assert weighted == pytest.approx(observed(statistic, EXPECTED[rows], GIVEN[rows]))


def test_draws_of_two_models_are_of_the_same_items():
    left = resampled("mean", EXPECTED, GIVEN, 120, seed=5)
    right = resampled("mean", EXPECTED, GIVEN + 1, 120, seed=5)
    assert right - left == pytest.approx(np.ones(120))
    assert len(set(left)) > 100


def test_an_interval_is_the_middle_of_the_defined_draws():
    draws = np.array([np.nan, *np.arange(101.0)])
    assert percentile_interval(draws, 0.9) == pytest.approx((5, 95))
    assert np.isnan(percentile_interval(np.array([np.nan]), 0.9)).all()
