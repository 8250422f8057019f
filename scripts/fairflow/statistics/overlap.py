"""Means over queries whose sets have some words in common.

Resample b of a set depends on all its words (`fairflow.statistics.word_draws`). Equal sets are
drawn alike; sets that share most words, as lists of 16 and of 18 names, are drawn independently. So
the resamples of a mean over such queries vary too little: of two models with equal associations in
five such tests of Caliskan et al. (2017), 22 % of p-values were below 0.05, and 5 % with the
widening below.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

Sets = Sequence[Collection[str]]


def matrix(queries: Sequence[str], sets: Mapping[str, Sets]) -> np.ndarray:
    """How much the scores of queries vary together, because they share words: (queries, queries).

    The mean share of common words of their targets and of their attributes; 0 unless both have
    some, and of a query with itself. In the tests of Caliskan et al. it is .62, .97 and .59 where
    scores correlate with .57, .97 and .45.

    Parameters
    ----------
    sets : query -> the words of two target sets and two attribute sets; other queries share none.
    """
    known = [place for place, query in enumerate(queries) if query in sets]
    shares = np.zeros((len(queries), len(queries)))
    if len(known) > 1:
        names = np.array([queries[place] for place in known], dtype=object)
        roles = zip(*(sets[name] for name in names), strict=True)
        first, second, third, fourth = map(_shares, roles)
        targets, attributes = (first + second) / 2, (third + fourth) / 2
        both = np.where((targets > 0) & (attributes > 0), (targets + attributes) / 2, 0.0)
        # Parts of one query have its name, and other words.
        both[names[:, np.newaxis] == names] = 0.0
        shares[np.ix_(known, known)] = both
    return shares


def _shares(sets: Sequence[Collection[str]]) -> np.ndarray:
    """The correlations of the means of sets of words, (sets, sets)."""
    places = {word: n for n, word in enumerate(dict.fromkeys(w for words in sets for w in words))}
    holds = np.zeros((len(sets), len(places)), dtype=np.float32)  # (sets, words)
    for row, words in enumerate(sets):
        holds[row, [places[word] for word in words]] = 1
    sizes = holds.sum(axis=1, dtype=np.float64)
    return (holds @ holds.T).astype(np.float64) / np.sqrt(np.outer(sizes, sizes))


def widening(draws: np.ndarray, shares: np.ndarray) -> float:
    """By which factor resamples of a mean over queries vary too little, at least 1.

    Parameters
    ----------
    draws : (queries, draws) of each query; a draw with NaN is left out.
    shares : (queries, queries), of `matrix`.
    """
    known = draws[:, ~np.isnan(draws).any(axis=0)]
    if known.shape[1] < 2 or not shares.any():
        return 1.0
    covariance = np.cov(known)
    spread = np.sqrt(np.diag(covariance))
    total = np.maximum(covariance, shares * np.outer(spread, spread)).sum()
    return math.sqrt(max(1.0, total / covariance.sum())) if covariance.sum() > 0 else 1.0


def widened(draws: np.ndarray, factor: float) -> np.ndarray:
    """Resamples of a mean, whose distances from their own mean are multiplied by a factor."""
    known = draws[~np.isnan(draws)]
    middle = known.mean() if known.size else 0.0
    return middle + factor * (draws - middle)
