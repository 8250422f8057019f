"""The share of subsets whose sum reaches a threshold, counted or enclosed."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairflow.statistics import exact_sum_test
from fairflow.statistics.exact_sum_test import upper_tail
from fairflow.statistics.permutation import every_subset

# Small whole numbers, so that many sums are equal and all of them exact.
TIED = st.lists(st.integers(-3, 3), min_size=1, max_size=9)


def brute_force(values, size, threshold):
    sums = [sum(chosen) for chosen in combinations(values, size)]
    return sum(total >= threshold for total in sums) / len(sums)


@given(TIED, st.integers(0, 9), st.integers(-12, 12))
def test_a_counted_tail_is_that_of_brute_force(values, size, threshold):
    assume(size <= len(values))
    found = upper_tail(np.array(values, float), size, threshold, 1e-9)
    assert found == (brute_force(values, size, threshold), 0)


@given(st.integers(0, 10_000), st.integers(1, 17))
def test_a_counted_tail_of_other_numbers_is_that_of_every_subset(seed, size):
    values = np.random.default_rng(seed).standard_normal(18)
    sums = every_subset(18, size) @ values
    threshold = values[:size].sum()
    found = upper_tail(values, size, threshold, 1e-9)
    assert found == (np.mean(sums >= threshold - 1e-9), 0)


DRAWS = {
    "normal": lambda random, n: random.standard_normal(n),
    "heavy tails": lambda random, n: random.standard_t(1, n),
    "one outlier": lambda random, n: np.append(random.standard_normal(n - 1), 1e4),
    "ties": lambda random, n: random.integers(-2, 3, n).astype(float),
    "two groups": lambda random, n: np.repeat([0.3, 0.1], [n // 2, n - n // 2]) + 1e-3,
    "small relative to their mean": lambda random, n: 1e6 + random.standard_normal(n),
}


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize(("n", "size"), [(3, 1), (8, 4), (20, 15), (31, 7), (36, 18)])
def test_a_binned_tail_encloses_the_counted_one(monkeypatch, draw, n, size):
    random = np.random.default_rng(n)
    values = DRAWS[draw](random, n)
    tolerance = 1e-12 * np.abs(values).sum()
    for chosen in (slice(size), random.choice(n, size, replace=False), np.argsort(values)[-size:]):
        threshold = values[chosen].sum()
        monkeypatch.undo()
        counted = upper_tail(values, size, threshold, tolerance)
        monkeypatch.setattr(exact_sum_test, "LARGEST_LISTED", 0)
        binned = upper_tail(values, size, threshold, tolerance)
        assert binned.p - binned.error <= counted.p * (1 + 1e-12)
        assert counted.p <= binned.p * (1 + 1e-12)
        assert counted.error == 0


def rank_sum_counts(n, size):
    """Exact, in whole numbers: how many choices of `size` of 0..n-1 have each sum."""
    counts = [[0] * (n * n // 2) for _ in range(size + 1)]
    counts[0][0] = 1
    for rank in range(n):
        for taken in range(min(size, rank + 1), 0, -1):
            for total in range(n * n // 2 - 1, rank - 1, -1):
                counts[taken][total] += counts[taken - 1][total - rank]
    return counts[size]


def test_binned_tails_of_any_size_are_those_of_whole_numbers():
    # As small as that of WEAT 1 in word2vec, 2.6e-10, and smaller.
    counts = rank_sum_counts(50, 25)
    total = comb(50, 25)
    most = sum(range(25, 50))
    small = []
    for distance in (0, 1, 30, 60, 90, 160, 313, 500):
        threshold = most - distance
        expected, ties = sum(counts[threshold:]) / total, counts[threshold] / total
        found = upper_tail(np.arange(50.0), 25, threshold, 1e-9)
        # Bins are much narrower than the whole unit to the next sum: only ties are uncertain.
        assert found.p == pytest.approx(expected, rel=1e-12)
        assert found.error <= ties * (1 + 1e-9)
        small.append(expected)
    assert small[0] == pytest.approx(1 / total)
    assert any(1e-11 < p < 1e-9 for p in small)


def test_tails_of_any_size_are_those_of_whole_numbers():
    counts = rank_sum_counts(30, 15)
    total = comb(30, 15)
    for threshold in range(sum(range(15, 30)), 0, -7):
        counted = upper_tail(np.arange(30.0), 15, threshold, 1e-9)
        assert counted == (sum(counts[threshold:]) / total, 0)


@pytest.mark.parametrize("n", [10, 60])
def test_equal_values_are_all_in_the_tail(n):
    assert upper_tail(np.full(n, 0.1), n // 2, n // 2 * 0.1, 1e-12) == (1, 0)
