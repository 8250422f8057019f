"""How sure a ranking of models is, when the words are a sample."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairflow.studies.ranking import tie_numbers


class RankDistribution(NamedTuple):
    """Ranks of models over joint draws; rank 1 is the fairest.

    Attributes
    ----------
    probabilities : (models, places) chance of each place; every row and every column sums to 1.
    expected, low, high : (models,) mean rank and the ends of its percentile interval.
    fairer : (models, models) chance that the row's model is fairer than the column's, a tie
        counting one half; NaN on the diagonal.
    n_draws : draws behind them; with none everything else is NaN.
    """

    probabilities: np.ndarray
    expected: np.ndarray
    low: np.ndarray
    high: np.ndarray
    fairer: np.ndarray
    n_draws: int


def aggregated_draws(draws: np.ndarray, aggregation: str) -> np.ndarray:
    """One number per model and draw, by the rule of the ranking itself.

    Each score's draws have the spread of its own interval, and words of the same draw are the same
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
    take together and the mean of them as their rank: two copies of a model are each fairer than
    the other with a chance of 0.5.

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
        square = np.full((n_models, n_models), np.nan)
        return RankDistribution(square, none, none, none, square, 0)
    better = np.zeros(numbers.shape, dtype=int)  # models in front, per model and draw
    tied = np.zeros(numbers.shape, dtype=int)  # models of the same rank, itself included
    fairer = np.full((n_models, n_models), np.nan)
    for i, of_model in enumerate(numbers):
        ahead, equal = of_model < numbers, of_model == numbers  # (models, draws)
        better += ahead
        tied[i] = equal.sum(axis=0)
        fairer[i] = ahead.mean(axis=1) + equal.mean(axis=1) / 2
        fairer[i, i] = np.nan
    ranks = better + (tied + 1) / 2
    ends = np.array([1 - level, 1 + level]) / 2
    low, high = np.quantile(ranks, ends, axis=1, method="inverted_cdf")
    probabilities = np.column_stack(
        [
            (((better <= place) & (place < better + tied)) / tied).mean(axis=1)
            for place in range(n_models)
        ]
    )
    return RankDistribution(probabilities, ranks.mean(axis=1), low, high, fairer, n_draws)
