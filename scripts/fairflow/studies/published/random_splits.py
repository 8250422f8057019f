"""Where a published mean over unseeded random splits lies among means over seeded ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

# A published number outside this central part of the distribution was not drawn from it; some
# 250 are compared, so that 99 % would call two or three of them wrongly.
CENTRAL = 0.999
MEANS = 10_000


def quantile_of(
    value: float, splits: Sequence[Sequence[float]], draws: int, seed: int = 0
) -> float:
    """The share of means over `draws` random splits that lie below a number, ties by half.

    The distribution is that of a future mean, given ours: the mean of `draws` values drawn from
    the known splits, plus the error of our own mean over as many splits as there are.

    Parameters
    ----------
    value : the number. splits : for each query, the score on each split; the number is the mean
        over the queries. draws : the number of splits behind it.

    Returns
    -------
    Between 0 and 1.
    """
    means = np.zeros(MEANS)
    every = [np.asarray(scores, dtype=float) for scores in splits]
    counts = _counts(tuple(map(len, every)), draws, seed)
    for scores, (of_theirs, of_ours) in zip(every, counts, strict=True):
        theirs, ours = _resampled_means(scores, of_theirs), _resampled_means(scores, of_ours)
        means += (theirs + scores.mean() - ours) / len(splits)
    return float(np.mean(means < value) + np.mean(means == value) / 2)


def drawn_from(quantile: float) -> bool:
    """Whether a quantile lies in the central part of the distribution."""
    return (1 - CENTRAL) / 2 <= quantile <= (1 + CENTRAL) / 2


@lru_cache(maxsize=4)
def _counts(lengths: tuple[int, ...], draws: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """How often each split is drawn, for their mean and for ours: the same for all numbers."""
    random = np.random.default_rng(seed)
    return [(_drawn(n, draws, random), _drawn(n, n, random)) for n in lengths]


def _drawn(n: int, size: int, random: np.random.Generator) -> np.ndarray:
    """Counts of n things in samples of a size: (MEANS, n)."""
    places = random.integers(0, n, (MEANS, size)) + n * np.arange(MEANS)[:, np.newaxis]
    counts = np.bincount(places.ravel(), minlength=MEANS * n).reshape(MEANS, n)
    return counts.astype(np.min_scalar_type(size))


def _resampled_means(scores: np.ndarray, counts: np.ndarray) -> np.ndarray:
    if scores.min() == scores.max():
        # Rounding would part means that are equal.
        return np.full(MEANS, scores[0])
    return np.einsum("ij,j->i", counts, scores) / counts[0].sum()
