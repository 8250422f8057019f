"""Ranking models by metric, and correlating the rankings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from fairflow.files.identity import identity_digest
from fairflow.statistics.correlation_tests import CorrelationTest, correlation, correlation_test
from fairflow.studies.comparability import (
    ALONE,
    COMPARED,
    GROWS_WITH_LENGTH,
    LEAST_MODELS,
    NOTES,
    TOO_FEW_MODELS,
    UNDEFINED,
)
from fairflow.studies.direction import unfairness

TIE_DECIMALS = 6


_COLUMNS = ["source", "criterion", "metric", "model", "score", "rank"]
_COLUMNS += ["n_queries", "n_common", "status", "note"]


def rank_models(
    aggregates: pd.DataFrame,
    published: pd.DataFrame,
    directions: Mapping[str, Mapping[str, bool]],
    scaling: Mapping[str, bool] | None = None,
) -> pd.DataFrame:
    """Rank 1 = fairest, for each source, criterion and metric.

    Computed scores are compared over the queries that every comparable model defines; those that
    tie (`tie_numbers`) share the mean of their ranks. A metric whose values grow with the length
    of vectors ranks nobody, and a model that none is compared with has no rank.
    Published scores are ranked as printed, whatever their metric; where they are equal at the
    printed decimals the printed rank decides.

    Parameters
    ----------
    aggregates : from `fairflow.studies.aggregation.aggregate`.
    published : columns scope, metric, model, value, rank; rows whose scope is no criterion of
        `aggregates` are left out.
    directions : metric -> {signed, larger_is_fairer}.
    scaling : metric -> whether its values grow with the length of vectors; none does by default.

    Returns
    -------
    Columns source, criterion, metric, model, score, rank, n_queries, n_common, status ("compared",
    or why there is no rank: see `fairflow.studies.comparability`), note (the same in words).
    """
    # A table without a single note reads as one of missing numbers.
    words = aggregates[["status", "note"]].astype(object).fillna("")
    computed = aggregates.assign(
        source="computed", score=aggregates["value_common"], tie=0.0, **words
    )
    is_criterion = published["scope"].isin(aggregates["criterion"])
    printed = published[is_criterion & published["metric"].isin(directions)]
    printed = printed.rename(columns={"scope": "criterion", "value": "score", "rank": "tie"})
    printed = printed.assign(source="published", status=COMPARED, note="")
    scores = pd.concat([computed, printed] if len(printed) else [computed], ignore_index=True)
    scores["rank"] = float("nan")
    for key, group in scores.groupby(["source", "criterion", "metric"], sort=False):
        source, metric = key[0], key[2]
        if source == "computed":
            group = _judged(group, (scaling or {}).get(metric, False))
            scores.loc[group.index, ["status", "note"]] = group[["status", "note"]]
        compared = group[group["status"] == COMPARED]
        ranks = _ranks(compared, directions[metric])
        scores.loc[compared.index, "rank"] = ranks
    return scores.reindex(columns=_COLUMNS).astype({"n_queries": "Int64", "n_common": "Int64"})


def _judged(group: pd.DataFrame, scales: bool) -> pd.DataFrame:
    """Computed scores of a criterion and metric with the status of those that have no rank."""
    compared = group["status"] == COMPARED
    defined = compared & group["score"].notna()
    statuses = group["status"].mask(compared & ~defined, UNDEFINED)
    if defined.sum() == 1:
        statuses = statuses.mask(defined, ALONE)
    if scales:
        statuses = statuses.mask(compared, GROWS_WITH_LENGTH)
    return group.assign(status=statuses, note=statuses.map(NOTES).fillna(group["note"]))


def correlate_rankings(
    ranking: pd.DataFrame,
    methods: Sequence[str] = ("spearman",),
    directions: Mapping[str, Mapping[str, bool]] | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Correlation of every two metrics' rankings, for each source and criterion.

    Spearman and Kendall compare ranks; Pearson the scores as they are ranked: absolute where the
    sign is a direction, negative where larger is fairer, so that agreement is always positive.

    Parameters
    ----------
    ranking : from `rank_models`. methods : of `correlation_tests.METHODS`.
    directions : metric -> {signed, larger_is_fairer}; needed for Pearson.
    seed : of the random orders, for more than 8 models.

    Returns
    -------
    Columns source, criterion, method, metric_row, metric_column, correlation (NaN when a ranking
    is constant), n_models, p_value (two-sided, by permutation), p_method, n_permutations,
    smallest_p (the smallest p-value that so many models allow), reason (of a missing p-value).
    Of computed ranks, fewer than `comparability.LEAST_MODELS` models have no correlation:
    two always agree or disagree entirely. Those of publications are replicated as printed.
    """
    rows = []
    for (source, criterion), group in ranking.groupby(["source", "criterion"], sort=False):
        metrics = list(dict.fromkeys(group["metric"]))
        for method in methods:
            values = _values_by_metric(group, method, directions)
            tests = {
                (row, column): _test(values, row, column, method, (seed, source, criterion))
                for i, row in enumerate(metrics)
                for column in metrics[i:]
            }
            rows += [
                {
                    "source": source,
                    "criterion": criterion,
                    "method": method,
                    "metric_row": row,
                    "metric_column": column,
                    **tests[(row, column) if (row, column) in tests else (column, row)],
                }
                for row in metrics
                for column in metrics
            ]
    return pd.DataFrame(rows)


