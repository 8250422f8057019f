"""Ranks and rank correlation on arrays."""

from __future__ import annotations

import math

import numpy as np


def average_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1, equal values sharing the mean of theirs: (n,) -> (n,)."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def spearman(left: np.ndarray, right: np.ndarray) -> float:
    """Pearson correlation of average ranks, -1 to 1; NaN when either side is constant."""
    a, b = (average_ranks(values) - (len(values) + 1) / 2 for values in (left, right))
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale > 0 else math.nan
