"""Multiclass hard debias: a subspace taken out of words, groups of more than two made even."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from fairflow.errors import FairflowError
from fairflow.transforms import _words
from fairflow.transforms._directions import Equalising, equalised_set
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import bias_subspace
from fairflow.vectors.word_embedding_model import WordRows, word_rows

RECIPES = ("wefe-1.0", "manzini2019")


class MulticlassHardDebias(BaseTransform):
    """Neutralise and equalise in a subspace (Manzini et al. 2019).

    Of unit vectors, with B the first k principal components of definitional sets minus their means
    and P = B'B:

        neutralise:   v <- (v - P v) / |v - P v|
        equalise, a set with mean m:   u = m - P m
                                       v <- u + sqrt(1 - |u|^2) (P v - P m) / |P v - P m|

    Every vector of the result has length 1. It assumes that the groups differ in k directions and
    no others.

    Recipes:

    - `manzini2019`, the paper's: words of `neutralise` are neutralised, and the definitional sets
      are equalised in their order, each as the ones before it left its words.
    - `wefe-1.0`: all words are neutralised but the definitional and `specific` ones, and the sets
      of `equalise` are equalised from their original vectors; of a word in two of them the last
      counts. WEFE's examples give the stereotypes of the groups as these sets, and so make manager
      and redneck equidistant where the paper does so with the groups. WEFE takes ten components by
      default, of which those beyond the rank are rounding noise.

    Of a set that the base does not hold as a whole, `manzini2019` takes the words that are there,
    if these are two or more, and `wefe-1.0` none; sets that do not count are in the record.

    Parameters
    ----------
    definitional : sets of one word for each group, [[black, caucasian, asian], ...].
    equalise : sets of words, [] for none; of `wefe-1.0` alone. neutralise : words to neutralise; of
        `manzini2019` alone. specific : words to leave alone; of `wefe-1.0` alone.
    components : k, at most the rank of the sets, which is the default.
    """

    citation = "manzini2019black"
    word_sets = {
        "definitional": "tuples",
        "equalise": "lists",
        "neutralise": "lists",
        "specific": "words",
    }

    def __init__(
        self,
        definitional: Sequence[Sequence[str]],
        equalise: Sequence[Sequence[str]] | None = None,
        neutralise: Sequence[str] | Sequence[Sequence[str]] | None = None,
        specific: Sequence[str] = (),
        components: int | None = None,
        recipe: str = "wefe-1.0",
    ) -> None:
        self.recipe = _words.one_of("recipe", recipe, RECIPES)
        self.definitional = _words.sets_of_words("definitional", definitional)
        self.components = (
            None if components is None else _words.whole_number("components", components)
        )
        self.specific = _words.word_list("specific", specific)
        wefe = recipe == "wefe-1.0"
        needed, other = ("equalise", "neutralise") if wefe else ("neutralise", "equalise")
        given = {"equalise": equalise, "neutralise": neutralise}
        if given[needed] is None:
            raise ValueError(f"the recipe {recipe} needs {needed}: name the words, or say []")
        if given[other] is not None or (self.specific and not wefe):
            unused = other if given[other] is not None else "specific"
            raise ValueError(f"the recipe {recipe} takes no {unused}: leave it out")
        self.equalise = (
            _words.sets_of_words("equalise", equalise, least=0) if wefe else self.definitional
        )
        self.neutralise = None if wefe else _words.joined_lists("neutralise", neutralise, least=0)

    def fit(self, base: Any) -> Derivation:
        """The subspace and the equalised sets of a base.

        Raises
        ------
        FairflowError : of no definitional set two words are found, they do not differ in as many
            directions as `components`; a word has no side within its set; a word is to be
            neutralised and stands in a definitional set.
        """
        base = word_rows(base)
        whole = self.recipe == "wefe-1.0"
        sets = _words.found_sets(base, self.definitional, "definitional", unit=True, complete=whole)
        equalised = _words.found_sets(base, self.equalise, "equalise", unit=True, complete=whole)
        subspace = bias_subspace(sets.vectors, self.components)
        named = [word for words in sets.words for word in words]
        only, unknown = self._neutralised(base, named)
        specific, unknown_specific = _words.split(base, self.specific)
        missing = {
            "definitional": sets.missing,
            "equalise": equalised.missing,
            "neutralise": unknown,
            "specific": unknown_specific,
        }
        kept = () if only is not None else (*named, *specific)
        listed = [word for words in equalised.words for word in words]
        return Equalising(
            remove=subspace.basis,
            untouched=frozenset(kept),
            only=only,
            equalise=equalised_set,
            sets=equalised.words,
            originals=equalised.vectors,
            current=self.recipe == "manzini2019",
            facts=subspace.facts
            | _words.account(base, kept, only=only, rows=listed, missing=missing)
            | {
                "words_equalised_twice": _repeated(listed),
                "sets_dropped": [list(words) for words in (*sets.dropped, *equalised.dropped)],
            },
        )

    def _neutralised(
        self, base: WordRows, named: Sequence[str]
    ) -> tuple[frozenset[str] | None, list[str]]:
        """The words that alone are neutralised, None for all, and those that the base lacks."""
        if self.neutralise is None:
            return None, []
        if both := [word for word in self.neutralise if word in named]:
            raise FairflowError(
                f"neutralise: {_words.shown(both)} in a definitional set too, whose words are made "
                "even along what is neutralised: leave them out of one list"
            )
        found, unknown = _words.split(base, self.neutralise)
        return frozenset(found), unknown


def _repeated(words: Sequence[str]) -> list[str]:
    return sorted(word for word, count in Counter(words).items() if count > 1)
