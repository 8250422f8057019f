"""The interval of a relative difference between two models, over resampled queries."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np

RESAMPLES = 2_000
LEVEL = 0.95
# With fewer, resamples repeat each other, and an interval would say more than is known.
FEWEST = 5


def relative_difference(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """(first - second) over the mean of their sizes: from -2 to 2, and 0 where both are 0."""
    size = (np.abs(first) + np.abs(second)) / 2
    return (first - second) / np.where(size > 0, size, 1)


def mean_resamples(
    values: np.ndarray, clusters: Sequence[Hashable], generator: np.random.Generator
) -> np.ndarray:
    """Means over resampled clusters, the same for every row.

    Parameters
    ----------
    values : (rows, members), without NaN. clusters : of each member; those of one go together.

    Returns
    -------
    (rows, `RESAMPLES`), or (rows, 0) of fewer than `FEWEST` clusters.
    """
    names = list(dict.fromkeys(clusters))
    if len(names) < FEWEST:
        return np.empty((len(values), 0))
    of_member = np.array([names.index(cluster) for cluster in clusters])
    member_of = of_member[:, np.newaxis] == np.arange(len(names))  # (members, clusters)
    drawn = generator.integers(len(names), size=(RESAMPLES, len(names)))
    sums = (values @ member_of)[:, drawn].sum(axis=2)
    return sums / member_of.sum(axis=0)[drawn].sum(axis=1)


def percentile_ends(values: np.ndarray) -> tuple[float, float]:
    """The ends of the middle `LEVEL` of resampled values; NaN without any."""
    if values.size == 0:
        return math.nan, math.nan
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
