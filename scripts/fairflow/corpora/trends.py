"""Does an excess change over the subcorpora of a division? Every contrast is a weighted sum."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from fairflow.corpora.draws import KEY, Drawn, Spread, spread
from fairflow.corpora.sample import Subcorpus

FEWEST = 3
SLOPE, DIFFERENCE = "slope", "difference"
COLUMNS = ["division", *KEY, "kind", "contrast", "observed", "null_mean", "value", *Spread._fields]
COLUMNS += ["n_draws", "n_clusters", "without", "reason"]
WORD = "word"
Parts = Sequence[tuple[Subcorpus, Drawn]]


def parted(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The table `corpus_scores` by its `kind`: scores (no kind), slopes and differences, words."""
    kinds = table.get("kind", pd.Series(index=table.index, dtype=object))
    return table[kinds.isna()], table[kinds.isin([SLOPE, DIFFERENCE])], table[kinds == WORD]


def corpus_trends(found: Parts, level: float) -> pd.DataFrame:
    """Slopes and differences of the excess over the subcorpora of each division.

    kind : "slope" (least squares on `position`, per decade) and "difference", the last minus the
        first, of a division by date; "difference" of each pair of a division by values.
    contrast : for readers, "per decade" or "ONE minus OTHER".
    observed, null_mean, value : of the values of all documents, of shuffled texts, and the first
        minus the second: each subcorpus less its own shuffled mean. Log odds ratios need none.
    standard_error, low, high, p_value : over documents and seeds, with the variance of the shuffled
        means, see `fairflow.corpora.draws.spread`; subcorpora are independent.
    n_draws, n_clusters : the fewest draws with a value, and documents or clusters of them that are
        drawn, of the subcorpora that take part.
    without : labels of the subcorpora that have no value and are left out of a slope.
    reason : why the value or its interval is NaN, or why these are left out.

    Parameters
    ----------
    found : subcorpora in order, with their values.
    """
    groups: dict[tuple[str, ...], list[tuple[Subcorpus, Drawn]]] = {}
    for part, drawn in found:
        if part.division:
            groups.setdefault((part.division, *drawn.key), []).append((part, drawn))
    rows = [
        dict(zip(("division", *KEY), key, strict=True)) | contrast
        for key, of_key in groups.items()
        for contrast in _contrasts(of_key, level)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _contrasts(parts: Parts, level: float) -> Iterator[dict[str, Any]]:
    """The columns of each contrast."""
    pairs = [*combinations(parts, 2)]
    if not any(math.isnan(part.position) for part, _ in parts):
        pairs = [(parts[-1], parts[0])] * (len(parts) > 1)
        known = [each for each in parts if not math.isnan(each[1].value)]
        lost = [each for each in parts if math.isnan(each[1].value)]
        told = {"kind": SLOPE, "contrast": "per decade"}
        told["without"] = ", ".join(part.label for part, _ in lost)
        if len(known) >= FEWEST:
            # Their sum of values is the least-squares slope for ten units of position.
            positions = np.array([part.position for part, _ in known])
            centred = positions - positions.mean()
            weights = 10 * centred / (centred @ centred)
            yield told | _combined(known, weights, level) | {"reason": _missing(parts)}
        elif len(parts) >= FEWEST:
            reason = f"fewer than {FEWEST} subcorpora with a value: {_missing(lost)}"
            yield told | _combined(parts, [math.nan] * len(parts), level) | {"reason": reason}
    for pair in pairs:
        told = {"contrast": " minus ".join(part.label for part, _ in pair), "without": ""}
        told |= {"kind": DIFFERENCE, "reason": _missing(pair)}
        yield told | _combined(pair, [1.0, -1.0], level)


def _missing(parts: Parts) -> str:
    """Which of them have no value or no interval, and why."""
    return "; ".join(
        f"{part.label}: {drawn.reason or drawn.no_interval}"
        for part, drawn in parts
        if math.isnan(drawn.value) or drawn.no_interval
    )


def _combined(parts: Parts, weights: Sequence[float], level: float) -> dict[str, Any]:
    """The weighted sum of the excesses, and what it rests on."""
    weighted = [(float(w), drawn) for w, (_, drawn) in zip(weights, parts, strict=True)]
    terms = [(w * sign, each) for w, drawn in weighted for sign, each in drawn.terms]
    observed = sum(w * drawn.value for w, drawn in weighted)
    null = sum(w * drawn.null.value for w, drawn in weighted)
    return {
        "observed": observed,
        "null_mean": null,
        "value": observed - null,
        **spread(terms, level)._asdict(),
        "n_draws": min(np.count_nonzero(~np.isnan(drawn.documents)) for _, drawn in parts),
        "n_clusters": min(drawn.units for _, drawn in parts),
    }
