"""Ranking models by metric, and correlating the rankings."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from fairflow.rank_statistics import spearman

TIE_DECIMALS = 6


def rank_models(
    aggregates: pd.DataFrame,
    published: pd.DataFrame,
    directions: Mapping[str, Mapping[str, bool]],
) -> pd.DataFrame:
    """Rank 1 = fairest, for each source, criterion and metric.

    Computed scores are compared over the queries that every comparable model defines; those equal
    to six decimals, the precision of float32 vectors, share the mean of their ranks.
    Published scores are ranked as printed; where they are equal at the printed decimals the
    printed rank decides.

    Parameters
    ----------
    aggregates : from `fairflow.aggregation.aggregate`.
    published : columns scope, metric, model, value, rank; rows whose scope is no criterion of
        `aggregates` are left out.
    directions : metric -> {signed, larger_is_fairer}.

    Returns
    -------
    Columns source, criterion, metric, model, score, rank, n_queries, n_common.
    """
    computed = aggregates.assign(source="computed", score=aggregates["value_common"], tie=0.0)
    is_criterion = published["scope"].isin(aggregates["criterion"])
    printed = published[is_criterion & published["metric"].isin(directions)]
    printed = printed.rename(columns={"scope": "criterion", "value": "score", "rank": "tie"})
    printed = printed.assign(source="published")
    scores = pd.concat([computed, printed] if len(printed) else [computed], ignore_index=True)
    scores["rank"] = float("nan")
    for (_, _, metric), group in scores.groupby(["source", "criterion", "metric"], sort=False):
        scores.loc[group.index, "rank"] = _ranks(group, directions[metric])
    columns = ["source", "criterion", "metric", "model", "score", "rank", "n_queries", "n_common"]
    return scores.reindex(columns=columns).astype({"n_queries": "Int64", "n_common": "Int64"})


def correlate_rankings(ranking: pd.DataFrame) -> pd.DataFrame:
    """Spearman correlation of every two metrics' rankings, for each source and criterion.

    Returns
    -------
    Columns source, criterion, method, metric_row, metric_column, correlation (NaN when a ranking
    is constant), n_models.
    """
    rows = []
    for (source, criterion), group in ranking.groupby(["source", "criterion"], sort=False):
        metrics = list(dict.fromkeys(group["metric"]))
        ranks = group.pivot(index="model", columns="metric", values="rank")
        for row in metrics:
            for column in metrics:
                both = ranks[[row, column]].dropna() if row != column else ranks[[row]].dropna()
                rows.append(
                    {
                        "source": source,
                        "criterion": criterion,
                        "method": "spearman",
                        "metric_row": row,
                        "metric_column": column,
                        "correlation": spearman(both[row].to_numpy(), both[column].to_numpy()),
                        "n_models": len(both),
                    }
                )
    return pd.DataFrame(rows)


def _ranks(group: pd.DataFrame, direction: Mapping[str, bool]) -> pd.Series:
    key = (group["score"].abs() if direction["signed"] else group["score"]).round(TIE_DECIMALS)
    if direction["larger_is_fairer"]:
        key = -key
    order = pd.Series(list(zip(key, group["tie"].fillna(0), strict=True)), index=group.index)
    # Pairs have no order of their own for rank(): number the distinct ones first.
    numbers = {pair: number for number, pair in enumerate(sorted(set(order[key.notna()])))}
    return order.map(numbers).where(key.notna()).rank(method="average")
