"""Average ranks and Spearman's correlation."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairflow.statistics.rank_tests import average_ranks, spearman, weighted_spearman

# Few distinct values, so that ties are common; none that are equal but for rounding.
NUMBERS = st.integers(-3, 3) | st.integers(-(10**9), 10**9).map(lambda whole: whole / 1000)
VALUES = st.lists(NUMBERS, min_size=1, max_size=30)
PAIRS = st.lists(
    st.tuples(st.integers(-3, 3), NUMBERS),
    min_size=2,
    max_size=30,
)


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


WEIGHTED = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=12
)


@given(WEIGHTED)
def test_a_value_of_weight_three_counts_as_three_equal_values(rows):
    left, right, weights = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    counts = weights.astype(int)
    expected = spearman(np.repeat(left, counts), np.repeat(right, counts))
    (found,) = weighted_spearman(left[np.newaxis], right[np.newaxis], weights[np.newaxis])
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(st.integers(0, 10_000))
def test_rows_of_values_and_of_weights_are_taken_together(seed):
    random = np.random.default_rng(seed)
    left, right = random.integers(0, 4, (2, 5, 7)).astype(float)
    weights = random.integers(0, 3, (5, 7)).astype(float)

    def alone(*rows):
        return weighted_spearman(*(row[np.newaxis] for row in rows))[0]

    together = {
        "all": (weighted_spearman(left, right, weights), zip(left, right, weights, strict=True)),
        "one row of values": (
            weighted_spearman(left[:1], right[:1], weights),
            ((left[0], right[0], own) for own in weights),
        ),
        "one row of weights": (
            weighted_spearman(left, right, weights[:1]),
            ((a, b, weights[0]) for a, b in zip(left, right, strict=True)),
        ),
    }
    for found, rows in together.values():
        expected = [alone(*row) for row in rows]
        assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_values_within_rounding_are_equal_and_so_is_a_chain_of_them():
    third = 1 / 3
    values = np.array([third, 0.1 + 0.2, np.nextafter(third, 1), 0.3, 1.0])
    assert average_ranks(values).tolist() == [3.5, 1.5, 3.5, 1.5, 5]
    chain = np.array([1.0, 1 + 8e-13, 1 + 16e-13, 2])
    assert average_ranks(chain).tolist() == [2, 2, 2, 4]
    assert average_ranks(chain[[3, 1, 0, 2]]).tolist() == [4, 2, 2, 2]
