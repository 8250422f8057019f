"""From the scores of a study to one number per criterion, metric and model."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.scores.ranked import ranked_rows
from fairflow.statistics import overlap
from fairflow.statistics.counts import FEW_COUNTS
from fairflow.statistics.intervals import percentile_interval
from fairflow.studies.comparability import (
    COMPARED,
    CONTROL,
    FAILS_CONTROL,
    FEW_QUERIES,
    NO_CONTROL,
    Unranked,
    failing_models,
    no_rivals,
    without_controls,
)
from fairflow.studies.ranking import aggregated_draws

OVERALL = "Overall"

AGGREGATIONS = {
    "avg": lambda values: values.mean(),
    "abs_avg": lambda values: values.abs().mean(),
    "sum": lambda values: values.sum(min_count=1),
    "abs_sum": lambda values: values.abs().sum(min_count=1),
}


class Rules(NamedTuple):
    """How the models of a study are compared.

    Attributes
    ----------
    aggregation : a key of `AGGREGATIONS`.
    directions : metric -> {signed, larger_is_fairer}: whether absolute values may be taken; a
        metric whose sign is not a direction (ECT) is averaged as it is.
    minimum_coverage : share of (sub-)queries, between 0 and 1.
    vectors, derived : model -> the name of its vectors, or the model that it is derived from, see
        `comparability.no_rivals`.
    incomparable : metric -> the status that says why no models are compared by it.
    query_groups : query -> the name of its group, which is that of all its sub-queries; any other
        (sub-)query is a group by itself.
    overlaps : query -> the words of its four sets, see `fairflow.statistics.overlap`: the draws of
        queries that share some vary too little.
    """

    aggregation: str
    directions: Mapping[str, Mapping[str, bool]]
    minimum_coverage: float
    vectors: Mapping[str, str] = {}
    derived: Mapping[str, str] = {}
    incomparable: Mapping[str, str] = {}
    query_groups: Mapping[str, str] = {}
    overlaps: Mapping[str, Sequence[Collection[str]]] = {}


def aggregate(scores: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """One number per criterion, metric and model.

    Equal sub-queries of several queries count once. An undefined (sub-)query is left out of
    `value`, as in publications, which count control queries too. Everything else leaves control
    queries out. For rankings `value_common` uses only (sub-)queries that every comparable model
    defines, so that a model never gains by losing a query. A model is comparable when it defines at
    least `minimum_coverage` of them. Among models with the same vectors only one is comparable;
    models derived from another, and models that fail a control query, are not.

    Parameters
    ----------
    scores : a study's table.

    Returns
    -------
    Columns criterion, metric, model, aggregation, value, value_common, score_low, score_high (95 %,
    of value_common, or of value where that is missing), n_queries, n_defined, n_common (0 for a
    model that is not comparable), undefined (labels of the undefined ones), status ("compared",
    "fails_control", "same_vectors", "derived" or "few_queries"), note (why it is not comparable),
    same_vectors_as and derived_from (models), control_status, control (what
    its control queries say).
    """
    alone = no_rivals(scores, rules.vectors, rules.derived)
    rows = []
    for criterion, metric, group in groups_to_compare(scores):
        rule = rule_for(rules.aggregation, rules.directions[metric]["signed"])
        names = {"criterion": criterion, "metric": metric}
        compared = comparable(group, rules.minimum_coverage, alone)
        every = group.drop_duplicates(["model", "subquery_digest"])
        for model, own in every.groupby("model", sort=False):
            found = _aggregated(str(model), own, (rule, rules.overlaps), compared)
            rows.append({**names, "model": model, **found})
    return pd.DataFrame(rows)


def groups_to_compare(scores: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Criterion, metric and primary rows; at last all criteria together if there are several.

    A value that rests on too few counts (`few_counts`) is not there to be compared.
    """
    headline = ranked_rows(scores)
    if "status" in headline:
        enough = headline["status"] != FEW_COUNTS
        headline = headline.assign(value=headline["value"].where(enough))
    groups = list(headline.groupby("criterion", sort=False))
    for criterion, group in [*groups, (OVERALL, headline)] if len(groups) > 1 else groups:
        for metric, rows in group.groupby("metric", sort=False):
            # Of one criterion all together would say the same again.
            if criterion != OVERALL or rows["criterion"].nunique() > 1:
                yield criterion, metric, rows


