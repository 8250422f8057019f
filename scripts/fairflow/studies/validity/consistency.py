"""Do the parts of a score agree? Reliability over words and pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

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
