"""Do the parts of a score agree? Reliability over words and pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from fairflow.statistics.intervals import UNDEFINED
from fairflow.statistics.reliability import cronbach_alpha, stratified_alpha
from fairflow.validity.evidence import Evidence, sets_of_query
from fairflow.vectors.directions import cosine, unit
from fairflow.vectors.query_vectors import QueryVectors

ATTRIBUTE_WORDS, TARGET_WORDS, PAIRS = "attribute words", "target words", "pairs"
TOO_SMALL = "at least two {} and two {} in a set are needed, there are {} and {}"
NOTHING_VARIES = "nothing varies that parts could share, or there are too few parts"
NO_SIGN = "target words get a sign from two target sets, there are {}"

_COLUMNS = ["model", "criterion", "query", "parts", "value", "low", "high", "n_items", "n_parts"]
_COLUMNS += ["reason"]


def reliability(evidence: Evidence) -> pd.DataFrame:
    """How far the parts of the scores of each query agree (Du, Fang & Nguyen 2021).

    Queries of two attribute sets: the association of a target word is the difference of its mean
    cosines with both sets, and that of an attribute word the difference of its mean cosines with
    both target sets; alpha is that of a difference (`stratified_alpha`). Pairs that a query
    declares: the difference of a word's cosines with both words of each pair.

    Returns
    -------
    model, criterion, query; parts: "attribute words" (items are target words), "target words"
    (items are attribute words), "pairs" (items are target words); value: Cronbach's alpha, at most
    1, with its interval (low, high); n_items, n_parts; reason, why value is NaN, else "".
    """
    rows = []
    for names, found in evidence.named_slices():
        for parts, sets, reason in _tables(found):
            alpha = UNDEFINED
            if not reason:
                alpha = cronbach_alpha(sets[0]) if parts == PAIRS else stratified_alpha(sets)
                reason = NOTHING_VARIES if math.isnan(alpha.value) else ""
            shape = {"n_items": len(sets[0]), "n_parts": sum(table.shape[1] for table in sets)}
            rows.append({**names, "parts": parts, **alpha._asdict(), **shape, "reason": reason})
    return pd.DataFrame(rows, columns=_COLUMNS)


def _tables(found: QueryVectors) -> Iterator[tuple[str, list[np.ndarray], str]]:
    """Name, and the tables (items, parts) of each set of parts; and why they cannot be used."""
    kinds = [ATTRIBUTE_WORDS, TARGET_WORDS] if len(found.attributes) == 2 else []
    kinds += [PAIRS] if found.pairs is not None and found.targets else []
    targets, attributes, reason = sets_of_query(found)
    if reason:
        yield from ((parts, [np.empty((0, 0))], reason) for parts in kinds)
        return
    if ATTRIBUTE_WORDS in kinds:
        # For each target set and each attribute set: (target words, attribute words).
        cosines = [[cosine(one.vectors, other.vectors) for other in attributes] for one in targets]
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


def _too_small(sets: Sequence[np.ndarray], items: str, parts: str) -> str:
    """Why sets are too small, or ""; each needs at least two parts."""
    least = min(table.shape[1] for table in sets)
    if min(len(sets[0]), least) >= 2:
        return ""
    return TOO_SMALL.format(items, parts, len(sets[0]), least)
