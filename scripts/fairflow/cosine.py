"""Cosine similarity of the rows of two matrices."""

from __future__ import annotations

import numpy as np


def cosine(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(n, dims), (m, dims) -> (n, m) cosines; rows must not be zero."""
    return unit(left) @ unit(right).T  # (n, dims) @ (dims, m)


def unit(rows: np.ndarray) -> np.ndarray:
    """Rows divided by their Euclidean length."""
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)
