"""Do all pairs of words that stand for a contrast put a word on the same side?

Each pair ("she", "he") gives a direction, and with it a side to each word. Where the sides depend
on the pair, so does every score that uses one.

Zhang, H., Sneyd, A., & Stevenson, M. (2020). Robustness and Reliability of Gender Bias Assessment
in Word Embeddings: The Role of Base Pairs. AACL-IJCNLP 2020, 759-769.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from fairflow.errors import DegenerateError
from fairflow.metrics.ripa import pair_directions as unit_directions
from fairflow.metrics.weat import associations, contrast
from fairflow.statistics.intervals import UNDEFINED, Estimate
from fairflow.statistics.reliability import cohen_kappa, fleiss_kappa, share_unanimous
from fairflow.validity.evidence import (
    BasePairs,
    Concept,
    Evidence,
    ModelWords,
    sets_of_query,
)
from fairflow.vectors.directions import unit

COSINES, INNER_PRODUCT, NEIGHBOURS = VALUES = ("difference of cosines", "RIPA", "neighbours")
# Of the pairs and of the words over which agreement is measured.
FEWEST_PAIRS, FEWEST_WORDS = 2, 10
_NO_NEIGHBOURS = "needs the nearest words of the whole vocabulary, which is not read here"
_AGREEMENT = (
    *("model", "concept", "base_pairs", "label", "value", "pair", "n_pairs", "n_words"),
    *("kappa", "kappa_low", "kappa_high", "share_unanimous", "reason"),
)
_SWAPS = ("model", "criterion", "query", "concept", "role", "n", "n_kept", "reason")
# The sides of words (words, raters), or why they are missing; and the agreement on them.
Sides = np.ndarray | str
Kappa = Callable[[np.ndarray], Estimate]


def pair_agreement(evidence: Evidence) -> pd.DataFrame:
    """How far base pairs agree on the side of each word, and each with the side that is known.

    Returns
    -------
    a row for each model, base pairs and value, with pair "" for all pairs together, and with "a/b"
    for each pair if the side of some words is known:
    model, concept, base_pairs, label ; value : by whose sign a pair gives the side of a word: the
    "difference of cosines" with the two words of the pair, "RIPA", or the "neighbours" ;
    n_pairs, n_words : that the model has ; kappa : Fleiss' of all pairs on the judged words, or
    Cohen's of a pair and the known sides on the words of known side; 1 is full agreement, 0 that of
    chance. kappa_low, kappa_high : its 95 % interval over words. share_unanimous : of
    words that all pairs put on one side, or the pair on the known side ; reason : why a value is
    missing, else "".
    """
    rows = []
    every = product(evidence.words.items(), evidence.concepts.values())
    judged = ((*of, concept, base) for of, concept in every for base in concept.base_pairs)
    for (model, words, concept, base), value in product(judged, VALUES):
        common = {"model": model, "concept": concept.name, "base_pairs": base.name}
        common |= {"label": base.label, "value": value}
        rows += [common | row for row in _agreement(words, base, value)]
    return pd.DataFrame(rows, columns=_AGREEMENT)


def pair_swap(evidence: Evidence) -> pd.DataFrame:
    """The direction of each score with one base pair of a concept in place of its sets.

    Returns
    -------
    a row for each model, query of two target and two attribute sets, and concept with base pairs
    that it contrasts:
    model, criterion, query, concept ; role : the side that is exchanged, "targets" or "attributes".
    n : base pairs that the model has, each once. n_kept : of these, pairs with which the difference
    of the target sets' mean associations has the sign that it has with the query's own sets ;
    reason : why n is 0, else "".
    """
    rows = []
    for about, found in evidence.named_slices():
        model = about["model"]
        of_query = evidence.concepts_of(about["query"]) if model in evidence.words else ()
        for concept, role, forward in of_query:
            if not concept.base_pairs or len(found.targets) != 2 or len(found.attributes) != 2:
                continue
            names = about | {"concept": concept.name, "role": role, "n": 0, "n_kept": 0}
            *sides, reason = sets_of_query(found)
            directions = _directions_of(evidence.words[model], concept)
            if not reason and len(directions):
                own, other = (contrast(*(one.vectors for one in side)) for side in sides)
                own, other = (own, other) if role == "targets" else (other, own)
                values = directions @ other * (1 if forward else -1)
                kept = np.sign(values) == np.sign(own @ other)
                names |= {"n": len(values), "n_kept": int(kept.sum())}
            elif not reason:
                reason = "no base pair is in the model"
            rows.append(names | {"reason": reason})
    return pd.DataFrame(rows, columns=_SWAPS)


def _directions_of(words: ModelWords, concept: Concept) -> np.ndarray:
    """Cosine directions of the base pairs of a concept, each pair once: (pairs, dims)."""
    found = {
        pair: unit(both[:1]) - unit(both[1:])
        for base in concept.base_pairs
        for pair, both in zip(*words.pairs(base.first, base.second), strict=True)
    }
    return np.concatenate([*found.values()]) if found else np.empty((0, 0))


def _agreement(model: ModelWords, base: BasePairs, value: str) -> Iterator[dict[str, Any]]:
    """The rows of `pair_agreement` for a value, without the columns that these share."""
    asked = [*zip(model.asked(base.first), model.asked(base.second), strict=False)]
    whole, _ = model.pairs(base.first, base.second)
    words = model.known(model.asked(base.words))
    sides = _sides(model, base, words, value)
    if len(whole) < FEWEST_PAIRS and value != NEIGHBOURS:
        sides = f"only {len(whole)} of {len(asked)} pairs are in the model"
    yield _row("", len(whole), len(words), sides, fleiss_kappa)
    known = [model.known(model.asked(reference)) for reference in base.known]
    judged = [word for side in known for word in side]
    side_of = np.repeat([True, False], [len(side) for side in known]) if known else np.empty(0)
    sides = _sides(model, base, judged, value)
    # Where no pair has a value, one row says why.
    for pair in asked if base.known and value != NEIGHBOURS else ():
        both = sides
        if pair not in whole:
            lost = [word for word in pair if not model.known([word])]
            both = f"not in the model: {', '.join(lost)}"
        elif isinstance(sides, np.ndarray):
            both = np.column_stack([sides[:, whole.index(pair)], side_of])
        numbers = int(pair in whole), len(judged)
        yield _row("/".join(pair), *numbers, both, lambda of: cohen_kappa(*of.T))


def _row(pair: str, n_pairs: int, n_words: int, sides: Sides, kappa_of: Kappa) -> dict[str, Any]:
    """A row of sides (words, raters), or of the reason why they are missing."""
    kappa, share, reason = UNDEFINED, math.nan, sides
    if isinstance(sides, np.ndarray):
        kappa, share = kappa_of(sides), share_unanimous(sides)
        reason = "all words are on one side" if math.isnan(kappa.value) else ""
    row = {"pair": pair, "n_pairs": n_pairs, "n_words": n_words, "kappa": kappa.value}
    row |= {"kappa_low": kappa.low, "kappa_high": kappa.high}
    return row | {"share_unanimous": share, "reason": reason}


def _sides(model: ModelWords, base: BasePairs, words: Sequence[str], value: str) -> Sides:
    """Whether each whole pair puts a word on its first side: (words, pairs); or why not."""
    if value == NEIGHBOURS:
        return _NO_NEIGHBOURS
    if len(words) < FEWEST_WORDS:
        return f"only {len(words)} words are in the model, at least {FEWEST_WORDS} are needed"
    poles = [
        model.word_set(reference, model.asked(reference)) for reference in (base.first, base.second)
    ]
    try:
        directions = unit_directions(*poles)
    except DegenerateError as error:
        return str(error)
    if value == INNER_PRODUCT:
        return model.vectors(words) @ directions.T > 0
    return pair_differences(model, base, words) > 0


def pair_differences(model: ModelWords, base: BasePairs, words: Sequence[str]) -> np.ndarray:
    """Cosine with the first word of each whole pair minus that with the second: (words, pairs)."""
    vectors = model.vectors(words)
    _, pairs = model.pairs(base.first, base.second)
    values = [associations(vectors, pair[:1], pair[1:]) for pair in pairs]
    return np.column_stack(values) if values else np.empty((len(words), 0))
