"""The ways to take one direction from pairs of words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

DIRECTIONS = ("pca", "single", "sum")


def pair_direction(kind: str, pairs: Sequence[np.ndarray], first: np.ndarray) -> np.ndarray:
    """A unit vector from the second words of pairs towards the first ones: (dims,).

    Parameters
    ----------
    kind : `pca`, the first principal component as given; `single`, the difference of the first
        pair; `sum`, the difference of the sums of all first and of all second words, each sum
        divided by its length.
    pairs : (2, dims) each, unit vectors. first : (dims,), the first principal component.
    """
    if kind == "pca":
        return first
    sides = np.stack(pairs).sum(axis=0) if kind == "sum" else pairs[0]
    sides = sides / np.linalg.norm(sides, axis=1, keepdims=True)
    difference = sides[0] - sides[1]
    return difference / np.linalg.norm(difference)
