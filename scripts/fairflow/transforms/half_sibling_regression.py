"""Half-sibling regression: subtract what definitional words predict of a word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairflow.transforms import _words
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.word_rows import word_rows

_UNIT = 1e-3


class HalfSiblingRegression(BaseTransform):
    """Subtract the ridge regression of each word on the definitional ones (Yang and Feng 2020).

    D (dims, m) has the vectors of the m definitional words as columns, N those of all others:

        W = (D'D + a I)^-1 D'N,   N <- N - D W

    This is the same matrix for every word, (I + D D' / a)^-1: it shrinks a vector along the left
    singular vectors of D by a / (s^2 + a). Definitional words do not change, and lengths are not
    restored. The method assumes that the gender of a word is what these words predict. The value of
    a depends on the lengths of the vectors; the record reports the shrinkage.

    WEFE has no default list; it gives the same vectors, with a matrix as large as the model. The
    paper uses the words of gn_glove.

    Parameters
    ----------
    definitional : a list of words, or a list of lists. alpha : a, above 0.

    Examples
    --------
    >>> from fairflow import WEAT, load_query, load_test_model
    >>> from fairflow.transforms import HalfSiblingRegression
    >>> model, query = load_test_model(), load_query("weat_7")
    >>> groups = [["he", "him", "man", "father"], ["she", "her", "woman", "mother"]]
    >>> fitted = HalfSiblingRegression([word for group in groups for word in group]).fit(model.wv)
    >>> for one in (model, fitted.transform(model)):
    ...     print(round(WEAT().run_query(query, one)["effect_size"], 2))
    0.97
    0.85

    See also
    --------
    fairflow.transforms.LinearProjection : removes one direction wholly.
    fairflow.transforms.BaseTransform : how a transform is fitted and applied.
    """

    citation = "yang2020causal"
    word_sets = {"definitional": "lists"}

    def __init__(
        self, definitional: Sequence[str] | Sequence[Sequence[str]], alpha: float = 60
    ) -> None:
        self.definitional = _words.joined_lists("definitional", definitional)
        self.alpha = _words.number_above("alpha", alpha)

    def fit(self, base: Any) -> Derivation:
        """Compute the matrix of a base.

        Raises
        ------
        FairflowError : all words are missing, or one has a vector that is not finite.
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
