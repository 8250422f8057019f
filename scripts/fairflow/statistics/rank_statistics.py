"""Ranks and rank correlation on arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

# Values that differ by less than this share of the numbers they were computed from are equal: sums
# of some hundred products are rounded to about a tenth of it. Beside values of 1 that is 1e-12, so
# whether vectors were stored in single or double precision makes no difference to what is equal.
TIE_TOLERANCE = 1e-12


def average_ranks(values: np.ndarray, magnitude: float | None = None) -> np.ndarray:
    """Ranks from 1, equal values sharing the mean of theirs: (n,) -> (n,).

    A value within rounding of the next smaller one is equal to it, and so are all of a chain.

    Parameters
    ----------
    magnitude : size of the numbers that values are sums of; by default that of the largest value.
    """
    if len(values) == 0:
        return np.empty(0)
    rows = np.asarray(values, dtype=float)[np.newaxis]
    return _midranks(rows, np.ones(rows.shape), magnitude)[0]


def weighted_spearman(
    left: np.ndarray,
    right: np.ndarray,
    weights: np.ndarray | None = None,
    magnitudes: Sequence[np.ndarray] | None = None,
) -> np.ndarray:
    """Spearman correlation of rows, where a value of weight 2 counts as two equal values.

    Parameters
    ----------
    left, right : (1 or B, n). weights : (1 or B, n), not negative; all 1 by default.
    magnitudes : for either side the size of the numbers that values are sums of, (1 or B,); by
        default that of the largest value of a row.

    Returns
    -------
    (B,), NaN where either side is constant.
    """
    if weights is None:
        weights = np.ones((1, left.shape[1]))
    given = (None, None) if magnitudes is None else magnitudes
    total = weights.sum(axis=1, keepdims=True)
    a, b = (
        _midranks(values, weights, magnitude) - (total + 1) / 2
        for values, magnitude in zip((left, right), given, strict=True)
    )
    covariance = (weights * a * b).sum(axis=1)
    scale = np.sqrt((weights * a**2).sum(axis=1) * (weights * b**2).sum(axis=1))
    return covariance / np.where(scale > 0, scale, np.nan)


def _midranks(
    values: np.ndarray, weights: np.ndarray, magnitude: np.ndarray | float | None = None
) -> np.ndarray:
    """Mean rank of each value among all, equal ones together: (1 or B, n) -> (1 or B, n)."""
    largest = np.abs(values).max(axis=1) if magnitude is None else np.asarray(magnitude)
    order = np.argsort(values, axis=1)
    ordered = np.take_along_axis(values, order, axis=1)
    rows = max(len(values), len(weights))
    heights = np.take_along_axis(
        np.broadcast_to(weights, (rows, weights.shape[1])),
        np.broadcast_to(order, (rows, order.shape[1])),
        axis=1,
    )
    reached = np.cumsum(heights, axis=1)
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = np.diff(ordered, axis=1) > TIE_TOLERANCE * np.reshape(largest, (-1, 1))
    last = np.ones(ordered.shape, dtype=bool)
    last[:, :-1] = new[:, 1:]
    # What was reached before a run of equal values, and at its end, spread over the run.
    before = np.maximum.accumulate(np.where(new, reached - heights, 0), axis=1)
    after = np.where(last, reached, np.inf)[:, ::-1]
    after = np.minimum.accumulate(after, axis=1)[:, ::-1]
    ranks = np.empty(reached.shape)
    np.put_along_axis(
        ranks, np.broadcast_to(order, reached.shape), (before + after + 1) / 2, axis=1
    )
    return ranks


def spearman(
    left: np.ndarray, right: np.ndarray, magnitudes: Sequence[float] | None = None
) -> float:
    """Pearson correlation of average ranks, -1 to 1; NaN when either side is constant.

    Parameters
    ----------
    magnitudes : for either side the size of the numbers that values are sums of.
    """
    given = (None, None) if magnitudes is None else magnitudes
    a, b = (
        average_ranks(values, magnitude) - (len(values) + 1) / 2
        for values, magnitude in zip((left, right), given, strict=True)
    )
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale > 0 else math.nan
