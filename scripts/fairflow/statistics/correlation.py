"""Correlation of two numbers of words, with a confidence interval over words."""

from __future__ import annotations

import numpy as np

from fairflow.statistics.intervals import UNDEFINED, Estimate, jackknifed
from fairflow.statistics.rank_tests import average_ranks

FEWEST = 4
# A variance below this share of the squared values, or of the variance of all words, is rounding.
_ROUNDING = 1e-12


def correlation_with_interval(
    first: np.ndarray, second: np.ndarray, method: str = "pearson", given: np.ndarray | None = None
) -> Estimate:
    """A correlation over words with its interval of level .95.

    The interval is the jackknife's on Fisher's z (`jackknifed`): it needs no resamples and costs
    the sorting of the words. In 1,500 samples each of 20, 40, 300 and 4,000 words (correlations 0,
    .5 and .8; normal values, Student's t of 6 degrees, values of 7 levels) it covers the
    population's correlation in .93 to .97. The percentile interval over resampled words covers it
    in .91 to .94 for 40 words. A long tail on one side alone (lognormal) brings Pearson's interval
    down to .92.

    Parameters
    ----------
    first, second : (words,), finite. method : "pearson" or "spearman".
    given : (words,), a covariate: the partial correlation (Pearson's) given it.

    Returns
    -------
    -1 to 1; undefined of fewer than 4 words, or where a side is constant or depends on the
    covariate alone.

    Raises
    ------
    ValueError : a value is missing.
    """
    columns = [np.asarray(x, dtype=float) for x in (first, second, given) if x is not None]
    if not all(np.isfinite(column).all() for column in columns):
        raise ValueError("a correlation of missing or infinite values: leave these words out")
    if len(columns[0]) < FEWEST:
        return UNDEFINED
    if method == "spearman":
        return _spearman(*columns)
    found = _without_each(columns[0], columns[1])
    if given is not None:
        on_first, on_second = (_without_each(column, columns[2]) for column in columns[:2])
        rest = (1 - on_first**2) * (1 - on_second**2)
        found = (found - on_first * on_second) / np.sqrt(np.where(rest > _ROUNDING, rest, np.nan))
    return jackknifed(found[0], found[1:])


def _without_each(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson correlation of all words, then without each: (1 + words,)."""
    n = len(x)

    def centred(values: np.ndarray) -> np.ndarray:
        away = values - values.mean()
        return away if np.ptp(values) > _ROUNDING * np.abs(values).max() else 0 * away

    def products(left: np.ndarray, right: np.ndarray) -> np.ndarray:
        each = left * right
        return np.append(each.sum(), each.sum() - each * n / (n - 1))

    x, y = centred(x), centred(y)
    spreads = [products(side, side) for side in (x, y)]
    known = [np.where(spread > _ROUNDING * spread[0], spread, np.nan) for spread in spreads]
    return np.clip(products(x, y) / np.sqrt(known[0] * known[1]), -1, 1)


def _spearman(x: np.ndarray, y: np.ndarray) -> Estimate:
    """The values without each word are linear approximations (by the influence of a word)."""
    n = len(x)
    sides = [_levels(values) for values in (x, y)]
    ranks = [rank for rank, _, _ in sides]
    variances = [float((rank**2).mean()) for rank in ranks]
    if not min(variances) > 0:
        return UNDEFINED
    scale = np.sqrt(variances[0] * variances[1])
    correlation = float((ranks[0] * ranks[1]).mean() / scale)
    # A word changes the product of ranks by its own, and by what it adds to ranks above it; and
    # the variance of ranks by how many words share its value.
    influence = ranks[0] * ranks[1] / scale
    for (_, level, counts), other, variance in zip(sides, ranks[::-1], variances, strict=True):
        sums = np.bincount(level, other)
        influence += ((np.cumsum(sums[::-1])[::-1] - sums / 2) / n / scale)[level]
        influence += (correlation / 8 / variance * (counts / n) ** 2)[level]
    left_out = correlation - (influence - influence.mean()) / (n - 1)
    return jackknifed(correlation, left_out)


def _levels(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ranks as shares of the words, around 0; the level of each word; words of each level."""
    ranks = average_ranks(values)
    _, level, counts = np.unique(ranks, return_inverse=True, return_counts=True)
    return (ranks - (len(values) + 1) / 2) / len(values), level, counts
