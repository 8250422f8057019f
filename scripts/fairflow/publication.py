"""Setting published numbers beside computed ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.errors import FairflowError

COLUMNS = [
    "table",
    "model",
    "published_model",
    "metric",
    "scope",
    "published",
    "decimals",
    "computed",
    "difference",
    "verdict",
    "reason",
]


FILE_COLUMNS = [
    "table",
    "model",
    "metric",
    "scope",
    "value",
    "decimals",
    "rank",
    "tolerance",
    "note",
]


def read_published(path: str | Path | None) -> pd.DataFrame:
    """A file of published numbers; an empty frame for None.

    Raises
    ------
    FairflowError : a column is missing.
    """
    if path is None:
        return pd.DataFrame(columns=FILE_COLUMNS)
    frame = pd.read_csv(path)
    missing = [name for name in FILE_COLUMNS if name not in frame]
    if missing:
        raise FairflowError(f"{path}: columns {', '.join(missing)} are missing")
    return frame


def compare_published(
    published: pd.DataFrame,
    scores: pd.DataFrame,
    aggregates: pd.DataFrame,
    models: Mapping[str, str],
) -> pd.DataFrame:
    """Each published number with ours, the difference, a verdict and the reason.

    Verdicts: "match" (equal at the printed decimals), "within tolerance" (of a number that its
    authors drew without a seed), "differs", "not computed".

    Parameters
    ----------
    published : columns table, model, metric, scope (a query or a criterion), value, decimals,
        rank, tolerance, note.
    scores, aggregates : a study's tables.
    models : published model -> ours.
    """
    known = _computed(scores, aggregates)
    rows = [
        _compare(row, models.get(row["model"]), known)
        for row in published.to_dict(orient="records")
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def compare_correlations(published: pd.DataFrame, correlations: pd.DataFrame) -> pd.DataFrame:
    """Each printed correlation of rankings beside the one recomputed from the published scores.

    Parameters
    ----------
    published : columns table, criterion, metric_row, metric_column, value, decimals.
    correlations : from `fairflow.ranking.correlate_rankings`; Spearman's are compared, which all
        are in a table without a column method.
    """
    is_spearman = correlations.get("method", "spearman") == "spearman"
    recomputed = correlations[(correlations["source"] == "published") & is_spearman]
    keys = ["criterion", "metric_row", "metric_column"]
    both = published.merge(recomputed[[*keys, "correlation"]], on=keys, how="left")
    rows = [
        {
            "table": row["table"],
            "published_model": "all",
            "metric": f"{row['metric_row']} ~ {row['metric_column']}",
            "scope": row["criterion"],
            "published": row["value"],
            "decimals": row["decimals"],
            "computed": row["correlation"],
            "difference": row["correlation"] - row["value"],
            "verdict": verdict(row["correlation"] - row["value"], row["decimals"], math.nan),
            "reason": "Spearman correlation of the published rankings",
        }
        for row in both.to_dict(orient="records")
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _computed(
    scores: pd.DataFrame, aggregates: pd.DataFrame
) -> dict[tuple[str, str, str], tuple[float, str]]:
    """(model, metric, scope) -> our number and what was lost or left out on the way."""
    known = {}
    for row in aggregates.to_dict(orient="records"):
        undefined = _text(row["undefined"])
        remark = f"undefined here: {undefined}" if undefined else ""
        known[row["model"], row["metric"], row["criterion"]] = row["value"], remark
    headline = scores[scores["headline"]].drop_duplicates(["model", "metric", "query"], keep=False)
    for row in headline.to_dict(orient="records"):
        lost = ", ".join(row["lost_words"])
        remark = _text(row["reason"]) or (f"lost: {lost}" if lost else "")
        known[row["model"], row["metric"], row["query"]] = row["value"], remark
    return known


def _compare(
    row: Mapping[str, Any], model: str | None, known: Mapping[Any, tuple[float, str]]
) -> dict[str, Any]:
    missing = row["model"] if model is None else f"{row['metric']} of {row['scope']}"
    absent = f"{missing} is not computed in this study"
    computed, remark = known.get((model, row["metric"], row["scope"]), (math.nan, absent))
    difference = computed - row["value"]
    return {
        **{name: row[name] for name in ("table", "metric", "scope", "decimals")},
        "model": model,
        "published_model": row["model"],
        "published": row["value"],
        "computed": computed,
        "difference": difference,
        "verdict": verdict(difference, row["decimals"], row["tolerance"]),
        "reason": "; ".join(part for part in (_text(row["note"]), remark) if part),
    }


def verdict(difference: float, decimals: int, tolerance: float) -> str:
    """What a difference means for a number printed with so many decimals.

    Parameters
    ----------
    tolerance : NaN when there is none.
    """
    if math.isnan(difference):
        return "not computed"
    # The last term forgives the binary rounding of a decimal half.
    if abs(difference) <= 0.5 * 10.0**-decimals + 1e-9:
        return "match"
    return "within tolerance" if abs(difference) <= tolerance else "differs"
