"""Vectors divided by their Euclidean lengths, which shows what a score owes to these lengths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.transforms.base_transform import BaseTransform


class Normalised(BaseTransform):
    """Each vector at length 1; a zero vector, which has no direction, stays what it is.

    Lengths and quotients are computed in double precision and rounded once.
    """

    keeps_directions = True

    def change(self, words: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        """v / |v| for each row; what is not finite stays not finite."""
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
