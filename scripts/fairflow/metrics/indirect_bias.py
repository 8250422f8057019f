"""Indirect bias of pairs of words, after Bolukbasi et al. (2016)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.metrics._direction import DirectionMetric, direction_of
from fairflow.metrics.base_metric import Sets
from fairflow.statistics.outcome import Outcome, Reading, WordValue
from fairflow.statistics.resampling_statistic import Measures, Weights, WordStatistic
from fairflow.vectors.directions import indirect_bias, unit
from fairflow.vectors.query_vectors import PairVectors, WordVectors, stratum_of


class IndirectBias(DirectionMetric):
    """How much of the similarity of two words is due to the direction of the pairs?

    b = first principal component of the pairs; w' = w - (w . b) b, for unit vectors.
    beta(w, v) = (w . v - cos(w', v')) / (w . v).
    indirect_bias = mean of beta over all pairs of a word of the first and one of the second target
    set.

    0 means that the direction contributes nothing to the similarity, 1 that without it there is no
    similarity; values have no limits. Source: Bolukbasi et al. (2016).

    For each pair, named "w|v": `indirect_bias`.

    Examples
    --------
    >>> from fairflow import Query, load_test_model
    >>> from fairflow.metrics import IndirectBias
    >>> from fairflow.queries.query import QueryInputs
    >>> pairs = QueryInputs(pairs=(("she", "he"), ("woman", "man"), ("her", "his")))
    >>> query = Query([["nurse"], ["teacher", "secretary", "maid"]], [], declared=pairs)
    >>> round(IndirectBias().run_query(query, load_test_model())["result"], 3)
    0.057

    See also
    --------
    fairflow.metrics.DirectBias : of single words, not of their similarity.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = (2, 0)
    metric_name = "Indirect Bias"
    metric_short_name = "IndirectBias"
    measure_names = ("indirect_bias",)
    readings = {"indirect_bias": Reading(0, says="similar for other reasons than the direction")}

    def compute(self, targets: Sets, attributes: Sets, pairs: PairVectors) -> Outcome:
        """The mean over pairs of words, and the value of each.

        Parameters
        ----------
        pairs : the declared pairs that the model has whole.

        Raises
        ------
        DegenerateError : the words of the pairs do not differ, or two words have no similarity.
        """
        direction = direction_of(pairs).basis[0]
        first, second = targets
        values = _every_value(first, second, direction)
        if not np.isfinite(values).all():
            row, column = np.argwhere(~np.isfinite(values))[0]
            named = f"{first.words[row]} and {second.words[column]}"
            raise DegenerateError(f"{named} have no similarity: a share of it is undefined")
        mean = float(values.mean())
        return Outcome(
            result=mean,
            measures={"indirect_bias": mean},
            details={"n_pairs": len(pairs.words)},
            words=[
                WordValue(second.name, f"{word}|{other}", "indirect_bias", float(value))
                for word, row in zip(first.words, values, strict=True)
                for other, value in zip(second.words, row, strict=True)
            ],
            resampling=lambda others=targets: IndirectBiasStatistic.of(others, direction),
        )


def _every_value(first: WordVectors, second: WordVectors, direction: np.ndarray) -> np.ndarray:
    """beta of all pairs of a word of one set and a word of the other: (first, second)."""
    others = unit(second.vectors)
    return np.array([indirect_bias(others, word, direction) for word in unit(first.vectors)])


@dataclass(frozen=True)
class IndirectBiasStatistic(WordStatistic):
    """Indirect bias for weighted words of both sets. No test: nothing can be exchanged.

    Attributes
    ----------
    values : beta of every pair, (first, second).
    """

    values: np.ndarray

    attributes_fixed = "the direction uses all pairs: no attribute words are resampled"
    untestable = "the two words of a pair have the same role: nothing can be exchanged"

    @classmethod
    def of(cls, sets: Sets, direction: np.ndarray) -> IndirectBiasStatistic:
        """The statistic of these two sets."""
        first, second = sets
        strata = [stratum_of(first), stratum_of(second)]
        return cls(strata, [], _every_value(first, second, direction))

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """The weighted mean over all pairs."""
        size = len(self.targets[0])
        left, right = targets[0][:, :size], targets[1][:, size:]
        total = left.sum(axis=1) * right.sum(axis=1)
        sums = ((left @ self.values) * right).sum(axis=1)
        return {"indirect_bias": sums / np.where(total > 0, total, np.nan)}
