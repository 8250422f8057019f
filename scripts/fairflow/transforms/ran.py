"""RAN: listed words moved away from neighbours that share their bias, and from a direction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairflow.errors import FairflowError
from fairflow.transforms._account import account
from fairflow.transforms._neighbours import nearest_words
from fairflow.transforms._parameters import (
    joined_lists,
    number_above,
    one_of,
    sets_of_words,
    three_numbers,
    whole_number,
    word_list,
)
from fairflow.transforms._repulsion import MovedWord, moved_word
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.bias_subspace import bias_subspace
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.found_words import found_sets, listed_vectors, shown, split
from fairflow.vectors.word_rows import WordRows, word_rows

RECIPES = {
    "kumar2020": (1 / 8, 6 / 8, 1 / 8),
    "authors": (1 / 8, 6 / 8, 6 / 8),
    "wefe-1.0": (0.33, 0.33, 0.33),
}
_OBJECTIVES = ("before", "after")


@dataclass(frozen=True, eq=False)
class MovedWords(Derivation):
    """A derivation of which listed words are all that changes besides lengths."""

    def restricted(
        self, target: Collection[str] | None = None, ignore: Collection[str] = ()
    ) -> Derivation:
        """The same with some of the moved words only.

        Raises
        ------
        FairflowError : `target` names words that were not moved.
        """
        if target is not None and (lost := [word for word in target if word not in self.rows]):
            raise FairflowError(f"target: {shown(lost)} not among the words that RAN was fitted to")
        chosen = set(self.rows) - set(ignore) if target is None else set(target)
        rows = {word: row for word, row in self.rows.items() if word in chosen}
        return replace(self, rows=rows, facts={**self.facts, "words_listed": sorted(rows)})


class RAN(BaseTransform):
    """Repulsion, attraction, neutralisation (Kumar et al. 2020), solved exactly.

    Of unit vectors, for each word w of the list, with b the first principal component of the
    definitional pairs minus their means:

        J(x) = l1 mean_{n in R} |cos(x, n)| + l2 (1 - cos(x, w)) / 2 + l3 |cos(x, b)|

    is minimised over x of length 1, where R are those of the 100 nearest neighbours whose indirect
    bias with w is above a threshold:

        beta(n, w) = (n . w - cos(n', w')) / (n . w),   v' = v - (v . b) b

    Up to a constant J is l1 / |R| sum |r . x| + l3 |b . x| - l2 / 2 w . x. Its least value over the
    ball is minus the distance of (l2 / 2) w from all sum u_i r_i + v b with |u_i| <= l1 / |R| and
    |v| <= l3, and x is the direction of what remains: a least-squares problem with bounds in 101
    unknowns, with one solution. Where nothing remains, J is nowhere below what a vector orthogonal
    to everything has, and the word stays.

    The authors and WEFE descend by Adam from w for 300 steps instead, with |x . b| in the third
    term, which shrinks with x; the start is a kink, where rounding decides on the first steps, and
    WEFE also measures at one tensor and moves another. Their result is never better. All other
    words get unit length and no other change.

    Recipes: `kumar2020`, the weights of the paper, 1/8, 6/8 and 1/8; `authors`, whose code uses the
    second weight for the third term too; `wefe-1.0`, .33 each.

    Parameters
    ----------
    definitional : pairs of words. words : a list of words to move, or a list of lists; without it
        all but `specific` ones, which takes some milliseconds a word. specific : words that are
        not moved.
    recipe : one of the three. weights : l1, l2, l3 instead, each above 0.
    neighbours : how many are looked at. threshold : of the indirect bias.
    """

    citation = (
        "Kumar, V., Bhotia, T. S., Kumar, V., & Chakraborty, T. (2020). Nurse is Closer to Woman "
        "than Surgeon? Mitigating Gender-Biased Proximities in Word Embeddings. TACL 8, 486-503. "
        "https://doi.org/10.1162/tacl_a_00327"
    )
    word_sets = {"definitional": "tuples", "words": "lists", "specific": "words"}

    def __init__(
        self,
        definitional: Sequence[Sequence[str]],
        words: Sequence[str] | Sequence[Sequence[str]] | None = None,
        specific: Sequence[str] = (),
        recipe: str = "kumar2020",
        weights: Sequence[float] | None = None,
        neighbours: int = 100,
        threshold: float = 0.05,
    ) -> None:
        self.definitional = sets_of_words("definitional", definitional, size=2)
        self.words = None if words is None else joined_lists("words", words)
        self.specific = frozenset(word_list("specific", specific))
        if words is None and not specific:
            raise ValueError(
                "RAN needs words, which to move, or specific, which to leave: name one of them"
            )
        self.weights = RECIPES[one_of("recipe", recipe, tuple(RECIPES))]
        if weights is not None:
            self.weights = three_numbers("weights", weights)
        self.neighbours = whole_number("neighbours", neighbours)
        self.threshold = number_above("threshold", threshold, -np.inf)

    def fit(self, base: Any) -> Derivation:
        """The new vectors of the words of a base.

        Raises
        ------
        FairflowError : no definitional pair has a direction; the base holds none of the words, or
            one that has no direction.
        """
        base = word_rows(base)
        pairs = found_sets(base, self.definitional, "definitional", unit=True)
        subspace = bias_subspace(pairs.vectors)
        found, missing = self._words(base)
        moved = self._moved(base, found, subspace.basis[0])
        before, after = (float(np.mean([getattr(m, key) for m in moved])) for key in _OBJECTIVES)
        return MovedWords(
            unit_first=True,
            rows={word: each.vector for word, each in zip(found, moved, strict=True)},
            facts=subspace.facts
            | {
                "weights": list(self.weights),
                "neighbours_repelled": float(np.mean([each.repelled for each in moved])),
                "objective_before": before,
                "objective_after": after,
            }
            | account(
                base,
                only=(),
                rows=found,
                missing={"definitional": pairs.missing, "words": missing},
            ),
        )

    def _words(self, base: WordRows) -> tuple[list[str], list[str]]:
        """The words that are moved, and those of the list that the base lacks."""
        listed = self.words
        if listed is None:
            listed = [word for words, _, _ in base.rows_in_blocks() for word in words]
        found, missing = split(base, (word for word in listed if word not in self.specific))
        if not found:
            raise FairflowError(
                f"words: the model holds none of {shown(missing)} that is not specific. Words are "
                "looked up as they are written: give them as the model has them"
            )
        return found, missing

    def _moved(
        self, base: WordRows, words: Sequence[str], direction: np.ndarray
    ) -> list[MovedWord]:
        own = listed_vectors(base, words, "words", unit=True)
        nearest = nearest_words(base, words, own, self.neighbours)
        vectors = (listed_vectors(base, near, "neighbours", unit=True) for near in nearest)
        return [
            moved_word(*pair, direction, self.weights, self.neighbours, self.threshold)
            for pair in zip(own, vectors, strict=True)
        ]
