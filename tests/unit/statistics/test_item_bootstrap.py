"""Intervals of means and correlations over items, and of means over whole queries."""

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from fairflow.statistics.intervals import percentile_interval
from fairflow.statistics.item_bootstrap import (
    RESAMPLES,
    STATISTICS,
    mean_resamples,
    observed,
    relative_difference,
    resampled,
)

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


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [(3.0, 1.0, 1.0), (1.0, 3.0, -1.0), (1.0, 0.0, 2.0), (0.0, 0.0, 0.0), (-1.0, -3.0, 1.0)],
)
def test_a_difference_is_told_relative_to_the_mean_size(first, second, difference):
    assert relative_difference(np.array(first), np.array(second)) == difference


def test_means_of_resampled_clusters_are_those_of_their_members():
    # Twenty clusters of one value each, and 0 for two members of the first: these go together.
    row = [0.0, *np.arange(20.0)]
    drawn = mean_resamples(np.array([row, row]), [0, *range(20)], np.random.default_rng(0))
    assert drawn.shape == (2, RESAMPLES)
    assert (drawn[0] == drawn[1]).all()  # the same queries for both models
    assert 0 <= drawn.min() < drawn.mean() < drawn.max() <= 19
    assert drawn[0].mean() == pytest.approx(190 / 21, abs=0.1)


def test_few_queries_have_no_interval():
    drawn = mean_resamples(np.ones((2, 40)), [*range(19)] * 2 + [0, 1], np.random.default_rng(0))
    assert drawn.shape == (2, 0)
    assert np.isnan(percentile_interval(drawn[0])).all()
