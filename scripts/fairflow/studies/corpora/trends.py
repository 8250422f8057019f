"""Does a value change over the subcorpora of a division? Every contrast is a weighted sum."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from fairflow.corpora.subcorpora import Subcorpus
from fairflow.studies.corpora.draws import KEY, Drawn, Spread, spread

FEWEST = 3
SLOPE = "slope per decade"
COLUMNS = ["division", *KEY, "contrast", "value", *Spread._fields, "n_draws", "reason"]
Parts = Sequence[tuple[Subcorpus, Drawn]]


def corpus_trends(found: Parts, level: float) -> pd.DataFrame:
    """Slopes and differences over the subcorpora of each division.

    contrast : "slope per decade" (least squares on `position`) and "LAST minus FIRST" of a division
        by date, "ONE minus OTHER" of each pair of a division by values.
    value : of all documents. standard_error, low, high, p_value : over documents and seeds, see
        `fairflow.studies.corpora.draws.spread`; each draw gives one value, as samples of different
        subcorpora are independent. n_draws : those with a value in each subcorpus.
    reason : why the value or its interval is NaN; or which subcorpora are left out of a slope.

    Parameters
    ----------
    found : subcorpora in order, with their values.
    """
    groups: dict[tuple[str, ...], list[tuple[Subcorpus, Drawn]]] = {}
    for part, drawn in found:
        if part.division:
            groups.setdefault((part.division, *drawn.key), []).append((part, drawn))
    rows = [
        (*key, contrast, *_combined(parts, np.array(weights), level), reason)
        for key, of_key in groups.items()
        for contrast, parts, weights, reason in _contrasts(of_key)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def slope_weights(positions: np.ndarray) -> np.ndarray:
    """Weights of values whose sum is the least-squares slope for ten units of position: (n,)."""
    centred = positions - positions.mean()
    return 10 * centred / (centred @ centred)


def _contrasts(parts: Parts) -> Iterator[tuple[str, Parts, Sequence[float], str]]:
    """Each contrast, the subcorpora that take part, their weights, and what is missing."""
    pairs = [*combinations(parts, 2)]
    if not any(math.isnan(part.position) for part, _ in parts):
        pairs = [(parts[-1], parts[0])] * (len(parts) > 1)
        known = [each for each in parts if not math.isnan(each[1].value)]
        lost = [each for each in parts if math.isnan(each[1].value)]
        without = f"without {_missing(lost)}" * bool(lost)
        if len(known) >= FEWEST:
            weights = slope_weights(np.array([part.position for part, _ in known]))
            yield SLOPE, known, weights, "; ".join(filter(None, (without, _missing(known))))
        elif len(parts) >= FEWEST:
            reason = f"fewer than {FEWEST} subcorpora with a value: {without}"
            yield SLOPE, parts, [math.nan] * len(parts), reason
    for pair in pairs:
        yield " minus ".join(part.label for part, _ in pair), pair, [1, -1], _missing(pair)


def _missing(parts: Parts) -> str:
    """Which of them have no value or no interval, and why."""
    return "; ".join(
        f"{part.label}: {drawn.reason or 'one document, no interval'}"
        for part, drawn in parts
        if math.isnan(drawn.value) or drawn.n_documents == 1
    )


def _combined(parts: Parts, weights: np.ndarray, level: float) -> tuple[float, ...]:
    """The weighted sum of values, and of their draws by number: value, spread, number of draws."""
    number = min(len(drawn.documents) for _, drawn in parts)
    documents = min(drawn.n_documents for _, drawn in parts)
    draws = weights @ np.stack([drawn.documents[:number] for _, drawn in parts])
    value = float(weights @ np.array([drawn.value for _, drawn in parts]))
    n_draws = int(np.count_nonzero(~np.isnan(draws)))
    return value, *spread(value, draws, documents, level), n_draws
