"""Where a published mean over unseeded random splits lies among means over seeded ones."""

from __future__ import annotations

from collections.abc import Sequence

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
    random = np.random.default_rng(seed)
    means = np.zeros(MEANS)
    for scores in map(np.asarray, splits):
        theirs = _resampled_means(scores, draws, random)
        error = scores.mean() - _resampled_means(scores, len(scores), random)
        means += (theirs + error) / len(splits)
    return float(np.mean(means < value) + np.mean(means == value) / 2)


def drawn_from(quantile: float) -> bool:
    """Whether a quantile lies in the central part of the distribution."""
    return (1 - CENTRAL) / 2 <= quantile <= (1 + CENTRAL) / 2


def _resampled_means(scores: np.ndarray, size: int, random: np.random.Generator) -> np.ndarray:
    return random.choice(scores, (MEANS, size)).mean(axis=1)
