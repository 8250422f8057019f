"""How far the models of a study can be told apart: the tables of their comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.statistics.friedman import ALPHA, critical_difference, friedman_test
from fairflow.statistics.multiplicity import holm
from fairflow.statistics.signed_rank import signed_rank_p
from fairflow.studies import rank_probabilities as places
from fairflow.studies.aggregation import rule_for
from fairflow.studies.comparable_scores import ComparableScores, comparable_scores
from fairflow.studies.direction import unfairness
from fairflow.studies.ranking import tie_numbers

NOT_COMPARED = "not compared: "
OPTIMISTIC = (
    "(sub-)queries share word lists and are not independent: n_queries is optimistic, and p may be "
    "too small"
)
OPTIMISTIC_WIDTH = ", as may the critical difference"

_COLUMNS = {
    "rank_probabilities": "criterion metric model place probability",
    "rank_uncertainty": "criterion metric model rank expected_rank rank_low rank_high n_draws "
    "n_queries note",
    "pairwise": "criterion metric model other p_fairer wilcoxon_p wilcoxon_holm n_queries note",
    "friedman": "criterion metric n_models n_queries statistic p_value method critical_difference "
    "alpha p_chi_square iman_davenport p_iman_davenport note",
    "mean_ranks": "criterion metric model mean_rank n_queries",
}
_TEXT = {"criterion", "metric", "model", "other", "method", "note"}
_COUNTS = {"place", "n_models", "n_queries", "n_draws"}


class ModelComparison(NamedTuple):
    """Tables of a study, long, in the order of the study; a NaN has its reason in `note`.

    Attributes
    ----------
    rank_probabilities : criterion, metric, model, place (1 = fairest), probability; empty without
        draws.
    rank_uncertainty : criterion, metric, model, rank (that of the ranking),
        expected_rank, rank_low, rank_high (95%), n_draws, n_queries, note (of a model that is not
        compared: "not compared: " and why).
    pairwise : criterion, metric, model, other, p_fairer (that model is fairer than other, over
        draws), wilcoxon_p, wilcoxon_holm (adjusted over the pairs of a criterion and metric),
        n_queries, note; both orders of every pair.
    friedman : one row per criterion and metric, see `fairflow.statistics.friedman`.
    mean_ranks : criterion, metric, model, mean_rank (over queries), n_queries.
    """

    rank_probabilities: pd.DataFrame
    rank_uncertainty: pd.DataFrame
    pairwise: pd.DataFrame
    friedman: pd.DataFrame
    mean_ranks: pd.DataFrame


def compare_models(
    scores: pd.DataFrame,
    aggregation: str,
    directions: Mapping[str, Mapping[str, bool]],
    minimum_coverage: float,
    vectors: Mapping[str, str] | None = None,
    scaling: Mapping[str, bool] | None = None,
    derived: Mapping[str, str] | None = None,
) -> ModelComparison:
    """Rank probabilities from joint draws, and tests over queries, per criterion and metric.

    Models, (sub-)queries and the rule are those of `value_common` in `aggregate`: comparable models
    on the (sub-)queries that all of them define, equal ones once. Of models of the same vectors
    only one is compared, none that comes of another, and none by a metric whose values grow with
    the length of vectors.

    Parameters
    ----------
    scores : a study's table with headline, criterion, metric, model, subquery_digest, value and
        draws (lists as long as each other, aligned by index; None or empty without).
    aggregation, directions, minimum_coverage, vectors, derived : as for
        `aggregation.aggregate`.
    scaling : metric -> whether its values grow with the length of vectors; none does by default.

    Raises
    ------
    FairflowError : lists of draws differ in length.
    """
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in _COLUMNS}
    for chosen in comparable_scores(scores, minimum_coverage, vectors, scaling, derived):
        direction = directions[chosen.names["metric"]]
        rule = rule_for(aggregation, direction["signed"])
        points, drawn = (
            places.rank_distribution(unfairness(places.aggregated_draws(values, rule), direction))
            for values in (chosen.values[:, :, np.newaxis], chosen.draws)
        )
        per_query = unfairness(chosen.values, direction)
        rows["rank_probabilities"] += _rank_probabilities(chosen, drawn)
        rows["rank_uncertainty"] += _rank_uncertainty(chosen, points, drawn)
        rows["pairwise"] += _pairwise(chosen, drawn, per_query)
        ranks = _ranks_by_query(per_query)
        rows["friedman"].append(_friedman(chosen, ranks))
        rows["mean_ranks"] += _mean_ranks(chosen, ranks)
    return ModelComparison(**{name: _table(name, rows[name]) for name in _COLUMNS})


def _table(name: str, rows: list[dict[str, Any]]) -> pd.DataFrame:
    columns = _COLUMNS[name].split()
    types = {c: object if c in _TEXT else int if c in _COUNTS else float for c in columns}
    return pd.DataFrame(rows, columns=columns).astype(types)


def _rank_probabilities(
    chosen: ComparableScores, drawn: places.RankDistribution
) -> list[dict[str, Any]]:
    if drawn.n_draws == 0:
        return []
    return [
        {**chosen.names, "model": model, "place": place, "probability": probability}
        for model, row in zip(chosen.comparable, drawn.probabilities, strict=True)
        for place, probability in enumerate(row, start=1)
    ]


def _rank_uncertainty(
    chosen: ComparableScores, points: places.RankDistribution, drawn: places.RankDistribution
) -> list[dict[str, Any]]:
    rows = []
    for model in chosen.models:
        row = {**chosen.names, "model": model, "n_draws": 0, "n_queries": 0}
        if model in chosen.comparable:
            i = chosen.comparable.index(model)
            row |= {
                "rank": points.expected[i],
                "expected_rank": drawn.expected[i],
                "rank_low": drawn.low[i],
                "rank_high": drawn.high[i],
                "n_draws": drawn.n_draws,
                "n_queries": chosen.draws.shape[1],
            }
        else:
            row["note"] = f"{NOT_COMPARED}{chosen.excluded[model]}"
        rows.append({"note": chosen.note, **row})
    return rows


def _pairwise(
    chosen: ComparableScores, drawn: places.RankDistribution, per_query: np.ndarray
) -> list[dict[str, Any]]:
    k, n_queries = per_query.shape
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)] if n_queries else []
    tested = np.array([signed_rank_p(_steps(per_query[i] - per_query[j])) for i, j in pairs])
    p, adjusted = np.full((k, k), np.nan), np.full((k, k), np.nan)
    for (i, j), p_value, corrected in zip(pairs, tested, holm(tested), strict=True):
        p[i, j] = p[j, i] = p_value
        adjusted[i, j] = adjusted[j, i] = corrected
    return [
        {
            **chosen.names,
            "model": model,
            "other": other,
            "p_fairer": drawn.fairer[i, j],
            "wilcoxon_p": p[i, j],
            "wilcoxon_holm": adjusted[i, j],
            "n_queries": n_queries,
            "note": chosen.note,
        }
        for i, model in enumerate(chosen.comparable)
        for j, other in enumerate(chosen.comparable)
        if i != j
    ]


def _steps(differences: np.ndarray) -> np.ndarray:
    """Differences as whole numbers in their order, with 0 for ties and equal ones for equal."""
    return np.sign(differences) * tie_numbers(np.append(0.0, np.abs(differences)))[1:]


def _ranks_by_query(per_query: np.ndarray) -> np.ndarray:
    """Ranks of the models within each query, ties sharing theirs: -> (queries, models)."""
    numbers = tie_numbers(per_query)
    better = (numbers[np.newaxis] < numbers[:, np.newaxis]).sum(axis=1)
    tied = (numbers[np.newaxis] == numbers[:, np.newaxis]).sum(axis=1)
    return (better + (tied + 1) / 2).T


def _friedman(chosen: ComparableScores, ranks: np.ndarray) -> dict[str, Any]:
    n_queries, n_models = ranks.shape
    test = friedman_test(ranks)._asdict()
    reason = chosen.why_none or test["reason"]
    del test["reason"]
    tested = n_models > 2 and n_queries > 1
    doubt = OPTIMISTIC + (OPTIMISTIC_WIDTH if tested else "") if n_models > 1 else ""
    return {
        **chosen.names,
        "n_models": n_models,
        "n_queries": n_queries,
        **test,
        "critical_difference": critical_difference(n_models, n_queries) if tested else np.nan,
        "alpha": ALPHA,
        "note": "; ".join(filter(None, (reason, doubt))),
    }


def _mean_ranks(chosen: ComparableScores, ranks: np.ndarray) -> list[dict[str, Any]]:
    if len(ranks) == 0:
        return []
    return [
        {**chosen.names, "model": model, "mean_rank": mean_rank, "n_queries": len(ranks)}
        for model, mean_rank in zip(chosen.comparable, ranks.mean(axis=0), strict=True)
    ]
