"""Correlations over words with intervals: the usual values, and how often intervals cover."""

import math

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from fairflow.statistics.correlation import correlation_with_interval

RANDOM = np.random.default_rng(1)
GIVEN = RANDOM.normal(size=60)
FIRST = RANDOM.normal(size=60) + GIVEN
SECOND = np.round(FIRST + RANDOM.normal(size=60) - GIVEN, 1)


def residuals(values, given):
    return values - np.polyval(np.polyfit(given, values, 1), given)


def test_the_values_are_the_usual_ones():
    assert correlation_with_interval(FIRST, SECOND).value == pytest.approx(
        pearsonr(FIRST, SECOND)[0]
    )
    ranked = correlation_with_interval(FIRST, SECOND, "spearman")
    assert ranked.value == pytest.approx(spearmanr(FIRST, SECOND)[0])


def test_a_partial_correlation_is_that_of_residuals():
    found = correlation_with_interval(FIRST, SECOND, given=GIVEN)
    expected = pearsonr(residuals(FIRST, GIVEN), residuals(SECOND, GIVEN))[0]
    assert found.value == pytest.approx(expected)


def test_the_interval_of_pearson_is_the_jackknife_of_values_without_each_word():
    words = np.arange(60)
    without = np.arctanh(
        [pearsonr(FIRST[words != word], SECOND[words != word])[0] for word in words]
    )
    error = math.sqrt(59 / 60 * ((without - without.mean()) ** 2).sum())
    found = correlation_with_interval(FIRST, SECOND)
    # 2.0017 is Student's quantile at .975 with 58 degrees of freedom.
    centre = np.arctanh(found.value)
    expected = np.tanh([centre - 2.0017 * error, centre + 2.0017 * error])
    assert found[1:] == pytest.approx(expected, abs=1e-5)


def test_the_interval_of_spearman_is_near_the_jackknife_of_values_without_each_word():
    words = np.arange(60)
    for second in (SECOND, np.round(SECOND)):
        without = np.arctanh(
            [spearmanr(FIRST[words != word], second[words != word])[0] for word in words]
        )
        error = math.sqrt(59 / 60 * ((without - without.mean()) ** 2).sum())
        found = correlation_with_interval(FIRST, second, "spearman")
        width = np.diff(np.arctanh(found[1:]))[0]
        assert width == pytest.approx(2 * 2.0017 * error, rel=0.05)


def test_without_correlation_or_words_nothing_is_defined():
    some, constant = np.arange(6.0), np.full(6, 0.1)
    found = [
        correlation_with_interval(some, constant),
        correlation_with_interval(constant, some, "spearman"),
        correlation_with_interval(some, 1 - 2 * some, given=some),
        correlation_with_interval(some[:3], some[:3]),
    ]
    assert np.isnan(found).all()


def test_a_missing_value_is_an_error():
    with pytest.raises(ValueError, match="missing or infinite"):
        correlation_with_interval([1, 2, math.nan], [1, 2, 3])


@pytest.mark.parametrize(
    ("words", "samples"),
    [(40, 200), *(pytest.param(*own, marks=pytest.mark.slow) for own in [(300, 500), (4000, 200)])],
)
def test_intervals_cover_the_correlation_of_all_words(words, samples):
    random, true = np.random.default_rng(words), 0.6
    covered = np.zeros(3)
    for _ in range(samples):
        first, other, given = random.normal(size=(3, words))
        second = true * first + math.sqrt(1 - true**2) * other
        found = (
            (correlation_with_interval(first, second), true),
            # Of normal values (Pearson 1907).
            (
                correlation_with_interval(first, second, "spearman"),
                6 / math.pi * math.asin(true / 2),
            ),
            (correlation_with_interval(first + given, second - given, given=given), true),
        )
        covered += [one.low <= value <= one.high for one, value in found]
    assert (covered / samples >= 0.92).all()
    assert (covered / samples <= 0.985).all()
