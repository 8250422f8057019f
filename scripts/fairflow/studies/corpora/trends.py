"""Does a value change over the subcorpora of a division? Every contrast is a weighted sum."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from fairflow.corpora.subcorpora import Subcorpus
from fairflow.studies.corpora.draws import KEY, Drawn, spread

FEWEST = 3
SLOPE = "slope per decade"
COLUMNS = (
    *("division", *KEY, "contrast", "value", "standard_error", "low", "high", "p_value"),
    *("n_draws", "reason"),
)
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
        dict(zip(COLUMNS, key, strict=False)) | {"contrast": contrast} | row
        for key, parts in groups.items()
        for contrast, row in _contrasts(parts, level)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def slope_weights(positions: np.ndarray) -> np.ndarray:
    """Weights of values whose sum is the least-squares slope for ten units of position: (n,)."""
    centred = positions - positions.mean()
    return 10 * centred / (centred @ centred)


def _contrasts(parts: Parts, level: float) -> Iterator[tuple[str, dict[str, Any]]]:
    if any(math.isnan(part.position) for part, _ in parts):
        for pair in combinations(parts, 2):
            yield _named(pair), _combined(pair, np.array([1.0, -1.0]), level)
        return
    if len(parts) >= FEWEST:
        yield SLOPE, _slope(parts, level)
    if len(parts) > 1:
        pair = [parts[-1], parts[0]]
        yield _named(pair), _combined(pair, np.array([1.0, -1.0]), level)


def _named(pair: Parts) -> str:
    return " minus ".join(part.label for part, _ in pair)


def _slope(parts: Parts, level: float) -> dict[str, Any]:
    """Over the subcorpora that have a value."""
    defined = [each for each in parts if not math.isnan(each[1].value)]
    without = "; ".join(
        f"without {part.label}: {drawn.reason}" for part, drawn in parts if math.isnan(drawn.value)
    )
    if len(defined) < FEWEST:
        return {"n_draws": 0, "reason": f"fewer than {FEWEST} subcorpora with a value: {without}"}
    weights = slope_weights(np.array([part.position for part, _ in defined]))
    found = _combined(defined, weights, level)
    return found | {"reason": "; ".join(filter(None, [without, found["reason"]]))}


def _combined(parts: Parts, weights: np.ndarray, level: float) -> dict[str, Any]:
    """The weighted sum of values, and of their draws by number."""
    number = min(len(drawn.documents) for _, drawn in parts)
    documents = min(drawn.n_documents for _, drawn in parts)
    draws = weights @ np.stack([drawn.documents[:number] for _, drawn in parts])
    value = float(weights @ np.array([drawn.value for _, drawn in parts]))
    missing = [
        f"{part.label}: {drawn.reason or 'one document, no interval'}"
        for part, drawn in parts
        if math.isnan(drawn.value) or drawn.n_documents == 1
    ]
    return {
        "value": value,
        **spread(value, draws, documents, level)._asdict(),
        "n_draws": int(np.count_nonzero(~np.isnan(draws))),
        "reason": "; ".join(missing),
    }
