"""The scores on which models may be compared: of the same (sub-)queries, on the same words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from fairflow.errors import FairflowError
from fairflow.studies.aggregation import comparable, groups_to_compare
from fairflow.studies.comparability import (
    ALONE,
    GROWS_WITH_LENGTH,
    NOTES,
    UNDEFINED,
    no_rivals,
)


class ComparableScores(NamedTuple):
    """The scores of one criterion and metric on which models are compared.

    Attributes
    ----------
    names : criterion and metric. models : all. comparable : those that are compared, two or more,
        or none. excluded : model -> why it is not compared. why_none : if none is, else empty.
    values : (comparable models, common queries), without NaN.
    draws : (comparable models, common queries that have draws, draws), NaN where undefined.
    note : why numbers that need draws are missing or rest on fewer queries, else empty.
    """

    names: dict[str, str]
    models: tuple[str, ...]
    comparable: tuple[str, ...]
    excluded: dict[str, str]
    why_none: str
    values: np.ndarray
    draws: np.ndarray
    note: str


def comparable_scores(
    scores: pd.DataFrame,
    minimum_coverage: float,
    vectors: Mapping[str, str] | None = None,
    scaling: Mapping[str, bool] | None = None,
    derived: Mapping[str, str] | None = None,
) -> Iterator[ComparableScores]:
    """For each criterion, and all together when there are several, and each metric.

    Models and (sub-)queries are those of `value_common` in
    `fairflow.studies.aggregation.aggregate`. By a metric whose values grow with the length of
    vectors no models are compared.

    Parameters
    ----------
    scores : a study's table; draws may be missing, None or empty.
    vectors, scaling, derived : as for `aggregation.aggregate` and `ranking.rank_models`.

    Raises
    ------
    FairflowError : lists of draws differ in length.
    """
    alone = no_rivals(scores, vectors or {}, derived or {})
    for criterion, metric, group in groups_to_compare(scores):
        names = {"criterion": criterion, "metric": metric}
        scales = (scaling or {}).get(metric, False)
        yield _compared(names, group, minimum_coverage, alone, scales)


def _compared(
    names: dict[str, str],
    group: pd.DataFrame,
    minimum_coverage: float,
    alone: Mapping[str, tuple[str, str]],
    scales: bool,
) -> ComparableScores:
    models = tuple(dict.fromkeys(group["model"]))
    distinct, values, compared, common, excluded = comparable(group, minimum_coverage, alone)
    reasons = {model: note for model, (_, note) in excluded.items()}
    why_none = ""
    if scales or common.empty or len(compared) == 1:
        why_none = NOTES[GROWS_WITH_LENGTH if scales else UNDEFINED if common.empty else ALONE]
        reasons |= dict.fromkeys(compared, why_none)
        compared, common = [], common[:0]
    chosen = values.loc[common, compared].to_numpy(dtype=float).T
    if "draws" in distinct:
        lists = distinct.pivot(index="subquery_digest", columns="model", values="draws")
        cells = lists.loc[common, compared].to_numpy(dtype=object).T
    else:
        cells = np.full(chosen.shape, None, dtype=object)
    draws = _joint_draws(names, cells)
    note = _note(chosen, draws)
    return ComparableScores(names, models, tuple(compared), reasons, why_none, chosen, draws, note)


def _joint_draws(names: Mapping[str, str], cells: np.ndarray) -> np.ndarray:
    """Lists of the queries that have one for every model: (models, queries) -> (..., draws)."""
    has_draws = np.array([[c is not None and np.size(c) > 0 for c in row] for row in cells])
    complete = cells[:, has_draws.reshape(cells.shape).all(axis=0)]
    if complete.size == 0:
        return np.empty((*complete.shape[:1], 0, 0))
    lengths = {len(cell) for cell in complete.flat}
    if len(lengths) > 1:
        raise FairflowError(
            f"draws of {names['metric']} in {names['criterion']}: found lists of "
            f"{', '.join(map(str, sorted(lengths)))} numbers, expected equal lengths, because "
            "draws of different rows belong together. Score the study again with one setting."
        )
    return np.array([[np.asarray(c, dtype=float) for c in row] for row in complete])


def _note(values: np.ndarray, draws: np.ndarray) -> str:
    n_common = values.shape[1]
    n_queries, n_draws = draws.shape[1:]
    if n_queries == 0:
        return "the scores hold no draws"
    parts = []
    if n_queries < n_common:
        parts.append(f"{n_common - n_queries} of {n_common} queries have no draws and are left out")
    undefined = int(np.isnan(draws).any(axis=(0, 1)).sum())
    if undefined:
        parts.append(
            f"in {undefined} of {n_draws} draws some query is undefined and left out of the draw"
        )
    return "; ".join(parts)
