"""Cosine similarity of the rows of two matrices, and the directions that it compares."""

from __future__ import annotations

import numpy as np

from fairflow.errors import DegenerateError


def cosine(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(n, dims), (m, dims) -> (n, m) cosines; rows must not be zero."""
    return unit(left) @ unit(right).T  # (n, dims) @ (dims, m)


def mean_unit(rows: np.ndarray) -> np.ndarray:
    """Mean of the rows divided by their lengths: (n, dims) -> (dims,).

    Its product with a unit vector is the mean of that vector's cosines with the rows.
    """
    return (1 / _lengths(rows)) @ rows / len(rows)


def mean_direction(rows: np.ndarray, name: str) -> np.ndarray:
    """Mean of the vectors of a named set, for formulas that need its direction: (dims,).

    Raises
    ------
    DegenerateError : the vectors cancel each other.
    """
    mean = rows.mean(axis=0)
    if not mean.any():
        raise DegenerateError(f"the mean vector of {name} is zero")
    return mean


def unit(rows: np.ndarray) -> np.ndarray:
    """Rows divided by their Euclidean length."""
    return rows / _lengths(rows)[:, np.newaxis]


def _lengths(rows: np.ndarray) -> np.ndarray:
    return np.sqrt(np.einsum("ij,ij->i", rows, rows))
