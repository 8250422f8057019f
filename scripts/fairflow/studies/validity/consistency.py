"""Do the parts of a score agree? Reliability over words and pairs, and what cosines vary with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.statistics import reliability as coefficients
from fairflow.statistics.estimate import UNDEFINED, Estimate
from fairflow.statistics.seeds import identity_generator
from fairflow.studies.validity.base_pairs import differences
from fairflow.studies.validity.evidence import Evidence, sets_of_query
from fairflow.vectors.directions import cosine, unit
from fairflow.vectors.query_vectors import QueryVectors, WordVectors

ATTRIBUTE_WORDS, TARGET_WORDS, PAIRS = "attribute words", "target words", "pairs"
COEFFICIENTS = ("alpha", "omega", "icc_single", "icc_average", "split_half")
# Omega and split halves of larger tables would take longer than all else.
MOST_PARTS, MOST_VALUES = 100, 10_000
TOO_LARGE = (
    f"computed for at most {MOST_PARTS} parts and {MOST_VALUES:,} values, there are {{}} and {{:,}}"
)
TOO_SMALL = "at least two {} and two {} in a set are needed, there are {} and {}"
NOTHING_VARIES = "nothing varies that parts could share, or there are too few parts"
NO_SIGN = "target words get a sign from two target sets, there are {}"
NO_PARTNERS = "agreement of single parts is that of pairs: words of two sets have no partners"
ONE_MODEL = "fewer than two models have these words"
FACTORS = ("models", TARGET_WORDS, ATTRIBUTE_WORDS)

_COLUMNS = ["model", "criterion", "query", "parts", "coefficient", "value", "low", "high"]
_COLUMNS += ["n_items", "n_parts", "reason"]


def reliability(evidence: Evidence) -> pd.DataFrame:
    """How far the parts of the scores of each query agree (Du, Fang & Nguyen 2021).

    Queries of two attribute sets: the association of a target word is the difference of its mean
    cosines with both sets, and that of an attribute word the difference of its mean cosines with
    both target sets; alpha and omega are those of a difference (`stratified_alpha`). Pairs, those
    that a query declares and base pairs of concepts: the difference of a word's cosines with both
    words of each pair.

    Returns
    -------
    model, criterion, query; parts: "attribute words" (items are target words), "target words"
    (items are attribute words), "pairs" (items are target words); coefficient: see
    `COEFFICIENTS` and `fairflow.statistics.reliability`; value, at most 1, with its interval (low,
    high); n_items, n_parts; reason, why value is NaN, else "".
    """
    rows = []
    for (model, query), found in evidence.slices.items():
        names = {"model": model, "criterion": evidence.criteria.get(query, ""), "query": query}
        for parts, sets, reason in _tables(found):
            rows += _reliability_rows(names | {"parts": parts}, sets, reason, evidence.seed)
    for model, words in evidence.words.items():
        for _, pairs in evidence.base_pairs:
            names = {"model": model, "criterion": "", "query": pairs.label, "parts": PAIRS}
            judged = words.known(dict.fromkeys(words.asked(pairs.words)))
            table = differences(words, pairs, judged)
            reason = _too_small([table], TARGET_WORDS, PAIRS)
            rows += _reliability_rows(names, [table], reason, evidence.seed)
    return pd.DataFrame(rows, columns=_COLUMNS)


def _reliability_rows(
    names: dict[str, str], sets: Sequence[np.ndarray], reason: str, seed: int
) -> Iterator[dict[str, Any]]:
    generator = identity_generator(seed, "reliability", *names.values())
    shape = {"n_items": len(sets[0]), "n_parts": sum(table.shape[1] for table in sets)}
    for name, (estimate, why) in _estimates(sets, names["parts"], reason, generator).items():
        told = {"coefficient": name, **estimate._asdict()}
        yield {**names, **told, **shape, "reason": why}


class Keyed(NamedTuple):
    """The cosines of a query in a model, and the word behind each row and column.

    Attributes
    ----------
    table : of target words with attribute words, those of the second attribute set with reversed
        sign: (target words, attribute words). words, attribute_words : set and position of each
        word of the query -> its row, its column. reason : why there is no table, else "".
    """

    table: np.ndarray
    words: Mapping[tuple[int, int], int]
    attribute_words: Mapping[tuple[int, int], int]
    reason: str = ""


def keyed_cosines(evidence: Evidence) -> dict[tuple[str, str], Keyed]:
    """(Model, query) -> its cosines, of the queries with two attribute sets."""
    found = {}
    for key, one in evidence.slices.items():
        if len(one.attributes) == 2:
            targets, attributes, reason = sets_of_query(one)
            table = _keyed(targets, attributes) if targets else np.empty((0, 0))
            reason = reason or _too_small([table], TARGET_WORDS, ATTRIBUTE_WORDS)
            found[key] = Keyed(table, _places(targets), _places(attributes), reason)
    return found


def variance_shares(
    keyed: Mapping[tuple[str, str], Keyed], criteria: Mapping[str, str]
) -> pd.DataFrame:
    """Which words and models the cosines of a query vary with: a G-study (Cronbach et al. 1972).

    What differs between target words beyond their interaction is what a comparison of them can
    rely on.

    Parameters
    ----------
    keyed : from `keyed_cosines`, of all models. criteria : query -> criterion.

    Returns
    -------
    model ("" over all models, by the words that all have), criterion, query; effect: "target
    words", "attribute words", "target words x attribute words" and, over all models, those with
    "models", the largest holding what is left as well; share of the variance, those of a query
    summing to 1; reason, why it is NaN, else "".
    """
    rows: list[dict[str, Any]] = []
    for query in dict.fromkeys(query for _, query in keyed):
        of_models = {model: one for (model, of), one in keyed.items() if of == query}
        for model, one in of_models.items():
            rows += _share_rows(model, query, FACTORS[1:], one.table, one.reason)
        known = [one for one in of_models.values() if one.table.size]
        together = _together(known) if len(known) > 1 else np.empty((0, 0, 0))
        reason = ONE_MODEL if len(known) < 2 else _too_small([together[0]], *FACTORS[1:])
        rows += _share_rows("", query, FACTORS, together, reason)
    table = pd.DataFrame(rows, columns=["model", "query", "effect", "share", "reason"])
    table.insert(1, "criterion", table["query"].map(dict(criteria)).fillna(""))
    return table


def _tables(found: QueryVectors) -> Iterator[tuple[str, list[np.ndarray], str]]:
    """Name, and the tables (items, parts) of each set of parts; and why they cannot be used."""
    kinds = [ATTRIBUTE_WORDS, TARGET_WORDS] if len(found.attributes) == 2 else []
    kinds += [PAIRS] if found.pairs is not None and found.targets else []
    targets, attributes, reason = sets_of_query(found)
    if reason:
        yield from ((parts, [np.empty((0, 0))], reason) for parts in kinds)
        return
    if ATTRIBUTE_WORDS in kinds:
        cosines = _cosines(targets, attributes)
        by_set = [np.concatenate(column) for column in zip(*cosines, strict=True)]
        sets = [by_set[0], -by_set[1]]
        yield ATTRIBUTE_WORDS, sets, _too_small(sets, TARGET_WORDS, ATTRIBUTE_WORDS)
        if len(targets) == 2:
            sets = [np.hstack(cosines[0]).T, -np.hstack(cosines[1]).T]
            yield TARGET_WORDS, sets, _too_small(sets, ATTRIBUTE_WORDS, TARGET_WORDS)
        else:
            yield TARGET_WORDS, [np.empty((0, 0))], NO_SIGN.format(len(targets))
    if PAIRS in kinds:
        first, second = np.moveaxis(found.pair_vectors.vectors, 1, 0)
        words = unit(np.concatenate([one.vectors for one in targets]))
        sets = [words @ (first - second).T]
        yield PAIRS, sets, _too_small(sets, TARGET_WORDS, PAIRS)


def _cosines(
    targets: Sequence[WordVectors], attributes: Sequence[WordVectors]
) -> list[list[np.ndarray]]:
    """For each target set and each attribute set: (target words, attribute words)."""
    return [[cosine(one.vectors, other.vectors) for other in attributes] for one in targets]


def _keyed(targets: Sequence[WordVectors], attributes: Sequence[WordVectors]) -> np.ndarray:
    """Cosines, those with the second attribute set reversed: (target words, attribute words)."""
    return np.vstack(
        [np.hstack([first, -second]) for first, second in _cosines(targets, attributes)]
    )


def _estimates(
    sets: Sequence[np.ndarray], parts: str, reason: str, generator: np.random.Generator
) -> dict[str, tuple[Estimate, str]]:
    """Each coefficient, and why it is NaN."""
    if reason:
        return dict.fromkeys(COEFFICIENTS, (UNDEFINED, reason))
    most, values = (sum(table.shape[1] for table in sets), sum(table.size for table in sets))
    too_large = most > MOST_PARTS or values > MOST_VALUES
    missing = dict.fromkeys(COEFFICIENTS, TOO_LARGE.format(most, values) if too_large else "")
    known: dict[str, Estimate] = {}
    if parts == PAIRS:
        known["alpha"] = coefficients.cronbach_alpha(sets[0])
        known["icc_single"], known["icc_average"] = coefficients.intraclass_correlation(sets[0])
    else:
        known["alpha"] = coefficients.stratified_alpha(sets)
        missing |= dict.fromkeys(("icc_single", "icc_average"), NO_PARTNERS)
    if not too_large:
        of_pairs = parts == PAIRS
        omega = coefficients.mcdonald_omega if of_pairs else coefficients.stratified_omega
        known["omega"] = omega(sets[0] if of_pairs else sets)
        known["split_half"] = coefficients.split_half(sets, generator)
    found = {name: known.get(name, UNDEFINED) for name in COEFFICIENTS}
    return {
        name: (
            one,
            (NOTHING_VARIES if name in known else missing[name]) if math.isnan(one.value) else "",
        )
        for name, one in found.items()
    }


def _too_small(sets: Sequence[np.ndarray], items: str, parts: str) -> str:
    """Why sets are too small, or ""; each needs at least two parts."""
    least = min(table.shape[1] for table in sets)
    if min(len(sets[0]), least) >= 2:
        return ""
    return TOO_SMALL.format(items, parts, len(sets[0]), least)


def _places(sets: Sequence[WordVectors]) -> dict[tuple[int, int], int]:
    """Set and position of each word of the query -> its row; a repeated form counts once."""
    places: dict[tuple[int, int], int] = {}
    start = 0
    for number, words in enumerate(sets):
        rows, first = np.unique(words.row_of, return_index=True)
        known = zip(first[rows >= 0].tolist(), rows[rows >= 0].tolist(), strict=True)
        places |= {(number, position): start + row for position, row in known}
        start += len(words.words)
    return places


def _together(keyed: Sequence[Keyed]) -> np.ndarray:
    """Tables of several models over the words that all have: (models, words, attribute words)."""

    def common(name: str) -> list[list[int]]:
        """Of each model the rows or columns of these words."""
        places = [getattr(one, name) for one in keyed]
        shared = sorted(set(places[0]).intersection(*places[1:]))
        return [[of[place] for place in shared] for of in places]

    rows, columns = common("words"), common("attribute_words")
    return np.stack(
        [one.table[np.ix_(*each)] for one, *each in zip(keyed, rows, columns, strict=True)]
    )


def _share_rows(
    model: str, query: str, factors: Sequence[str], table: np.ndarray, reason: str
) -> Iterator[dict[str, Any]]:
    effects = chain.from_iterable(combinations(factors, n) for n in range(1, len(factors) + 1))
    shares = dict.fromkeys((" x ".join(effect) for effect in effects), math.nan)
    if not reason:
        shares |= coefficients.variance_shares(table, factors)
        reason = NOTHING_VARIES if any(map(math.isnan, shares.values())) else ""
    for effect, share in shares.items():
        yield {"model": model, "query": query, "effect": effect, "share": share, "reason": reason}
