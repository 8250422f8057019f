"""Do the groups of two contrasts have more words than random words, whatever the list of names?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from fairflow.metrics.intersections import AXES, QUADRANTS
from fairflow.nulls.group_claims import AS_RANDOM, FEWER, MORE, SAME, TURNED, UNDEFINED
from fairflow.statistics.rank_tests import ALPHA, holm
from fairflow.studies.claims.claim import OPEN, UNTESTED
from fairflow.studies.tables import columns_of
from fairflow.studies.tabulate import Tabulation
from fairflow.vectors.random_words import LEAST_PER_FORM

_CELL = ["model", "metric", "query"]


def intersections(scores: pd.DataFrame, how: Mapping[str, Any]) -> pd.DataFrame:
    """Each group of each crossed query and model: its share, and what random words give.

    by : the names of its contrasts that not every query has. quadrant : the measure; group : the
        names of its two sets.
    null_low, null_high, p_null : the band of random words and the two-sided p of the share, as the
        normal distribution has them, less half a word: with m random words for each word, what own
        words differ by from these varies (1 + 1/m) / (1 - 1/m) times as much as sets of these do.
    p_adjusted : by Holm's method over the groups of a query. verdict : see `group_claims`.
    is_largest : no group of the query has more. lists : the names of the sets, which other lists
        of words have, too. swap : whether these have one largest group; "turned" if two do not, and
        the interval over words of the group of each is above that by the other one.
    shared : of the words of a set, those that the other set of its contrast has, too.

    Parameters
    ----------
    scores : of a study. how : by (query -> names), shared (query -> share), and the number of
        random_words of a query.
    """
    asked = scores["query"].isin([*how["by"]]) & scores["measure"].isin(QUADRANTS)
    found = [_of_cell(rows, how) for _, rows in scores[asked].groupby(_CELL, sort=False)]
    table = pd.concat(found or [pd.DataFrame(columns=columns_of("intersections"))])
    for _, rows in table.groupby(["model", "metric", "lists"]):
        table.loc[rows.index, "swap"] = swapped([own for _, own in rows.groupby("query")])
    return table.reindex(columns=columns_of("intersections"))


def _of_cell(scores: pd.DataFrame, how: Mapping[str, Any]) -> pd.DataFrame:
    """The groups of a query in a model, in the order of `QUADRANTS`."""
    rows = scores.set_index("measure", drop=False).loc[[*QUADRANTS]].set_index(scores.index)
    query, sets = rows["query"].iloc[0], [*rows["attributes"].iloc[0]]
    words = {one["word"] for of in rows["words"] for one in of if one["measure"] == AXES[0]}
    drawn = max(LEAST_PER_FORM, -(-how["random_words"] // max(1, len(words))))
    value = rows["value"].to_numpy(float)
    middle = ((rows["null_band_low"] + rows["null_band_high"]) / 2).to_numpy(float)
    wide = ((drawn + 1) / (drawn - 1)) ** 0.5
    half = wide * (rows["null_band_high"] - rows["null_band_low"]).to_numpy(float) / 2
    distance = np.maximum(np.abs(value - middle) - 0.5 / max(1, len(words)), 0)
    p = _outside(distance, half, rows["ci_level"].to_numpy(float))
    adjusted = holm(p)
    far = np.where(adjusted < ALPHA, np.where(value > middle, MORE, FEWER), AS_RANDOM)
    return rows[[*_CELL, "criterion", "reason", *(f"ci_{end}" for end in _ENDS)]].assign(
        by=", ".join(how["by"][query]),
        quadrant=QUADRANTS,
        group=[f"{first} {second}" for first in sets[:2] for second in sets[2:]],
        targets=rows["targets"].str[0],
        n_words=len(words),
        value=value,
        null_low=np.maximum(middle - half, 0),
        null_high=np.minimum(middle + half, 1),
        p_null=p,
        p_adjusted=adjusted,
        verdict=np.where(np.isnan(value), UNDEFINED, np.where(np.isnan(p), UNTESTED, far)),
        is_largest=value == np.max(value),
        shared=how["shared"][query],
        lists=", ".join([rows["targets"].iloc[0][0], *sets]),
    )


_ENDS = ("low", "high", "low_both", "high_both")


def _outside(distance: np.ndarray, half: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Two-sided p of distances from the middle of normal bands of these half-widths: (n,)."""
    # Late, because scipy takes long to load.
    from scipy.special import ndtr, ndtri

    spread = half / ndtri((1 + level) / 2)
    far = np.divide(distance, spread, out=np.full(half.shape, np.inf), where=spread != 0)
    return np.where(distance == 0, 1.0, 2 * ndtr(-far))


def swapped(lists: Sequence[pd.DataFrame]) -> str:
    """What several lists of names say of the largest group; rows of each in the same order."""
    known = [rows.set_index("quadrant") for rows in lists if rows["value"].notna().all()]
    largest = [rows["value"].idxmax() for rows in known]
    if len(known) < 2:
        return UNTESTED
    if len({*largest}) == 1:
        return SAME
    pairs = combinations(zip(known, largest, strict=True), 2)
    return TURNED if any(_is_above(*a, b[0]) and _is_above(*b, a[0]) for a, b in pairs) else OPEN


def _is_above(own: pd.DataFrame, group: Any, other: pd.DataFrame) -> bool:
    """Whether the interval of a group by one list is above that by another."""
    return bool(own.loc[group, "ci_low"] > other.loc[group, "ci_high"])


def tables_of_crossed(study: Tabulation, how: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """The table of groups, as `fairflow.nulls.crossed` asks for it."""
    return {"intersections": intersections(study.table("scores.parquet"), how)}