class Comparable(NamedTuple):
    """The part of a group that may be compared between models.

    Attributes
    ----------
    distinct : the group's rows, equal sub-queries of several queries once, no control queries.
    values : (sub-queries, models). models : those that define enough sub-queries, in order, one
        of those that are the same vectors.
    common : the sub-queries that all of them define; none if there is no such model.
    excluded : the other models, with the reason.
    """

    distinct: pd.DataFrame
    values: pd.DataFrame
    models: list[str]
    common: pd.Index
    excluded: dict[str, Unranked]


def comparable(
    group: pd.DataFrame, minimum_coverage: float, alone: Mapping[str, Unranked]
) -> Comparable:
    """Choose the models and sub-queries of a criterion and metric that may be compared.

    Parameters
    ----------
    alone : those that are no rivals, see `comparability.no_rivals`.
    """
    distinct = without_controls(group).drop_duplicates(["model", "subquery_digest"])
    values = distinct.pivot(index="subquery_digest", columns="model", values="value")
    # A model may have control queries alone.
    every = list(dict.fromkeys([*distinct["model"], *group["model"]]))
    values = values.reindex(columns=values.columns.union(every))
    excluded, failing = {}, failing_models(group)
    for model in every:
        if model in failing:
            excluded[model] = Unranked(FAILS_CONTROL, failing[model])
        elif model in alone:
            excluded[model] = alone[model]
        elif values.empty:
            excluded[model] = Unranked(FEW_QUERIES, "has no (sub-)queries but controls")
        elif values[model].notna().mean() < minimum_coverage:
            note = f"defines fewer than {100 * minimum_coverage:g}% of the (sub-)queries"
            excluded[model] = Unranked(FEW_QUERIES, note)
    models = [model for model in every if model not in excluded]
    common = values.index[values[models].notna().all(axis=1) & bool(models)]
    return Comparable(distinct, values, models, common, excluded)


def _aggregated(
    model: str,
    own: pd.DataFrame,
    how: tuple[str, Mapping[str, Sequence[Collection[str]]]],
    compared: Comparable,
) -> dict[str, Any]:
    """The numbers of a model, from its rows and the comparable part of the group."""
    rule, overlaps = how
    function, distinct = AGGREGATIONS[rule], compared.distinct
    of_model = distinct[distinct["model"] == model]
    undefined = of_model[of_model["value"].isna()]
    shared = compared.common if model in compared.models else compared.common[:0]
    rivalry = compared.excluded.get(model, Unranked(COMPARED, ""))
    value, common = function(own["value"]), function(compared.values.loc[shared, model])
    counted = own[own["subquery_digest"].isin(shared)] if len(shared) else own
    low, high = aggregate_interval(common if len(shared) else value, counted, rule, overlaps)
    return {
        "aggregation": rule,
        "value": value,
        "value_common": common,
        "score_low": low,
        "score_high": high,
        "n_queries": len(of_model),
        "n_defined": len(of_model) - len(undefined),
        "n_common": len(shared),
        "undefined": "; ".join(undefined["subquery"]),
        **rivalry._asdict(),
        **{name: next(iter(own.get(name, ())), NO_CONTROL) for name in CONTROL},
    }


def aggregate_interval(
    value: float,
    counted: pd.DataFrame,
    rule: str,
    overlaps: Mapping[str, Sequence[Collection[str]]],
) -> tuple[float, float]:
    """The interval of an aggregate over resampled words, NaN where some query has no resamples.

    The resamples are moved to the value: those of a size near 0 are larger than it. A mean size of
    associations that are 0 is above 0, and so is its interval.

    Parameters
    ----------
    value : the aggregate. counted : its rows with value, query and draws. rule : of `AGGREGATIONS`.
    overlaps : as `Rules` has them.
    """
    counted = counted.dropna(subset="value")
    lists = [] if "draws" not in counted else [np.size(one) for one in counted["draws"]]
    if len({*lists}) != 1 or max(lists) < 2:
        return np.nan, np.nan
    draws = np.array([np.asarray(one, float) for one in counted["draws"]])  # (queries, draws)
    sizes = np.abs(draws) if rule.startswith("abs_") else draws
    factor = overlap.widening(sizes, overlap.matrix([*counted["query"]], overlaps))
    drawn = overlap.widened(aggregated_draws(draws[np.newaxis], rule)[0], factor)
    drawn = drawn[~np.isnan(drawn)]
    if drawn.size == 0 or np.ptp(drawn) == 0:
        return np.nan, np.nan
    low, high = percentile_interval(drawn + (value - np.median(drawn)))
    return max(low, 0.0) if rule.startswith("abs_") else low, high


def rule_for(aggregation: str, signed: bool) -> str:
    """The rule for a metric: absolute values only where the sign is a direction."""
    return aggregation if signed else aggregation.removeprefix("abs_")
