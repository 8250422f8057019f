"""Relative differences, and their intervals over whole queries."""

import numpy as np
import pytest

from fairflow.statistics.item_bootstrap import (
    RESAMPLES,
    mean_resamples,
    percentile_interval,
    relative_difference,
)


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
