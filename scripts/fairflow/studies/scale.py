"""How much of a ranking is the length of the models' vectors.

RND, RNSB and RIPA grow with the length of vectors, so that a model of short ones would rank as fair
whatever its associations are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

from fairflow.statistics.rank_statistics import spearman
from fairflow.studies.aggregation import aggregate
from fairflow.studies.comparability import LEAST_MODELS, TOO_FEW_MODELS
from fairflow.studies.direction import unfairness
from fairflow.studies.ranking import tie_numbers


def scale_audit(
    scores: pd.DataFrame,
    audits: pd.DataFrame,
    scaling: Mapping[str, bool],
    aggregation: str,
    directions: Mapping[str, Mapping[str, bool]],
    minimum_coverage: float,
) -> pd.DataFrame:
    """For each criterion and metric: what vector length has to do with the order of the models.

    Every model takes part that defines enough queries, twins of unit length too: here they bear
    witness to what length does. Fewer than `fairflow.studies.comparability.LEAST_MODELS` have no
    correlation.

    Parameters
    ----------
    scores : of the study. audits : one row per model, with mean_norm.
    scaling : metric -> whether its value changes with the length of vectors.
    aggregation, directions, minimum_coverage : as for `fairflow.studies.aggregation.aggregate`.

    Returns
    -------
    Columns criterion, metric, scales_with_length, n_models, norm_correlation (Spearman, of the
    order of the models and their mean vector length), norm_explains (its square),
    unit_length_correlation (Spearman, of that order and the one that unit-length vectors give),
    reason (of a missing correlation).
    """
    how = aggregation, directions, minimum_coverage
    order = _order(scores, *how)
    # The vectors of a language model's texts have no audit.
    order = order.merge(audits[["model", "mean_norm"]], on="model", how="left")
    if scores["value_unit_length"].notna().any():
        unit = _order(scores.assign(value=scores["value_unit_length"]), *how)
        order = order.merge(unit, on=_KEYS, how="left", suffixes=("", "_unit"))
    else:
        order = order.assign(unfairness_unit=float("nan"))
    rows = [
        _row(criterion, metric, group, scaling[metric])
        for (criterion, metric), group in order.groupby(["criterion", "metric"], sort=False)
    ]
    return pd.DataFrame(rows, columns=_COLUMNS)


def _order(
    scores: pd.DataFrame,
    aggregation: str,
    directions: Mapping[str, Mapping[str, bool]],
    minimum_coverage: float,
) -> pd.DataFrame:
    """What each model is ordered by: criterion, metric, model, unfairness; NaN left out."""
    rows = aggregate(scores, aggregation, directions, minimum_coverage)
    size = [
        unfairness(value, directions[metric])
        for value, metric in zip(rows["value_common"], rows["metric"], strict=True)
    ]
    return rows[_KEYS].assign(unfairness=size).dropna(subset="unfairness")


_KEYS = ["criterion", "metric", "model"]
_COLUMNS = [
    "criterion",
    "metric",
    "scales_with_length",
    "n_models",
    "norm_correlation",
    "norm_explains",
    "unit_length_correlation",
    "reason",
]


def _row(criterion: str, metric: str, group: pd.DataFrame, scales: bool) -> dict[str, object]:
    with_norm, no_norm = _correlation(group, "mean_norm", "lengths")
    with_unit, no_unit = _correlation(group, "unfairness_unit", "scores of unit-length vectors")
    return {
        "criterion": criterion,
        "metric": metric,
        "scales_with_length": scales,
        "n_models": len(group),
        "norm_correlation": with_norm,
        "norm_explains": with_norm**2,
        "unit_length_correlation": with_unit,
        "reason": "; ".join(dict.fromkeys(filter(None, (no_norm, no_unit)))) or None,
    }


def _correlation(group: pd.DataFrame, other: str, what: str) -> tuple[float, str | None]:
    """Spearman correlation of the order with another column, or NaN and why there is none."""
    both = group[["unfairness", other]].dropna().to_numpy(dtype=float)
    if len(group) and not len(both):
        return math.nan, f"no {what} are known"
    if len(both) < LEAST_MODELS:
        return math.nan, TOO_FEW_MODELS
    # What agrees to six digits is that of a model and its copy.
    value = spearman(*tie_numbers(both).T)
    return value, f"the models have equal scores or {what}" if math.isnan(value) else None
