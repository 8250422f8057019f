"""Vectors divided by their Euclidean lengths, which shows what a score owes to these lengths."""

from __future__ import annotations

from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.word_embedding_model import WordRows


class Normalised(BaseTransform):
    """Each vector at length 1; a zero vector, which has no direction, stays what it is.

    Lengths and quotients are computed in double precision and rounded once.
    """

    keeps_directions = True

    def training_texts(self) -> tuple[str, ...]:
        """None is looked up."""
        return ()

    def fit(self, base: WordRows) -> Derivation:
        """v / |v| for each row; what is not finite stays not finite."""
        return Derivation(unit_first=True)
