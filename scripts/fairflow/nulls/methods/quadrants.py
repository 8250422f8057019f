"""Shares of words in the groups of two contrasts, where words have directions by chance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import chisquare

from fairflow.metrics.intersections import QUADRANTS, IntersectionsStatistic
from fairflow.nulls.methods.method import BARE, Tried
from fairflow.statistics.rank_tests import ALPHA, holm
from fairflow.statistics.resampling_statistic import mean_columns
from fairflow.statistics.uncertainty import null_band
from fairflow.vectors.query_vectors import WordVectors

# Traits, words of a set, random sets of as many words as there are traits; the mean of real vectors
# has about the length of one of them.
TRAITS, NAMES, RANDOM_SETS, DIMENSIONS = 219, 16, 199, 50
MEAN = 0.5


class Shares(NamedTuple):
    """The shares of traits in four groups, and those of random words: (4,), (sets, 4)."""

    traits: np.ndarray
    random: np.ndarray


def by_chance(random: np.random.Generator) -> Shares:
    """Every word has a random direction around one mean."""
    sizes = *[NAMES] * 4, TRAITS * (RANDOM_SETS + 1)
    centre = MEAN * random.normal(size=DIMENSIONS)
    *names, words = (_words(random.normal(size=(n, DIMENSIONS)) + centre) for n in sizes)
    statistic = IntersectionsStatistic.of([words], names)
    quadrant = statistic.combined([mean_columns(table, None) for table in statistic.tables])
    places = quadrant.reshape(RANDOM_SETS + 1, TRAITS)
    shares = np.stack([(places == n).mean(axis=1) for n in range(len(QUADRANTS))], axis=1)
    return Shares(shares[0], shares[1:])


def _words(rows: np.ndarray) -> WordVectors:
    names = tuple(map(str, range(len(rows))))
    return WordVectors("", names, names, rows, names)


def unlike_a_quarter(shares: Shares) -> bool:
    """Whether the shares differ from a quarter each by a chi-square test."""
    return chisquare(TRAITS * shares.traits).pvalue < ALPHA


def unlike_random_words(shares: Shares) -> bool:
    """Whether a share lies outside those of random words, by Holm's method."""
    bands = map(null_band, shares.traits, shares.random.T)
    return bool((holm(np.array([band["p_null_band"] for band in bands])) < ALPHA).any())


METHODS = {
    "fise": {"219 traits": Tried(by_chance, unlike_a_quarter, unlike_random_words, BARE, 100)}
}
