"""Linear projection: the direction in which pairs differ is taken out of every word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairflow.transforms import _words
from fairflow.transforms._directions import DIRECTIONS, pair_direction
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import bias_subspace
from fairflow.vectors.word_embedding_model import word_rows


class LinearProjection(BaseTransform):
    """Project every word on what is orthogonal to a direction (Dev and Phillips 2019).

        x <- x - (x . b) b

    with b the first principal component of the unit vectors of definitional pairs minus their
    means, or one of the other directions of `HardDebias`. Nothing is equalised, no word is left
    alone, he and she included, and lengths are not restored: the map is linear. It assumes that
    what is to be removed lies in this direction, in names and pronouns alike.

    Parameters
    ----------
    definitional : pairs of words; incomplete ones do not count and are recorded.
    components : how many principal components are taken out, at most the rank of the pairs.
    direction : `pca`, `single` or `sum`, as `HardDebias` takes it; but for `pca` one component.
    """

    citation = "dev2019attenuating"
    word_sets = {"definitional": "tuples"}

    def __init__(
        self, definitional: Sequence[Sequence[str]], components: int = 1, direction: str = "pca"
    ) -> None:
        self.definitional = _words.sets_of_words("definitional", definitional, size=2)
        self.components = _words.whole_number("components", components)
        self.kind = _words.one_of("direction", direction, DIRECTIONS)
        if components > 1 and direction != "pca":
            raise ValueError(f"direction {direction} is one; leave components out")

    def training_texts(self) -> tuple[str, ...]:
        """The words of the pairs."""
        return _words.every_word(self.definitional)

    def fit(self, base: Any) -> Derivation:
        """The directions of a base.

        Raises
        ------
        FairflowError : no pair is complete, or the pairs differ in fewer directions.
        """
        base = word_rows(base)
        pairs = _words.found_sets(base, self.definitional, "definitional", unit=True)
        subspace = bias_subspace(pairs.vectors, self.components)
        basis = subspace.basis
        if self.kind != "pca":
            basis = pair_direction(self.kind, pairs.vectors, basis[0])[None]
        return Derivation(
            remove=basis,
            facts=subspace.facts
            | {"directions": basis.tolist()}
            | _words.account(base, missing={"definitional": pairs.missing}),
        )
