"""Explained variance of the direction of pairs, after Bolukbasi et al. (2016)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairflow.metrics._direction import DirectionMetric, direction_of
from fairflow.metrics.base_metric import Sets
from fairflow.statistics.outcome import Outcome, OwnTest, Reading, WordValue, of_these_words
from fairflow.statistics.permutation import PermutationTest
from fairflow.statistics.resampling_statistic import Measures, Stratum, Weights, WordStatistic
from fairflow.vectors.directions import shuffled_shares
from fairflow.vectors.query_vectors import PairVectors

_SHUFFLED = ("shuffled_mean", "shuffled_95", "p_shuffled")


class ExplainedVariance(DirectionMetric):
    """Do pairs of words differ in one direction?

    explained_variance = share of the first principal component in the variance of the pairs (of
    their unit vectors minus the mean of each pair).

    Between 1 / number of pairs (all differences orthogonal) and 1 (all pairs differ in one
    direction). Source: Bolukbasi et al. (2016).

    The null model is random pairs of the same words (Antoniak and Mimno 2021): the second words are
    shuffled among the first. `shuffled_mean` and `shuffled_95` are the mean and the 95th percentile
    of 200 shuffles; `p_shuffled` is the share of shuffles, the real pairs counted as one of them,
    that explain at least as much. A high p-value means that the direction is a property of the
    words, whatever their pairs.

    For each component, named "1", "2" and so on: `share`.

    Examples
    --------
    >>> from fairflow import load_query, load_test_model
    >>> from fairflow.metrics import ExplainedVariance
    >>> found = ExplainedVariance().run_query(load_query("gender_professions"), load_test_model())
    >>> round(found["explained_variance"], 2), round(found["shuffled_95"], 2)
    (0.61, 0.29)

    See also
    --------
    fairflow.metrics.DirectBias : of words, along the direction of pairs.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = ("n", 0)
    metric_name = "Explained Variance of a Direction"
    metric_short_name = "ExplainedVariance"
    signed = False
    nonnegative = True
    measure_names = ("explained_variance", *_SHUFFLED)
    unranked = _SHUFFLED
    # With fewer dimensions, a component has a larger share.
    depends_on_dimension = ("explained_variance", *_SHUFFLED[:2])
    measures_bias = False
    readings = {
        "explained_variance": Reading(says="1: all pairs differ in one direction"),
        "shuffled_mean": Reading(says="what random pairs explain"),
        "shuffled_95": Reading(says="what 95 % of random pairs explain at most"),
        "p_shuffled": Reading(says="share of random pairs that explain as much"),
    }

    def compute(self, targets: Sets, attributes: Sets, pairs: PairVectors) -> Outcome:
        """The share of the first component, of each component, and of shuffled pairs.

        Parameters
        ----------
        pairs : the declared pairs that the model has whole.

        Raises
        ------
        DegenerateError : the words of the pairs do not differ.
        """
        shares = direction_of(pairs).explained
        first = float(shares[0])
        drawn = shuffled_shares([*pairs.vectors])
        none = "fewer than two pairs cannot be shuffled"
        nulls, own_test = dict.fromkeys(_SHUFFLED, float("nan")), None
        if drawn is not None:
            # Equal up to rounding counts as equal.
            as_large = np.count_nonzero(drawn >= first - 1e-12)
            values = drawn.mean(), np.quantile(drawn, 0.95), (as_large + 1) / (len(drawn) + 1)
            nulls = dict(zip(_SHUFFLED, map(float, values), strict=True))
            how = "monte carlo", "greater", len(drawn), 1 / (len(drawn) + 1)
            test = PermutationTest(nulls["p_shuffled"], *how)
            own_test = OwnTest(("explained_variance",), "shuffled pairs", test)
        return Outcome(
            result=first,
            measures={"explained_variance": first, **nulls},
            details={"n_pairs": len(pairs.words)},
            words=[
                WordValue("components", str(number), "share", float(share))
                for number, share in enumerate(shares, start=1)
            ],
            reasons=dict.fromkeys(_SHUFFLED, none) if drawn is None else {},
            own_test=own_test,
            resampling=of_these_words(
                ExplainedVarianceStatistic.of(pairs), "pairs are not drawn at random, but shuffled"
            ),
        )


@dataclass(frozen=True)
class ExplainedVarianceStatistic(WordStatistic):
    """The share of the first component for weighted pairs: the unit is a pair.

    The null hypothesis that the pairing of the words is arbitrary is tested with shuffled pairs,
    see `ExplainedVariance`, not with an exchange.

    Attributes
    ----------
    gram : inner products of the pairs' differences, (pairs, pairs).
    """

    gram: np.ndarray

    unit = "pairs"
    attributes_fixed = "there are no attribute words"
    untestable = "tested with shuffled pairs, see p_shuffled"

    @classmethod
    def of(cls, pairs: PairVectors) -> ExplainedVarianceStatistic:
        """The statistic of these pairs."""
        differences = pairs.vectors[:, 0] - pairs.vectors[:, 1]
        words = tuple(f"{first}/{second}" for first, second in pairs.words)
        stratum = Stratum(words, np.arange(len(words)), words)
        return cls([stratum], [], differences @ differences.T)

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """The first eigenvalue divided by the sum of all; NaN if there is no variance."""
        roots = np.sqrt(targets[0])
        values = np.linalg.eigvalsh(roots[:, :, np.newaxis] * self.gram * roots[:, np.newaxis])
        sums = targets[0] @ np.diag(self.gram)
        return {"explained_variance": values[:, -1] / np.where(sums > 0, sums, np.nan)}

    def limits(self, measure: str) -> tuple[float, float]:
        """A share."""
        return 0.0, 1.0
