"""Exchanges of units: every one once, or random ones that are all equally likely."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairflow.statistics.permutation import (
    every_labelling,
    every_subset,
    number_of_labellings,
    random_labellings,
    random_signs,
)


def assert_equally_likely(rows, expected):
    found, counts = np.unique(rows, axis=0, return_counts=True)
    assert len(found) == expected
    assert stats.chisquare(counts).pvalue > 1e-3


SIZES = [(3,), (1, 1), (2, 3), (3, 2), (4, 0), (0, 4), (2, 2, 2), (1, 0, 2), (1, 2, 1, 2)]


def labels_of(sizes):
    return [number for number, size in enumerate(sizes) for _ in range(size)]


def listed(rows):
    return [tuple(row) for row in rows.tolist()]


@pytest.mark.parametrize("sizes", SIZES)
def test_every_way_to_deal_units_to_sets_is_listed_once(sizes):
    found = listed(every_labelling(sizes))
    assert sorted(found) == sorted(set(permutations(labels_of(sizes))))
    assert len(found) == number_of_labellings(sizes)


def test_the_numbers_of_partitions_are_those_of_the_textbook():
    assert number_of_labellings((8, 8)) == 12_870
    assert number_of_labellings((25, 25)) == 126_410_606_437_752
    assert number_of_labellings((2, 2, 2)) == 90


@pytest.mark.parametrize("size", range(6))
def test_every_subset_of_a_size_is_listed_once(size):
    expected = [row for row in product((False, True), repeat=5) if sum(row) == size]
    assert sorted(listed(every_subset(5, size))) == sorted(expected)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=4), st.integers(0, 10_000))
def test_random_labellings_keep_the_sizes_of_the_sets(sizes, seed):
    labels = random_labellings(sizes, 20, np.random.default_rng(seed))
    assert labels.shape == (20, sum(sizes))
    for row in labels:
        assert np.bincount(row, minlength=len(sizes)).tolist() == sizes


@pytest.mark.parametrize("sizes", [(2, 2), (1, 4), (4, 1), (3, 3), (1, 2, 2)])
def test_random_labellings_are_equally_likely(sizes):
    rows = random_labellings(sizes, 60_000, np.random.default_rng(20))
    assert_equally_likely(rows, number_of_labellings(sizes))


def test_random_signs_are_equally_likely():
    assert_equally_likely(random_signs([5], 60_000, np.random.default_rng(21)), 2**5)
