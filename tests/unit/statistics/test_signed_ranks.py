"""Wilcoxon's signed ranks, checked against a printed table, scipy and enumeration."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from fairflow.statistics.rank_tests import signed_rank_p


@pytest.mark.parametrize("n", [1, 5, 8, 24])
def test_signed_ranks_without_ties_are_scipys_exact_ones(n):
    differences = np.random.default_rng(n).normal(0.3, 1, n)
    expected = stats.wilcoxon(differences, method="exact").pvalue
    assert signed_rank_p(differences) == pytest.approx(expected)


@pytest.mark.parametrize(("n", "smaller_sum", "p"), [(7, 2, 0.047), (8, 3, 0.039), (9, 5, 0.039)])
def test_the_least_sums_of_ranks_of_wilcoxons_table_are_significant(n, smaller_sum, p):
    # Two-sided 5% points of the signed-rank statistic.
    negative = [smaller_sum] if smaller_sum <= 2 else [smaller_sum - 2, 2]
    negative = [1, 2] if smaller_sum == 3 else negative
    differences = np.array([-i if i in negative else i for i in range(1, n + 1)], dtype=float)
    assert signed_rank_p(differences) == pytest.approx(p, abs=5e-4)


@pytest.mark.parametrize("seed", range(8))
def test_signed_ranks_with_ties_and_zeros_are_those_of_every_choice_of_signs(seed):
    differences = np.random.default_rng(seed).integers(-3, 4, size=8)
    moved = differences[differences != 0]
    sizes = stats.rankdata(np.abs(moved))
    sums = [sizes @ signs for signs in product([-1, 1], repeat=len(moved))]
    expected = np.mean(np.abs(sums) >= abs(sizes @ np.sign(moved)) - 1e-9)
    assert signed_rank_p(differences) == pytest.approx(expected)
