"""Average ranks and Spearman's correlation."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairflow.rank_statistics import average_ranks, spearman

# Few distinct values, so that ties are common.
VALUES = st.lists(st.integers(-3, 3) | st.floats(-1e6, 1e6), min_size=1, max_size=30)
PAIRS = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3) | st.floats(-1e6, 1e6)),
    min_size=2,
    max_size=30,
)


def test_equal_values_share_the_mean_of_their_ranks():
    assert average_ranks(np.array([10, 20, 20, 5])).tolist() == [2, 3.5, 3.5, 1]


@given(VALUES)
def test_average_ranks_are_those_of_scipy(values):
    assert average_ranks(np.array(values)).tolist() == stats.rankdata(values).tolist()


@given(PAIRS)
def test_spearman_is_that_of_scipy_and_nan_for_a_constant_side(pairs):
    left, right = map(np.array, zip(*pairs, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        expected = stats.spearmanr(left, right).statistic
    assert spearman(left, right) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0]])
def test_fewer_than_two_distinct_values_have_no_correlation(values):
    assert math.isnan(spearman(np.array(values), np.array(values)))


def test_opposite_orders_correlate_at_minus_one():
    assert spearman(np.array([1, 2, 3]), np.array([9, 4, 1])) == pytest.approx(-1, abs=1e-15)
