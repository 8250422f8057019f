"""Do the parts of a score agree? Reliability over words and pairs, and what cosines vary with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
import pandas as pd

from fairflow.statistics import reliability as coefficients
from fairflow.statistics.estimate import UNDEFINED, Estimate
from fairflow.statistics.seeds import identity_generator
from fairflow.studies.validity.evidence import Evidence
from fairflow.vectors.directions import cosine, unit
from fairflow.vectors.query_vectors import QueryVectors, WordVectors

ATTRIBUTE_WORDS, TARGET_WORDS, PAIRS = "attribute words", "target words", "pairs"
COEFFICIENTS = ("alpha", "omega", "icc_single", "icc_average", "split_half")
# Omega and split halves of larger tables would take longer than all else.
MOST_PARTS, MOST_VALUES = 100, 10_000
TOO_LARGE = (
    f"computed for at most {MOST_PARTS} parts and {MOST_VALUES:,} values, there are {{}} and {{:,}}"
)
TOO_SMALL = "at least two {} and two {} are needed, there are {} and {}"
NOTHING_VARIES = "nothing varies that parts could share, or there are too few parts"
NO_SIGN = "target words get a sign from two target sets, there are {}"
ONE_MODEL = "fewer than two models have these words"
FACTORS = ("models", TARGET_WORDS, ATTRIBUTE_WORDS)

_COLUMNS = ["model", "criterion", "query", "parts", "coefficient", "value", "low", "high"]
_COLUMNS += ["n_items", "n_parts", "reason"]


def reliability(evidence: Evidence) -> pd.DataFrame:
    """How far the parts of the scores of each query agree (Du, Fang & Nguyen 2021).

    Queries of two attribute sets: the association of a target word is a sum over attribute words
    of its cosines, those of the second set with reversed sign; and the association of an attribute
    word a sum over target words, those of the second set reversed. Queries with declared pairs: the
    sum over pairs of the differences of a target word's cosines with both words.

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
        for parts, table, reason in _tables(found):
            generator = identity_generator(evidence.seed, "reliability", model, query, parts)
            shape = {"n_items": table.shape[0], "n_parts": table.shape[1]}
            for name, (estimate, why) in _estimates(table, parts, reason, generator).items():
                told = {"parts": parts, "coefficient": name, **estimate._asdict()}
                rows.append({**names, **told, **shape, "reason": why})
    return pd.DataFrame(rows, columns=_COLUMNS)


def variance_shares(evidence: Evidence) -> pd.DataFrame:
    """Which words and models the cosines of a query vary with: a G-study (Cronbach et al. 1972).

    The cosines of target words with attribute words, those of the second attribute set with
    reversed sign, as in `reliability`. What differs between target words beyond their interaction
    is what a comparison of them can rely on.

    Returns
    -------
    model ("" over all models, by the words that all have), criterion, query; effect: "target
    words", "attribute words", "target words x attribute words" and, over all models, those with
    "models", the largest holding what is left as well; share of the variance, those of a query
    summing to 1; reason, why it is NaN, else "".
    """
    rows = []
    for query, of_models in _by_query(evidence).items():
        keyed = {}
        for model, found in of_models.items():
            reason = _unusable(found)
            if not reason:
                targets, attributes = found.word_vectors()
                table = _keyed(targets, attributes)
                keyed[model] = table, _places(targets), _places(attributes)
                reason = _too_small(table, TARGET_WORDS, ATTRIBUTE_WORDS)
            rows += _share_rows(model, query, FACTORS[1:], keyed.get(model, (None,))[0], reason)
        together = _together([*keyed.values()]) if len(keyed) > 1 else None
        reason = ONE_MODEL if len(keyed) < 2 else _too_small(together[0], *FACTORS[1:])
        rows += _share_rows("", query, FACTORS, together, reason)
    table = pd.DataFrame(rows, columns=["model", "query", "effect", "share", "reason"])
    table.insert(1, "criterion", table["query"].map(dict(evidence.criteria)).fillna(""))
    return table


def _by_query(evidence: Evidence) -> dict[str, dict[str, QueryVectors]]:
    """Query -> model -> slice, of queries with two attribute sets."""
    found: dict[str, dict[str, QueryVectors]] = {}
    for (model, query), one in evidence.slices.items():
        if len(one.attributes) == 2:
            found.setdefault(query, {})[model] = one
    return found


