"""Ranks and rank correlation on arrays."""

from __future__ import annotations

import math

import numpy as np


def average_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1, equal values sharing the mean of theirs: (n,) -> (n,)."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def weighted_spearman(
    left: np.ndarray, right: np.ndarray, weights: np.ndarray | None = None
) -> np.ndarray:
    """Spearman correlation of rows, where a value of weight 2 counts as two equal values.

    Parameters
    ----------
    left, right : (1 or B, n). weights : (1 or B, n), not negative; all 1 by default.

    Returns
    -------
    (B,), NaN where either side is constant.
    """
    if weights is None:
        weights = np.ones((1, left.shape[1]))
    total = weights.sum(axis=1, keepdims=True)
    a, b = (_midranks(values, weights) - (total + 1) / 2 for values in (left, right))
    covariance = (weights * a * b).sum(axis=1)
    scale = np.sqrt((weights * a**2).sum(axis=1) * (weights * b**2).sum(axis=1))
    return covariance / np.where(scale > 0, scale, np.nan)


def _midranks(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Mean rank of each value among all, equal ones together: (1 or B, n) -> (1 or B, n)."""
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
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
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


def spearman(left: np.ndarray, right: np.ndarray) -> float:
    """Pearson correlation of average ranks, -1 to 1; NaN when either side is constant."""
    a, b = (average_ranks(values) - (len(values) + 1) / 2 for values in (left, right))
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale > 0 else math.nan
