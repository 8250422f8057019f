"""Ranking models by metric, and how sure a ranking is.

The words are a sample, so that a rank has a probability over draws of words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, product, takewhile
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pandas as pd

from fairflow.files.checksums import identity_digest
from fairflow.statistics import rank_tests
from fairflow.statistics.intervals import percentile_interval
from fairflow.studies.comparability import (
    ALONE,
    COMPARED,
    CONTROL,
    LEAST_MODELS,
    NOTES,
    RIVALRY,
    TOO_FEW_MODELS,
    UNDEFINED,
    unfairness,
)
from fairflow.studies.tables import columns_of

TIE_DECIMALS = 6
# The source of ranks of every model by every metric, as WEFE's rankings are.
EVERY = "every model"
EVERY_NOTE = "Every model is ranked by every metric over the queries that it defines, as WEFE does."

NOT_PUBLISHED = pd.DataFrame(columns=["scope", "metric", "model", "value", "rank"])

# Those that need no draws.
_COLUMNS = [*takewhile("expected_rank".__ne__, columns_of("ranking"))]


def rank_models(
    aggregates: pd.DataFrame,
    published: pd.DataFrame,
    directions: Mapping[str, Mapping[str, bool]],
    incomparable: Mapping[str, str] | None = None,
    ranks_every: bool = False,
) -> pd.DataFrame:
    """Rank 1 = fairest, for each source, criterion and metric.

    Computed scores are compared over the queries that every comparable model defines; those that
    tie (`tie_numbers`) share the mean of their ranks. A metric whose values are not comparable
    between models ranks nobody, and a model that none is compared with has no rank.
    Published scores are ranked as printed, whatever their metric; where they are equal at the
    printed decimals the printed rank decides.

    Parameters
    ----------
    aggregates : from `fairflow.studies.aggregation.aggregate`.
    published : columns scope, metric, model, value, rank; rows whose scope is no criterion of
        `aggregates` are left out.
    directions : metric -> {signed, larger_is_fairer}.
    incomparable : metric -> the status that says why no models are compared by it.
    ranks_every : whether to add the source `EVERY`: all models by all metrics, each by its own
        defined queries, as WEFE ranks them. The status says what speaks against a rank.

    Returns
    -------
    Columns source, criterion, metric, model, score, rank, n_queries, n_common, status ("compared",
    or why there is no rank: see `fairflow.studies.comparability`), note (the same in words),
    same_vectors_as, derived_from (models), control_status, control (what the model's control
    queries say), and aggregation to undefined of `aggregates`. Of published rows note to control
    are "".
    """
    # A table without a single note reads as one of missing numbers.
    words = aggregates[[*RIVALRY]].astype(object).fillna("")
    computed = aggregates.assign(
        source="computed", score=aggregates["value_common"], tie=0.0, **words
    )
    is_criterion = published["scope"].isin(aggregates["criterion"])
    printed = published[is_criterion & published["metric"].isin(directions)]
    printed = printed.rename(columns={"scope": "criterion", "value": "score", "rank": "tie"})
    none = dict.fromkeys((*RIVALRY, *CONTROL), "")
    printed = printed.assign(**none | {"source": "published", "status": COMPARED})
    sources = [computed] + [printed] * bool(len(printed))
    if ranks_every:
        own = {"score": aggregates["value"], "n_common": aggregates["n_defined"]}
        own |= dict.fromkeys(("score_low", "score_high"), np.nan)
        sources.append(computed.assign(source=EVERY, **own))
    scores = pd.concat(sources, ignore_index=True)
    scores["rank"] = float("nan")
    for key, group in scores.groupby(["source", "criterion", "metric"], sort=False):
        source, metric = key[0], key[2]
        if source != "published":
            group = _judged(group, (incomparable or {}).get(metric))
            scores.loc[group.index, ["status", "note"]] = group[["status", "note"]]
        compared = group if source == EVERY else group[group["status"] == COMPARED]
        ranks = _ranks(compared, directions[metric])
        scores.loc[compared.index, "rank"] = ranks
        if source == EVERY:
            against = group.loc[ranks.notna() & (group["note"] != ""), "note"]
            scores.loc[against.index, "note"] = against + "; ranked all the same"
    counts = dict.fromkeys(("n_queries", "n_common", "n_defined"), "Int64")
    return scores.reindex(columns=_COLUMNS).astype(counts)


def _judged(group: pd.DataFrame, incomparable: str | None) -> pd.DataFrame:
    """Computed scores of a criterion and metric with the status of those that have no rank."""
    compared = group["status"] == COMPARED
    defined = compared & group["score"].notna()
    statuses = group["status"].mask(compared & ~defined, UNDEFINED)
    if defined.sum() == 1:
        statuses = statuses.mask(defined, ALONE)
    if incomparable:
        statuses = statuses.mask(compared, incomparable)
    return group.assign(status=statuses, note=statuses.map(NOTES).fillna(group["note"]))


def correlate_rankings(
    ranking: pd.DataFrame,
    methods: Sequence[str] = ("spearman",),
    directions: Mapping[str, Mapping[str, bool]] = MappingProxyType({}),
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
    smallest_p (the smallest possible p-value for these models), reason (of a missing p-value).
    Of computed ranks, fewer than `comparability.LEAST_MODELS` models have no correlation:
    two always agree or disagree entirely. Those of publications are replicated as printed, and a
    study may ask for those of `EVERY`.
    """
    rows = []
    for (source, criterion), group in ranking.groupby(["source", "criterion"], sort=False):
        metrics = list(dict.fromkeys(group["metric"]))
        for method in methods:
            values = group.pivot(index="model", columns="metric", values="rank")
            if method == "pearson":
                ranked = values.notna()
                scores = group.pivot(index="model", columns="metric", values="score").where(ranked)
                values = scores.apply(lambda own: unfairness(own, directions[own.name]))
            names = {"source": source, "criterion": criterion, "method": method}
            tests = {
                frozenset(pair): _test(values, sorted({*pair}), seed, names)
                for pair in combinations_with_replacement(metrics, 2)
            }
            rows += [
                {**names, "metric_row": row, "metric_column": column}
                | tests[frozenset((row, column))]
                for row, column in product(metrics, repeat=2)
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


def _test(
    values: pd.DataFrame, pair: Sequence[str], seed: int, names: Mapping[str, str]
) -> dict[str, object]:
    """The test of a pair of metrics, or of one with itself; names: source, criterion, method."""
    both = values[pair].dropna()
    left, right = (both[name].to_numpy(dtype=float) for name in (pair[0], pair[-1]))
    if len(pair) == 1:
        itself = rank_tests.correlation(left, left, names["method"])
        test = rank_tests.CorrelationTest(itself, reason="a metric with itself")
    elif names["source"] == "computed" and len(both) < LEAST_MODELS:
        test = rank_tests.CorrelationTest(math.nan, reason=TOO_FEW_MODELS)
    else:
        number = int.from_bytes(identity_digest(seed, *names.values(), *pair))
        test = rank_tests.correlation_test(left, right, names["method"], number)
    value, *others = test._asdict().items()
    return dict([value, ("n_models", len(both)), *others])


# With fewer queries Wilcoxon's test has no p below 0.05, whatever the scores.
FEWEST_QUERIES = 6


class RankDistribution(NamedTuple):
    """Ranks of models over joint draws; rank 1 is the fairest.

    Attributes
    ----------
    probabilities : (models, places) chance of each place; every row and every column sums to 1.
    expected, low, high : (models,) mean rank and the ends of its percentile interval.
    n_draws : draws behind them; with none everything else is NaN.
    """

    probabilities: np.ndarray
    expected: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n_draws: int


def aggregated_draws(draws: np.ndarray, aggregation: str) -> np.ndarray:
    """One number per model and draw, by the rule of the ranking itself.

    Each score's draws have the spread of its interval, and words of the same draw are the same
    for all models; the spread of a difference of models is right as far as words that act together
    have the same share in both.

    Absolute values are taken of resampled scores, query by query, because the ranking's own
    statistic is what is resampled. They are biased upwards, the more the closer a score is to zero
    and the fewer words it rests on; so an expected rank may lie off the ranking's, mostly for
    models with scores near zero.

    Parameters
    ----------
    draws : (models, queries, draws), NaN where undefined. A query that any model leaves undefined
        in a draw is left out of that draw for all of them, as in `value_common` of
        `fairflow.studies.aggregation.aggregate`.
    aggregation : a key of `fairflow.studies.aggregation.AGGREGATIONS`.

    Returns
    -------
    (models, draws), NaN for a draw without any query.
    """
    common = ~np.isnan(draws).any(axis=0)  # (queries, draws)
    values = np.abs(draws) if aggregation.startswith("abs_") else draws
    sums = np.where(common, values, 0.0).sum(axis=1)
    n_common = common.sum(axis=0)
    divisor = n_common if aggregation.endswith("avg") else np.ones(len(n_common))
    defined = np.broadcast_to(n_common > 0, sums.shape)
    return np.divide(sums, divisor, out=np.full(sums.shape, np.nan), where=defined)


def rank_distribution(unfairness: np.ndarray, level: float = 0.95) -> RankDistribution:
    """Rank the models within every draw, and count.

    Models that tie in a draw (`ranking.tie_numbers`) have equal shares in the places that they
    take together and the mean of them as their rank.

    Parameters
    ----------
    unfairness : (models, draws), the smallest fairest; a draw with NaN is left out.
    level : of the intervals, whose ends are ranks that occur in the draws.
    """
    n_models = len(unfairness)
    numbers = tie_numbers(unfairness[:, ~np.isnan(unfairness).any(axis=0)])
    n_draws = numbers.shape[1]
    if n_models == 0 or n_draws == 0:
        none = np.full(n_models, np.nan)
        return RankDistribution(np.full((n_models, n_models), np.nan), none, none, none, 0)
    frame = pd.DataFrame(numbers)
    first, last = (np.ascontiguousarray(frame.rank(method=how)) for how in ("min", "max"))
    # Models in front, and those of the same rank, itself included: (models, draws).
    better, tied = first - 1, last - first + 1
    ranks = (first + last) / 2
    low, high = np.transpose([percentile_interval(of, level, "inverted_cdf") for of in ranks])
    probabilities = np.column_stack(
        [
            (((better <= place) & (place < better + tied)) / tied).mean(axis=1)
            for place in range(n_models)
        ]
    )
    return RankDistribution(probabilities, ranks.mean(axis=1), low, high, n_draws)