def _tables(found: QueryVectors) -> Iterator[tuple[str, np.ndarray, str]]:
    """The tables of a query, (items, parts), with their names, and why one cannot be used."""
    kinds = [ATTRIBUTE_WORDS, TARGET_WORDS] if len(found.attributes) == 2 else []
    kinds += [PAIRS] if found.pairs is not None and found.targets else []
    reason = _unusable(found)
    if reason:
        yield from ((parts, np.empty((0, 0)), reason) for parts in kinds)
        return
    targets, attributes = found.word_vectors() if kinds else ([], [])
    if ATTRIBUTE_WORDS in kinds:
        keyed = _keyed(targets, attributes)
        yield ATTRIBUTE_WORDS, keyed, ""
        signs = np.repeat([1.0, -1.0], [len(one.words) for one in attributes])
        other_way = (keyed * signs).T
        if len(targets) == 2:
            other_way[:, len(targets[0].words) :] *= -1
        yield TARGET_WORDS, other_way, "" if len(targets) == 2 else NO_SIGN.format(len(targets))
    if PAIRS in kinds:
        first, second = np.moveaxis(found.pair_vectors.vectors, 1, 0)
        words = unit(np.concatenate([one.vectors for one in targets]))
        yield PAIRS, words @ (first - second).T, ""


def _unusable(found: QueryVectors) -> str:
    """Why nothing is computed of a slice, or ""."""
    if found.rejected:
        return found.rejected[1]
    if useless := found.without_direction:
        return f"zero or non-finite vectors: {', '.join(useless)}"
    return ""


def _keyed(targets: Sequence[WordVectors], attributes: Sequence[WordVectors]) -> np.ndarray:
    """Cosines, those with the second attribute set reversed: (target words, attribute words)."""
    words = np.concatenate([one.vectors for one in targets])
    first, second = (cosine(words, one.vectors) for one in attributes)
    return np.hstack([first, -second])


def _estimates(
    table: np.ndarray,
    parts: str,
    reason: str,
    generator: np.random.Generator,
) -> dict[str, tuple[Estimate, str]]:
    """Each coefficient, and why it is NaN."""
    items = ATTRIBUTE_WORDS if parts == TARGET_WORDS else TARGET_WORDS
    reason = reason or _too_small(table, items, parts)
    if reason:
        return dict.fromkeys(COEFFICIENTS, (UNDEFINED, reason))
    single, average = coefficients.intraclass_correlation(table)
    known = {"alpha": coefficients.cronbach_alpha(table)}
    known |= {"icc_single": single, "icc_average": average}
    missing = TOO_LARGE.format(table.shape[1], table.size)
    if table.shape[1] <= MOST_PARTS and table.size <= MOST_VALUES:
        known["omega"] = coefficients.mcdonald_omega(table)
        known["split_half"] = coefficients.split_half(table, generator)
        missing = ""
    found = {name: known.get(name, UNDEFINED) for name in COEFFICIENTS}
    return {
        name: (one, (missing or NOTHING_VARIES) if math.isnan(one.value) else "")
        for name, one in found.items()
    }


def _too_small(table: np.ndarray, items: str, parts: str) -> str:
    return TOO_SMALL.format(items, parts, *table.shape) if min(table.shape) < 2 else ""


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


def _together(
    keyed: Sequence[tuple[np.ndarray, Mapping[Any, int], Mapping[Any, int]]],
) -> np.ndarray:
    """Tables of several models over the words that all have: (models, words, attribute words)."""
    common = [
        sorted(set(keyed[0][axis]).intersection(*(one[axis] for one in keyed))) for axis in (1, 2)
    ]
    return np.stack(
        [
            table[np.ix_([rows[place] for place in common[0]], [columns[p] for p in common[1]])]
            for table, rows, columns in keyed
        ]
    )


def _share_rows(
    model: str, query: str, factors: Sequence[str], table: np.ndarray | None, reason: str
) -> Iterator[dict[str, Any]]:
    effects = chain.from_iterable(combinations(factors, n) for n in range(1, len(factors) + 1))
    shares = dict.fromkeys((" x ".join(effect) for effect in effects), math.nan)
    if not reason:
        shares |= coefficients.variance_shares(table, factors)
        reason = NOTHING_VARIES if any(map(math.isnan, shares.values())) else ""
    for effect, share in shares.items():
        yield {"model": model, "query": query, "effect": effect, "share": share, "reason": reason}
