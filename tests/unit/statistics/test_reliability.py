"""Reliability of a mean: published values, an independent library's, and known constructions."""

import math

import numpy as np
import pytest

from fairflow.statistics.reliability import (
    cohen_kappa,
    cronbach_alpha,
    fleiss_kappa,
    stratified_alpha,
)

# Shrout and Fleiss (1979), table 2: 6 items, 4 raters.
SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
)
ITEM, PART = np.indices((12, 5))
WAVES = np.round(np.sin(ITEM * 1.7) + 0.8 * np.sin(3.1 * ITEM * PART + PART) + 0.3 * PART, 3)
# Of pingouin 0.7.0: alpha and its interval.
PINGOUIN = [
    (SHROUT_FLEISS, (0.9093155423770694, 0.676, 0.986)),
    (WAVES, (0.9374783706766916, 0.856, 0.979)),
]
# Fleiss (1971): counts of 5 diagnoses, a row for each item as in the example of 10 items and 14
# raters that goes with the paper's formulas.
DIAGNOSES = np.array(
    [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
)


def generator(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize(("table", "alpha"), PINGOUIN)
def test_alpha_and_its_interval_are_those_of_another_library(table, alpha):
    found = cronbach_alpha(table)
    assert found.value == pytest.approx(alpha[0])
    assert found[1:] == pytest.approx(alpha[1:], abs=0.0005)


def test_alpha_of_a_difference_is_the_usual_one_where_the_sets_are_parallel():
    draws = np.random.default_rng(5)
    sets = [draws.normal(size=(60, 1)) + draws.normal(size=(60, 6)) for _ in "ab"]

    def alpha(table):
        parts = table.shape[1]
        return (
            parts / (parts - 1) * (1 - table.var(axis=0, ddof=1).sum() / table.sum(1).var(ddof=1))
        )

    # Of sums: 1 - sum over sets of variance (1 - alpha) / variance of the whole sum.
    lost = sum(table.sum(axis=1).var(ddof=1) * (1 - alpha(table)) for table in sets)
    expected = 1 - lost / sum(table.sum(axis=1) for table in sets).var(ddof=1)
    assert stratified_alpha(sets).value == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize(("trait", "items"), [(0.5, 16), (1.0, 16), (0.0, 40)])
def test_the_interval_of_alpha_of_a_difference_covers(trait, items):
    draws = np.random.default_rng(6)
    true, hits = trait**2 / (trait**2 + 2 / 8), 0
    for _ in range(600):
        both = draws.normal(size=(items, 1)) * trait / 2
        common = 2 * draws.normal(size=(items, 1))
        sets = [sign * (sign * both + common + draws.normal(size=(items, 8))) for sign in (1, -1)]
        found = stratified_alpha(sets)
        hits += found.low <= true <= found.high
    assert 0.92 <= hits / 600 <= 0.98


def labels_of(counts):
    return np.array([np.repeat(np.arange(len(row)), row) for row in counts])


def test_kappa_of_fleiss_is_the_published_one():
    assert fleiss_kappa(labels_of(DIAGNOSES)).value == pytest.approx(0.210, abs=0.0005)


def test_kappa_of_cohen_is_the_naive_one():
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: agreement .7, by chance .5.
    first = np.repeat(["yes", "yes", "no", "no"], [20, 5, 10, 15])
    second = np.repeat(["yes", "no", "yes", "no"], [20, 5, 10, 15])
    found = cohen_kappa(first, second)
    assert found.value == pytest.approx(0.4)
    # The error of Fleiss, Cohen and Everitt (1969) is .1265 there.
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.1265, rel=0.05)


def test_full_agreement_is_1_with_an_interval_that_narrows_with_items():
    for kappa in (lambda both: cohen_kappa(*both.T), fleiss_kappa):
        few, many = (kappa(np.tile([[0], [1]], (n, 2))) for n in (10, 100))
        assert (few.value, few.high) == (1, 1)
        assert 0 < few.low < many.low < 1


def pairs_on_words(words, agreement):
    """Sides of words by 9 pairs that see the same thing, with an error."""
    random = generator(words)
    while True:
        seen = random.normal(size=(words, 1)) * agreement + random.normal(size=(words, 9))
        yield seen > np.linspace(-0.5, 0.5, 9)


def two_components(items, parts, of_items, of_parts):
    random = generator(items)
    while True:
        means = random.normal(size=(items, 1)) * of_items + random.normal(size=parts) * of_parts
        yield means + random.normal(size=(items, parts))


def share_covered(intervals, true):
    """Share of intervals with the true value in them; intervals of 95 % are wanted."""
    return np.mean([one.low <= true <= one.high for one in intervals])


SAMPLES = 500


@pytest.mark.parametrize(
    ("items", "parts"),
    [(40, 9), *(pytest.param(*own, marks=pytest.mark.slow) for own in [(16, 16), (300, 9)])],
)
def test_intervals_of_alpha_cover(items, parts):
    tables = two_components(items, parts, 1.0, 0.7)
    found = [cronbach_alpha(table) for table, _ in zip(tables, range(SAMPLES), strict=False)]
    assert 0.92 <= share_covered(found, parts / (parts + 1)) <= 0.98


@pytest.mark.slow
@pytest.mark.parametrize("words", [40, 300])
@pytest.mark.parametrize("agreement", [0.0, 1.5])
def test_intervals_of_kappas_cover(words, agreement):
    many = next(pairs_on_words(200_000, agreement))
    drawn = pairs_on_words(words, agreement)
    tables = [labels for labels, _ in zip(drawn, range(SAMPLES), strict=False)]
    found = [fleiss_kappa(table) for table in tables]
    assert 0.92 <= share_covered(found, fleiss_kappa(many).value) <= 0.98
    found = [cohen_kappa(*table.T[3:5]) for table in tables]
    assert 0.92 <= share_covered(found, cohen_kappa(*many.T[3:5]).value) <= 0.985


@pytest.mark.parametrize("value", [0.0, 0.1])
def test_nothing_is_defined_of_a_constant_table(value):
    table = np.full((5, 4), value)
    found = [cronbach_alpha(table), fleiss_kappa(table), cohen_kappa(*table.T[:2])]
    assert np.isnan(found).all()


def test_alpha_is_1_of_parts_that_all_say_the_same_and_never_below_minus_1():
    assert cronbach_alpha(np.tile(np.arange(6.0)[:, np.newaxis], (1, 4))) == (1, 1, 1)
    found = cronbach_alpha(np.array([[1.0, -1.0], [-1.0, 1.1], [2.0, -2.0]]))
    assert min(found) == -1
    assert found.low <= found.value


@pytest.mark.parametrize("coefficient", [cronbach_alpha, fleiss_kappa])
def test_a_missing_value_or_a_single_part_is_an_error(coefficient):
    table = np.arange(12.0).reshape(4, 3)
    with pytest.raises(ValueError, match="at least 2 items and 2 parts"):
        coefficient(table[:, :1])
    table[1, 2] = math.nan
    with pytest.raises(ValueError, match="1 of 12 values are missing or infinite"):
        coefficient(table)
