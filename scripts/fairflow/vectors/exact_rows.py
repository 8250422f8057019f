"""Arithmetic of rows, each of which comes out the same whatever stands beside it."""

from __future__ import annotations

import numpy as np

# Rows that are multiplied at once. Always as many, zeros added: a product of another shape may be
# summed in another order.
ROWS = 256
# Vectors are given in single precision: less than this share of one is no part of it.
NOISE = 1e-6


def product(vectors: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """(n, dims) @ (dims, m) -> (n, m), float64."""
    number, dims = vectors.shape
    stacks = -(-number // ROWS)
    if number < stacks * ROWS:
        padded = np.zeros((stacks * ROWS, dims))
        padded[:number] = vectors
        vectors = padded
    with np.errstate(invalid="ignore"):
        products = vectors.reshape(stacks, ROWS, dims) @ matrix
    return products.reshape(stacks * ROWS, -1)[:number]


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Rows at length 1: (n, dims), float64, in place; a zero row stays one."""
    return _divided(vectors, _lengths(vectors))


def unit_rests(vectors: np.ndarray, before: np.ndarray, unit: bool) -> np.ndarray:
    """Rows at length 1, in place; what is left of a vector but rounding noise is a zero row.

    Parameters
    ----------
    before : the vectors that these are left of. unit : whether they have length 1, or none.
    """
    lengths = _lengths(vectors)
    few = np.flatnonzero(lengths < 2 * NOISE) if unit else np.arange(len(vectors))
    noise = few[(lengths[few] < NOISE * _lengths(before[few]))[:, 0]]
    vectors[noise] = lengths[noise] = 0
    return _divided(vectors, lengths)


def _lengths(vectors: np.ndarray) -> np.ndarray:
    # As numpy.linalg.norm, to the last bit, which makes a copy of the rows more.
    with np.errstate(invalid="ignore"):
        return np.sqrt(np.add.reduce(vectors * vectors, axis=1, keepdims=True))


def _divided(vectors: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    lengths[lengths == 0] = 1
    with np.errstate(invalid="ignore"):
        return np.divide(vectors, lengths, out=vectors)