def tie_numbers(values: np.ndarray) -> np.ndarray:
    """Number the distinct values of each column from 0, in order; NaN keeps no number (NaN).

    A value within half a unit of the sixth decimal, the precision of float32 vectors, of the next
    smaller one has its number, on whichever side of a rounding step they lie.

    Parameters
    ----------
    values : (models, ...), compared along the first axis.
    """
    order = np.argsort(values, axis=0, kind="stable")  # NaN last
    steps = np.diff(np.take_along_axis(values, order, axis=0), axis=0, prepend=-np.inf)
    numbers = np.cumsum(steps > 0.5 * 10.0**-TIE_DECIMALS, axis=0) - 1.0
    tie_of = np.empty(values.shape)
    np.put_along_axis(tie_of, order, numbers, axis=0)
    return np.where(np.isnan(values), np.nan, tie_of)


def _ranks(group: pd.DataFrame, direction: Mapping[str, bool]) -> pd.Series:
    key = tie_numbers(unfairness(group["score"], direction).to_numpy(dtype=float))
    # Pairs of score and printed rank in their order; equal pairs share the mean of their ranks.
    pairs = pd.DataFrame({"score": key, "tie": group["tie"].fillna(0)}, index=group.index)
    scored = pairs.dropna()
    return scored.groupby(["score", "tie"]).ngroup().rank(method="average").reindex(group.index)


def _values_by_metric(
    group: pd.DataFrame, method: str, directions: Mapping[str, Mapping[str, bool]] | None
) -> pd.DataFrame:
    """What a method correlates: (models, metrics)."""
    ranks = group.pivot(index="model", columns="metric", values="rank")
    if method != "pearson":
        return ranks
    scores = group.pivot(index="model", columns="metric", values="score").where(ranks.notna())
    return scores.apply(lambda column: unfairness(column, directions[column.name]))


def _test(
    values: pd.DataFrame, row: str, column: str, method: str, identity: tuple[int, str, str]
) -> dict[str, object]:
    """The test of a pair of metrics; identity: seed, source and criterion."""
    _, source, _ = identity
    pair = sorted({row, column})
    both = values[pair].dropna()
    left, right = (both[name].to_numpy(dtype=float) for name in (pair[0], pair[-1]))
    n_models = {"n_models": len(both)}
    if row == column:
        itself = CorrelationTest(correlation(left, left, method), reason="a metric with itself")
        columns = itself._asdict()
    elif source == "computed" and len(both) < LEAST_MODELS:
        columns = CorrelationTest(math.nan, reason=TOO_FEW_MODELS)._asdict()
    else:
        number = int.from_bytes(identity_digest(*identity, method, *pair))
        columns = correlation_test(left, right, method, number)._asdict()
    return {"correlation": columns.pop("correlation"), **n_models, **columns}
