"""From the scores of queries to one number per criterion, metric and model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

OVERALL = "Overall"

AGGREGATIONS = {
    "avg": lambda values: values.mean(),
    "abs_avg": lambda values: values.abs().mean(),
    "sum": lambda values: values.sum(min_count=1),
    "abs_sum": lambda values: values.abs().sum(min_count=1),
}


def tabulate(
    scores: pd.DataFrame, criteria: Mapping[str, Sequence[str]], labels: Mapping[str, str]
) -> pd.DataFrame:
    """Scores with the criterion and the label of each query.

    Parameters
    ----------
    scores : rows of score files. criteria : criterion -> queries.
    """
    criterion_of = {query: name for name, group in criteria.items() for query in group}
    table = scores.copy()
    table.insert(2, "criterion", table["query"].map(criterion_of))
    table.insert(4, "query_label", table["query"].map(labels))
    return table


def flattened(scores: pd.DataFrame) -> pd.DataFrame:
    """The table for a CSV file: lists of words joined, values of single words left out."""
    flat = scores.drop(columns=["words", "respelt_words"])
    respelt = [
        ", ".join(f"{w['word']} as {w['form']}" for w in row) for row in scores["respelt_words"]
    ]
    for name in ("lost_words", "duplicated_words", "shared_words"):
        flat[name] = flat[name].map(", ".join)
    return flat.assign(respelt_words=respelt)


def aggregate(
    scores: pd.DataFrame,
    aggregation: str,
    directions: Mapping[str, Mapping[str, bool]],
    minimum_coverage: float,
) -> pd.DataFrame:
    """One number per criterion, metric and model.

    Equal sub-queries of several queries count once. An undefined (sub-)query is left out of
    `value`, as publications do. For rankings `value_common` uses only those that every comparable
    model defines, so that a model never gains by losing a query; a model is comparable when it
    defines at least `minimum_coverage` of them.

    Parameters
    ----------
    scores : a study's table. aggregation : a key of `AGGREGATIONS`.
    minimum_coverage : share of (sub-)queries, between 0 and 1.
    directions : metric -> {signed, ...}: whether absolute values may be taken; a metric whose
        sign does not stand for a direction (ECT) is averaged as it is.

    Returns
    -------
    Columns criterion, metric, model, aggregation, value, value_common, n_queries, n_defined,
    n_common (0 for a model that is not comparable), undefined (labels of the undefined ones).
    """
    headline = scores[scores["headline"]]
    groups = {
        criterion: headline[headline["criterion"] == criterion]
        for criterion in _unique(headline["criterion"])
    }
    if len(groups) > 1:
        groups[OVERALL] = headline
    rows = [
        {"criterion": criterion, "metric": metric, **row}
        for criterion, group in groups.items()
        for metric in _unique(group["metric"])
        for row in _aggregate_metric(
            group[group["metric"] == metric],
            _rule(aggregation, directions[metric]["signed"]),
            minimum_coverage,
        )
    ]
    return pd.DataFrame(rows)


def _aggregate_metric(
    group: pd.DataFrame, rule: str, minimum_coverage: float
) -> list[dict[str, Any]]:
    function = AGGREGATIONS[rule]
    distinct = group.drop_duplicates(["model", "subquery_digest"])
    values = distinct.pivot(index="subquery_digest", columns="model", values="value")
    comparable = values.columns[values.notna().mean() >= minimum_coverage]
    common = values[comparable].notna().all(axis=1)
    rows = []
    for model in _unique(group["model"]):
        own = distinct[distinct["model"] == model]
        undefined = own[own["value"].isna()]
        shared = common if model in comparable else common & False
        rows.append(
            {
                "model": model,
                "aggregation": rule,
                "value": function(own["value"]),
                "value_common": function(values.loc[shared, model]),
                "n_queries": len(own),
                "n_defined": len(own) - len(undefined),
                "n_common": int(shared.sum()),
                "undefined": "; ".join(undefined["subquery"]),
            }
        )
    return rows


def _rule(aggregation: str, signed: bool) -> str:
    return aggregation if signed else aggregation.removeprefix("abs_")


def _unique(column: pd.Series) -> list[str]:
    return list(dict.fromkeys(column))
