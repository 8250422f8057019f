"""How much of a ranking is the length of the models' vectors.

RND, RNSB and RIPA grow with the length of vectors, so that a model of short ones ranks as fair
whatever its associations are.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from fairflow.aggregation import aggregate
from fairflow.rank_statistics import spearman
from fairflow.ranking import rank_models


def scale_audit(
    scores: pd.DataFrame,
    ranking: pd.DataFrame,
    audits: pd.DataFrame,
    scaling: Mapping[str, bool],
    aggregation: str,
    directions: Mapping[str, Mapping[str, bool]],
    minimum_coverage: float,
) -> pd.DataFrame:
    """For each criterion and metric: what vector length has to do with the ranking.

    Parameters
    ----------
    scores, ranking : of the study. audits : one row per model, with mean_norm.
    scaling : metric -> whether its value changes with the length of vectors.
    aggregation, directions, minimum_coverage : as for `fairflow.aggregation.aggregate`.

    Returns
    -------
    Columns criterion, metric, scales_with_length, n_models (ranked), norm_correlation (Spearman, of
    rank and mean vector length), norm_explains (its square), unit_length_correlation (Spearman, of
    the ranking and the one that unit-length vectors give), reason (of a missing correlation).
    """
    ranked = ranking[(ranking["source"] == "computed") & ranking["rank"].notna()]
    # The vectors of a language model's texts have no audit.
    ranked = ranked.merge(audits[["model", "mean_norm"]], on="model", how="left")
    if scores["value_unit_length"].notna().any():
        twins = scores.assign(value=scores["value_unit_length"])
        rows = aggregate(twins, aggregation, directions, minimum_coverage)
        nothing = pd.DataFrame(columns=["scope", "metric", "model", "value", "rank"])
        unit = rank_models(rows, nothing, directions)
        keys = ["criterion", "metric", "model"]
        ranked = ranked.merge(unit[[*keys, "rank"]], on=keys, suffixes=("", "_unit"))
    else:
        ranked = ranked.assign(rank_unit=float("nan"))
    rows = [
        _row(criterion, metric, group, scaling[metric])
        for (criterion, metric), group in ranked.groupby(["criterion", "metric"], sort=False)
    ]
    return pd.DataFrame(rows, columns=_COLUMNS)


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
    with_norm = _correlation(group["rank"], group["mean_norm"])
    with_unit = _correlation(group["rank"], group["rank_unit"])
    reason = None
    if pd.isna(with_norm) or pd.isna(with_unit):
        reason = "fewer than two different ranks, lengths or scores of unit-length vectors"
    return {
        "criterion": criterion,
        "metric": metric,
        "scales_with_length": scales,
        "n_models": len(group),
        "norm_correlation": with_norm,
        "norm_explains": with_norm**2,
        "unit_length_correlation": with_unit,
        "reason": reason,
    }


def _correlation(left: pd.Series, right: pd.Series) -> float:
    both = left.notna() & right.notna()
    # Lengths that agree to six digits are those of a model and its copy.
    return spearman(left[both].round(6).to_numpy(), right[both].round(6).to_numpy())
