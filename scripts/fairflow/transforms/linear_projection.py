"""Linear projection: remove the direction in which pairs differ from every word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairflow.transforms import _words
from fairflow.transforms._directions import DIRECTIONS, pair_direction
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import bias_subspace
from fairflow.vectors.word_rows import word_rows


class LinearProjection(BaseTransform):
    """Remove a direction from every word by projection (Dev and Phillips 2019).

        x <- x - (x . b) b

    b = first principal component of the unit vectors of definitional pairs minus their means, or
    one of the other directions of `HardDebias`. Every word changes, including he and she; no pair
    is equalised and lengths are not restored: the map is linear. The method assumes that names and
    pronouns have their bias in the same direction.

    Parameters
    ----------
    definitional : pairs of words; incomplete pairs do not count and are recorded.
    components : number of principal components to remove, at most the rank of the pairs.
    direction : `pca`, `single` or `sum`, as in `HardDebias`; only `pca` has several components.

    Examples
    --------
    >>> from fairflow import WEAT, load_query, load_test_model
    >>> from fairflow.transforms import LinearProjection
    >>> model, query = load_test_model(), load_query("weat_7")
    >>> pairs = [["woman", "man"], ["she", "he"], ["her", "his"], ["mother", "father"]]
    >>> fitted = LinearProjection(pairs).fit(model.wv)
    >>> for one in (model, fitted.transform(model)):
    ...     print(round(WEAT().run_query(query, one)["effect_size"], 2))
    0.97
    -0.49

    See also
    --------
    fairflow.transforms.HardDebias : keeps words that are about the groups by definition.
    fairflow.transforms.BaseTransform : how a transform is fitted and applied.
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
        """Find the directions of a base.

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
