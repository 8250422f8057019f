"""Multiclass hard debias: remove a subspace from words, and equalise sets of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from fairflow.errors import FairflowError
from fairflow.transforms import _words
from fairflow.transforms._directions import equalised_set, with_equalised
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import bias_subspace
from fairflow.vectors.word_rows import WordRows, word_rows

RECIPES = ("wefe-1.0", "manzini2019")


class MulticlassHardDebias(BaseTransform):
    """Neutralise and equalise in a subspace (Manzini et al. 2019).

    For unit vectors; B = first k principal components of definitional sets minus their means, and
    P = B'B:

        neutralise:   v <- (v - P v) / |v - P v|
        equalise, a set with mean m:   u = m - P m
                                       v <- u + sqrt(1 - |u|^2) (P v - P m) / |P v - P m|

    All vectors of the result have length 1. The method assumes that the groups differ in exactly k
    directions.

    Recipes:

    - `manzini2019`, as in the paper: the words of `neutralise` are neutralised. The definitional
      sets are equalised one after the other, each from the vectors that the sets before it left.
    - `wefe-1.0`: all words except the definitional and `specific` ones are neutralised. The sets of
      `equalise` are equalised from their original vectors; if a word is in two sets, the last one
      counts. In WEFE's examples these sets are stereotypes of the groups, so that manager and
      redneck become equidistant; the paper equalises the groups. WEFE takes ten components by
      default; those beyond the rank are rounding noise.

    If words of a set are missing, `manzini2019` uses the others, if these are two or more;
    `wefe-1.0` drops the set. Dropped sets are in the record.

    Parameters
    ----------
    definitional : sets with one word for each group, [[black, caucasian, asian], ...].
    equalise : sets of words, [] for none; only for `wefe-1.0`. neutralise : words to neutralise;
        only for `manzini2019`. specific : words that do not change; only for `wefe-1.0`.
    components : k, at most the rank of the sets, which is the default. recipe : one of the two.

    Examples
    --------
    >>> from fairflow import WEAT, load_query, load_test_model
    >>> from fairflow.transforms import MulticlassHardDebias
    >>> model, query = load_test_model(), load_query("weat_7")
    >>> pairs = [["woman", "man"], ["she", "he"], ["her", "his"], ["mother", "father"]]
    >>> fitted = MulticlassHardDebias(pairs, specific=["king", "queen"], equalise=[]).fit(model.wv)
    >>> for one in (model, fitted.transform(model)):
    ...     print(round(WEAT().run_query(query, one)["effect_size"], 2))
    0.97
    -0.96

    See also
    --------
    fairflow.transforms.HardDebias : one direction.
    fairflow.transforms.BaseTransform : how a transform is fitted and applied.
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
        needed, others = "equalise", {"neutralise": neutralise is not None}
        if recipe == "manzini2019":
            needed = "neutralise"
            others = {"equalise": equalise is not None, "specific": bool(specific)}
        if {"equalise": equalise, "neutralise": neutralise}[needed] is None:
            raise ValueError(f"the recipe {recipe} needs {needed}: name the words, or say []")
        if unused := [name for name, given in others.items() if given]:
            raise ValueError(f"the recipe {recipe} takes no {unused[0]}: leave it out")
        self.equalise, self.neutralise = self.definitional, None
        if needed == "equalise":
            self.equalise = _words.sets_of_words("equalise", equalise, least=0)
        else:
            self.neutralise = _words.joined_lists("neutralise", neutralise, least=0)

    def fit(self, base: Any) -> Derivation:
        """Find the subspace and the equalised sets of a base.

        Raises
        ------
        FairflowError : no definitional set has two known words; the sets differ in fewer directions
            than `components`; a word has no side within its set; a word to be neutralised is in a
            definitional set.
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
        derivation = Derivation(
            unit_first=True,
            remove=subspace.basis,
            unit_last=True,
            untouched=frozenset(kept),
            only=only,
            facts=subspace.facts
            | _words.account(base, kept, only=only, rows=listed, missing=missing)
            | {
                "words_equalised_twice": sorted(
                    word for word, count in Counter(listed).items() if count > 1
                ),
                "sets_dropped": [list(words) for words in (*sets.dropped, *equalised.dropped)],
            },
        )
        return with_equalised(derivation, equalised, equalised_set, current=not whole)

    def _neutralised(
        self, base: WordRows, named: Sequence[str]
    ) -> tuple[frozenset[str] | None, list[str]]:
        """The words to neutralise, None for all; and the missing words."""
        if self.neutralise is None:
            return None, []
        if both := [word for word in self.neutralise if word in named]:
            raise FairflowError(
                f"neutralise: {_words.some_words(both)} also in a definitional set, equalised "
                "along the neutralised directions: remove them from one list"
            )
        found, unknown = _words.split(base, self.neutralise)
        return frozenset(found), unknown
