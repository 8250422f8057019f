"""Kappas: published examples, pairs of raters one by one, and intervals of resampled items."""

from itertools import combinations

import numpy as np
import pytest

from fairflow.statistics.reliability import cohen_kappa, fleiss_kappa

# Proportions of 200 patients by two judges' three diagnoses, as in Cohen (1960): kappa .492.
COHEN = np.array([[0.44, 0.07, 0.09], [0.05, 0.20, 0.05], [0.01, 0.03, 0.06]])


def generator():
    return np.random.default_rng(0)


def labels(items, raters, seed, shared=0.5):
    """Labels of which a share follows the item, the rest chance."""
    drawn = np.random.default_rng(seed)
    own = drawn.random((items, 1)) > 0.4
    return np.where(
        drawn.random((items, raters)) < shared, own, drawn.random((items, raters)) > 0.4
    )


def naive_fleiss(table):
    pairs = [(row[a], row[b]) for row in table for a, b in combinations(range(len(row)), 2)]
    agreement = np.mean([a == b for a, b in pairs])
    share = np.mean(table)
    chance = share**2 + (1 - share) ** 2
    return (agreement - chance) / (1 - chance)


def test_fleiss_kappa_is_agreement_of_all_pairs_of_raters_beyond_chance():
    table = labels(30, 5, 1)
    assert fleiss_kappa(table, generator()).value == pytest.approx(naive_fleiss(table))


def test_cohen_kappa_of_a_table_of_proportions():
    counts = np.rint(COHEN * 200).astype(int)
    first, second = np.indices(counts.shape)
    both = [np.repeat(side.ravel(), counts.ravel()) for side in (first, second)]
    assert cohen_kappa(*both, generator()).value == pytest.approx(0.492, abs=5e-4)


@pytest.mark.parametrize("kappa", [fleiss_kappa, lambda t, g: cohen_kappa(*t.T, g)])
def test_intervals_are_those_of_resampled_items(kappa):
    table = labels(60, 2, 2)
    found = kappa(table, generator())
    drawn = np.random.default_rng(3)
    again = [kappa(table[drawn.integers(60, size=60)], generator()).value for _ in range(1_500)]
    # The ends of both are random: by about .01 each.
    assert [found.low, found.high] == pytest.approx(np.percentile(again, [2.5, 97.5]), abs=0.05)
