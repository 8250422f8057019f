"""Friedman's test, the critical difference and signed ranks, checked against printed examples."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from fairflow.statistics.rank_tests import critical_difference, friedman_test, signed_rank_p

# Hollander & Wolfe (1973), p. 140: times of 22 players to round first base in three ways.
FIRST_BASE = """
5.40 5.50 5.55 5.85 5.70 5.75 5.20 5.60 5.50 5.55 5.50 5.40 5.90 5.85 5.70 5.45 5.55 5.60
5.40 5.40 5.35 5.45 5.50 5.35 5.25 5.15 5.00 5.85 5.80 5.70 5.25 5.20 5.10 5.65 5.55 5.45
5.60 5.35 5.45 5.05 5.00 4.95 5.50 5.50 5.40 5.45 5.55 5.50 5.55 5.55 5.35 5.45 5.50 5.55
5.50 5.45 5.25 5.65 5.60 5.40 5.70 5.65 5.55 6.30 6.30 6.25
"""


def ranks(values):
    return stats.rankdata(values, axis=1)


def test_the_statistic_and_its_chi_square_are_those_printed_for_the_base_runners():
    found = friedman_test(ranks(np.array(FIRST_BASE.split(), dtype=float).reshape(-1, 3)))
    assert found.statistic == pytest.approx(11.143, abs=5e-4)
    assert found.p_chi_square == pytest.approx(0.003805, abs=5e-7)
    assert found.method == "exact"
    assert found.p_value == pytest.approx(found.p_chi_square, rel=0.25)
    assert found.reason == ""


@pytest.mark.parametrize(
    ("models", "queries", "difference"), [(4, 14, 1.25), (7, 24, 1.84), (7, 8, 3.18), (7, 7, 3.40)]
)
def test_the_critical_difference_grows_with_models_and_falls_with_queries(
    models, queries, difference
):
    # The first is the example of Demsar (2006), section 3.2.2.
    assert critical_difference(models, queries) == pytest.approx(difference, abs=5e-3)


@pytest.mark.parametrize(
    ("models", "q"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (10, 3.164)],
)
def test_critical_values_are_those_that_demsar_prints(models, q):
    n_queries = 9
    difference = critical_difference(models, n_queries)
    found = difference / math.sqrt(models * (models + 1) / (6 * n_queries))
    assert found == pytest.approx(q, abs=1.1e-3)


@pytest.mark.parametrize(
    ("queries", "statistic", "p"),
    # From the printed tables of the exact distribution, three ranks.
    [(3, 6, 0.028), (4, 6.5, 0.042), (4, 8, 0.0046), (5, 6.4, 0.039), (6, 7, 0.029)],
)
def test_exact_values_are_those_of_printed_tables(queries, statistic, p):
    orders = np.array(list(permutations([1.0, 2.0, 3.0])))
    table = next(
        found
        for chosen in product(range(6), repeat=queries)
        if friedman_statistic(found := orders[list(chosen)]) == pytest.approx(statistic)
    )
    found = friedman_test(table)
    assert found.method == "exact"
    assert found.p_value == pytest.approx(p, abs=5e-4)


def friedman_statistic(table):
    n, k = table.shape
    return 12 / (n * k * (k + 1)) * (table.sum(axis=0) ** 2).sum() - 3 * n * (k + 1)


def enumerated_p(table):
    """Share of all orders within queries whose rank sums spread at least as far."""
    blocks = [list(permutations(row)) for row in table]
    spread = [
        ((np.sum(chosen, axis=0) - table.sum() / 3) ** 2).sum() for chosen in product(*blocks)
    ]
    observed = ((table.sum(axis=0) - table.sum() / 3) ** 2).sum()
    return np.mean(np.array(spread) >= observed - 1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_the_exact_p_is_that_of_enumeration_with_ties_too(seed):
    values = np.random.default_rng(seed).integers(0, 3, size=(4, 3))
    table = ranks(values)
    found = friedman_test(table)
    if found.reason:
        assert (table == 2).all()
    else:
        assert found.p_value == pytest.approx(enumerated_p(table))


@pytest.mark.parametrize("shape", [(7, 3), (30, 5), (12, 9)])
def test_statistic_and_chi_square_are_those_of_scipy(shape):
    values = np.random.default_rng(1).normal(size=shape).round(1)
    found = friedman_test(ranks(values))
    expected = stats.friedmanchisquare(*values.T)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p_chi_square == pytest.approx(expected.pvalue)


def test_many_models_and_queries_are_judged_by_iman_and_davenports_f():
    found = friedman_test(ranks(np.random.default_rng(2).normal(size=(24, 7))))
    assert found.method == "Iman-Davenport F"
    assert found.p_value == found.p_iman_davenport
    n, k = 24, 7
    f = (n - 1) * found.statistic / (n * (k - 1) - found.statistic)
    assert found.p_value == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))


def test_full_agreement_has_the_chance_that_all_queries_repeat_the_first():
    found = friedman_test(np.tile(np.arange(1.0, 13.0), (3, 1)))
    assert found.method == "exact"
    assert found.p_value == pytest.approx(math.factorial(12) ** -2.0)
    assert math.isinf(found.iman_davenport)
    tied = friedman_test(np.tile([1.0, 2.5, 2.5], (4, 1)))
    assert tied.p_value == pytest.approx(3.0**-3)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (np.tile([1.0, 2.0], (5, 1)), "compares three models or more, here 2"),
        (np.array([[1.0, 2.0, 3.0]]), "needs two groups of queries without common words, here 1"),
        (np.full((4, 3), 2.0), "all models tie"),
        (np.empty((0, 0)), "here 0"),
    ],
)
def test_what_cannot_be_tested_has_a_reason(table, reason):
    found = friedman_test(table)
    assert math.isnan(found.statistic)
    assert math.isnan(found.p_value)
    assert found.method == "not tested"
    assert reason in found.reason


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


def test_nothing_but_zeros_is_no_evidence():
    assert signed_rank_p(np.zeros(5)) == 1
    assert signed_rank_p(np.array([])) == 1
