"""Correlations and their permutation tests, checked against scipy and enumeration."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairflow.statistics.rank_tests import METHODS, correlation, correlation_test

SCIPY = {"spearman": stats.spearmanr, "kendall": stats.kendalltau, "pearson": stats.pearsonr}
PAIRS = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=12)


def values(n, seed=0):
    return np.random.default_rng(seed).normal(size=(2, n)).round(1)


@pytest.mark.parametrize("method", METHODS)
@given(PAIRS)
def test_correlations_are_those_of_scipy_with_ties_too(method, pairs):
    left, right = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    found = correlation(left, right, method)
    if len(set(left)) == 1 or len(set(right)) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(SCIPY[method](left, right).statistic, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ties", [False, True])
def test_up_to_eight_values_p_counts_every_order(method, ties):
    left, right = values(5)
    if ties:
        left[1], right[3] = left[0], right[2]
    every = [abs(SCIPY[method](left, order).statistic) for order in permutations(right)]
    found = correlation_test(left, right, method)
    observed = abs(SCIPY[method](left, right).statistic)
    assert found.p_value == pytest.approx(np.mean(np.array(every) >= observed - 1e-9))
    assert found.smallest_p == pytest.approx(np.mean(np.array(every) >= max(every) - 1e-9))
    assert (found.p_method, found.n_permutations) == ("exact", 120)


@pytest.mark.parametrize(
    ("n", "critical", "below"), [(5, 1.0, 0.9), (6, 0.886, 0.829), (7, 0.786, 0.75)]
)
def test_spearman_reaches_the_level_of_5_percent_at_the_tabled_value(n, critical, below):
    # Critical values of Spearman's rho, two-sided (Zar 1972).
    ranks = np.arange(n, dtype=float)
    by_rho = {
        round(correlation(ranks, np.array(order), "spearman"), 3): np.array(order)
        for order in permutations(ranks)
    }
    assert correlation_test(ranks, by_rho[critical], "spearman").p_value <= 0.05
    assert correlation_test(ranks, by_rho[below], "spearman").p_value > 0.05


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        ([0.1, 0.1, 0.1], [1.0, 2.0, 3.0], "all values of one side are equal"),
        ([1.0, 2.0, 3.0], [0.1, 0.1, 0.1], "all values of one side are equal"),
        ([1.0], [2.0], "fewer than two values"),
        ([], [], "fewer than two values"),
    ],
)
def test_what_cannot_be_correlated_has_a_reason(method, left, right, reason):
    found = correlation_test(np.array(left), np.array(right), method)
    assert math.isnan(found.correlation)
    assert math.isnan(found.p_value)
    assert (found.p_method, found.reason) == ("not tested", reason)


def test_kendalls_exact_p_is_that_of_scipy():
    left, right = np.arange(8.0), np.array([3, 1, 0, 2, 6, 4, 7, 5.0])
    expected = stats.kendalltau(left, right, method="exact").pvalue
    assert correlation_test(left, right, "kendall").p_value == pytest.approx(expected)


def test_the_smallest_p_is_that_of_the_two_extreme_orders():
    found = correlation_test(np.arange(4.0), np.arange(4.0), "spearman")
    assert found.p_value == found.smallest_p == pytest.approx(2 / 24)
    assert correlation_test(np.arange(2.0), np.arange(2.0), "spearman").p_value == 1
