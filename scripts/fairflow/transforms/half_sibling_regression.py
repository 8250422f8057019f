"""Half-sibling regression: what definitional words predict of a word is taken out of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairflow.transforms import _words
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.word_embedding_model import word_rows

_UNIT = 1e-3


class HalfSiblingRegression(BaseTransform):
    """Subtract the ridge regression of each word on the definitional ones (Yang and Feng 2020).

    With the vectors of the m definitional words as columns of D (dims, m) and those of all others
    as columns of N:

        W = (D'D + a I)^-1 D'N,   N <- N - D W

    which is one matrix for every word, (I + D D' / a)^-1: along the left singular vectors of D it
    shrinks by a / (s^2 + a). Definitional words stay as they are, and lengths are not touched. It
    assumes that a word has no gender but what these words predict. a is no number without a scale:
    it must be chosen by the lengths of the vectors, and the shrinkage in the record tells what it
    did.

    WEFE leaves the list to the caller and makes the same vectors, with a matrix as large as the
    model. The paper takes the words of gn_glove.

    Parameters
    ----------
    definitional : a list of words, or a list of lists. alpha : a, above 0.
    """

    citation = "yang2020causal"
    word_sets = {"definitional": "lists"}

    def __init__(
        self, definitional: Sequence[str] | Sequence[Sequence[str]], alpha: float = 60
    ) -> None:
        self.definitional = _words.joined_lists("definitional", definitional)
        self.alpha = _words.number_above("alpha", alpha)

    def fit(self, base: Any) -> Derivation:
        """The matrix of a base.

        Raises
        ------
        FairflowError : it holds none of the words, or one of them has a vector that is not finite.
        """
        base = word_rows(base)
        found, missing = _words.partition_known(base, self.definitional, "definitional")
        vectors = _words.listed_vectors(base, found, "definitional", unit=False)
        values, directions = np.linalg.eigh(vectors.T @ vectors)
        shrinkage = self.alpha / (np.maximum(values, 0) + self.alpha)
        lengths = np.linalg.norm(vectors, axis=1)
        return Derivation(
            matrix=(directions * shrinkage) @ directions.T,
            untouched=frozenset(found),
            facts={
                "shrinkage": shrinkage.tolist(),
                "unit_length": bool((abs(lengths - 1) < _UNIT).all()),
            }
            | _words.account(base, found, missing={"definitional": missing}),
        )
