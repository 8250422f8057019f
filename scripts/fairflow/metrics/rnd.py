"""RND: relative norm distance, after Garg, Schiebinger, Jurafsky and Zou (2018)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fairflow.metrics.base_metric import BaseMetric, Sets
from fairflow.statistics.outcome import Outcome, Reading, WordValue
from fairflow.statistics.resampling_statistic import (
    Measures,
    Weights,
    WordStatistic,
    means_without_each,
    weighted_sums,
)
from fairflow.vectors.directions import cosine, mean_direction
from fairflow.vectors.query_vectors import WordVectors, stratum_of

# With more attribute words than this, distances are resampled in single precision: the relative
# error of their mean is below 1e-7.
SINGLE_FROM = 500
# The differences of this many words from a mean fit into the processor's cache.
ROWS_AT_ONCE = 256


def _norm_distance(attributes: np.ndarray, target: WordVectors) -> np.ndarray:
    mean = target.vectors.mean(axis=0)
    squares = np.empty(len(attributes))
    for start in range(0, len(attributes), ROWS_AT_ONCE):
        differences = attributes[start : start + ROWS_AT_ONCE] - mean
        np.einsum("ij,ij->i", differences, differences, out=squares[start : start + ROWS_AT_ONCE])
    return np.sqrt(squares)


def _cosine_similarity(attributes: np.ndarray, target: WordVectors) -> np.ndarray:
    mean = mean_direction(target.vectors, target.name)
    return cosine(attributes, mean[np.newaxis])[:, 0]


DISTANCES = {"norm": _norm_distance, "cos": _cosine_similarity}


class RND(BaseMetric):
    """To which of two groups are the attribute words nearer?

    m1, m2 = mean vectors of the two target sets.
    d(a) = |a - m1| - |a - m2| ("norm"), or cos(a, m1) - cos(a, m2) ("cos").
    rnd = mean of d over the attribute words, or their sum.

    0 is fair. With "norm" a negative value means nearer to the first target set; with "cos", which
    is a similarity, a negative value means nearer to the second. Values of "norm" grow with the
    length of the vectors: compare two models only after their vectors were normalised. Source:
    Garg, Schiebinger, Jurafsky and Zou (2018).

    Examples
    --------
    >>> from fairflow import RND, Query, WordEmbeddingModel
    >>> model = WordEmbeddingModel({
    ...     "he": [1.0, 0.2], "him": [0.9, 0.3], "she": [-1.0, 0.2], "her": [-0.8, 0.4],
    ...     "engineer": [0.6, 0.8], "pilot": [0.5, 0.9],
    ... })
    >>> query = Query(
    ...     [["he", "him"], ["she", "her"]], [["engineer", "pilot"]], ["Men", "Women"], ["Jobs"]
    ... )
    >>> round(RND().run_query(query, model)["rnd"], 2)
    -0.83

    See also
    --------
    fairflow.metrics.ECT : whether both groups rank the attribute words alike.
    fairflow.metrics.RIPA : along the direction of pairs.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = (2, 1)
    metric_name = "Relative Norm Distance"
    metric_short_name = "RND"
    citation = "garg2018word"
    measure_names = depends_on_dimension = ("rnd",)
    # A distance: smaller nearer to the first targets.
    word_measure, word_sign = "distance", -1
    without_effect_on_test = ("average_distances",)
    empty_details = {"distance_by_word": {}}

    @classmethod
    def reading(cls, measure: str, parameters: Mapping[str, Any]) -> Reading:
        """A distance to farther targets is larger, a similarity with them smaller."""
        second = parameters.get("distance", "norm") == "norm"
        return Reading(0, f"attributes with {'second' if second else 'first'} targets")

    @classmethod
    def scales_with_length(cls, parameters: Mapping[str, Any]) -> bool:
        """True for distances, not for cosines."""
        return parameters.get("distance", "norm") == "norm"

    def compute(
        self,
        targets: Sets,
        attributes: Sets,
        distance: str = "norm",
        average_distances: bool = True,
    ) -> Outcome:
        """The mean relative distance.

        Parameters
        ----------
        distance : "norm" or "cos".
        average_distances : divide the sum of the distances by the number of attribute words.

        Raises
        ------
        TypeError : average_distances is not True or False.
        ValueError : another distance.
        DegenerateError : with "cos", the mean vector of a target set is zero.
        """
        if distance not in DISTANCES:
            raise ValueError(f"distance must be 'norm' or 'cos', got {distance!r}")
        if not isinstance(average_distances, bool):
            raise TypeError(f"average_distances must be True or False, got {average_distances!r}")
        (attribute,) = attributes
        near_first, near_second = (
            DISTANCES[distance](attribute.vectors, target) for target in targets
        )
        values = near_first - near_second  # (attribute words,)
        rnd = float(values.mean() if average_distances else values.sum())
        order = np.argsort(values, kind="stable")
        names = [attribute.words[row] for row in order.tolist()]
        by_word = list(zip(names, values[order].tolist(), strict=True))
        return Outcome(
            result=rnd,
            measures={"rnd": rnd},
            details={"distance_by_word": dict(by_word)},
            words=(WordValue(attribute.name, word, "distance", value) for word, value in by_word),
            resampling=lambda others=targets: RNDStatistic.of(
                others, attribute, distance, average_distances
            ),
        )


@dataclass(frozen=True)
class RNDStatistic(WordStatistic):
    """RND for weighted words.

    Null hypothesis of the test: the distances of the attribute words from the means of the target
    sets do not depend on which target word is in which set. Exchanged: the set labels of the target
    words; the sizes of the sets are kept. Statistic: the mean relative distance.

    Attributes
    ----------
    products : inner products of target and attribute words, (target words, attribute words).
    squares : inner products of the target words, (target words, target words).
    lengths : squared lengths of the attribute words, (attribute words,).
    """

    products: np.ndarray
    squares: np.ndarray
    lengths: np.ndarray
    distance: str
    average: bool

    single = True
    tested = "mean relative distance"
    tested_measures = ("rnd",)

    @classmethod
    def of(
        cls, targets: Sets, attribute: WordVectors, distance: str, average: bool
    ) -> RNDStatistic:
        """The statistic of these sets."""
        words = np.concatenate([target.vectors for target in targets])
        # Centred on the attribute words, so that differences of distances lose few digits.
        centre = attribute.vectors.mean(axis=0) if distance == "norm" else 0
        words, others = words - centre, attribute.vectors - centre
        return cls(
            targets=[stratum_of(target) for target in targets],
            attributes=[stratum_of(attribute)],
            products=words @ others.T,
            squares=words @ words.T,
            lengths=np.einsum("ij,ij->i", others, others),
            distance=distance,
            average=average,
        )

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """The mean relative distance, or the sum."""
        return self._average(self._distances(targets), attributes)

    def measures_alone_and_both(
        self, targets: Weights, attributes: Weights
    ) -> tuple[Measures, Measures]:
        """Both computed from the same distances; with many words in single precision."""
        if len(self.lengths) > SINGLE_FROM:
            targets = [weights.astype(np.float32) for weights in targets]
        values = self._distances(targets)
        return self._average(values, None), self._average(values, attributes)

    def _distances(self, targets: Weights) -> np.ndarray:
        """Relative distance of each attribute word: (B, words)."""
        near_first, near_second = (self._near(weights) for weights in targets)
        return near_first - near_second

    def without_attribute(self, index: int) -> Measures:
        """The mean without one word, computed from the sum of all."""
        means = means_without_each(self._distances(self.observed))[:, 0]
        return {"rnd": means if self.average else means * (len(means) - 1)}

    def _average(self, values: np.ndarray, attributes: Weights | None) -> Measures:
        if attributes is None:
            total = np.full(1, float(len(self.lengths)))
            sums = values @ np.ones(len(self.lengths), values.dtype)
        else:
            weights = attributes[0].astype(values.dtype, copy=False)
            total, sums = weights.sum(axis=1), weighted_sums(values, weights)
        sums = sums.astype(float, copy=False) / np.where(total > 0, total, np.nan)
        return {"rnd": sums if self.average else sums * total}

    @property
    def zero_mean(self) -> bool:
        """True for sets of equal size: exchanging all labels changes the sign."""
        return len(set(self.sizes)) == 1

    @property
    def magnitude(self) -> float:
        """The longest length of a vector, or 1 for cosines; for sums times the number of words."""
        longest = math.sqrt(max(float(self.lengths.max()), float(np.diag(self.squares).max())))
        return (1.0 if self.distance == "cos" else longest) * (
            1 if self.average else len(self.lengths)
        )

    def limits(self, measure: str) -> tuple[float, float]:
        """The limits of a difference of two cosines; distances have no limits."""
        if self.distance != "cos":
            return -math.inf, math.inf
        most = 2.0 if self.average else 2.0 * len(self.lengths)
        return -most, most

    @property
    def width(self) -> int:
        """One distance from each attribute word to each target set."""
        return 2 * len(self.lengths)

    def _near(self, weights: np.ndarray) -> np.ndarray:
        """Distance or cosine between each attribute word and the mean: (B, units) -> (B, words).

        In the precision of the weights.
        """
        kind = weights.dtype
        table, squares = self._tables[kind]
        if len(self.lengths) > SINGLE_FROM:
            # Units of other sets have weight 0. With many words it pays to leave them out.
            used = weights.any(axis=0)
            weights, squares = weights[:, used], squares[np.ix_(used, used)]
            table = table[np.append(used, [True] * (len(table) - len(self.squares)))]
        total = weights @ np.ones((weights.shape[1], 1), kind)
        total = np.where(total > 0, total, np.nan)
        share = weights / total
        squares = np.einsum("bi,bi->b", share @ squares, share)[:, None]
        if self.distance == "cos":
            return (share / np.sqrt(np.where(squares > 0, squares, np.nan))) @ table
        # Squared distances as one matrix product, whose last two columns hold the lengths.
        near = np.concatenate([share, total / total, squares], axis=1, dtype=kind) @ table
        if not near.min(initial=0) >= 0:  # Rounding made a distance of 0 negative, or it is NaN.
            np.maximum(near, 0, out=near)
        return np.sqrt(near, out=near)

    @cached_property
    def _tables(self) -> dict[np.dtype, tuple[np.ndarray, np.ndarray]]:
        """The matrices that weights are multiplied by, in both precisions.

        For distances: (units + 2, words), multiplied by the weights, 1 and the squared length of
        the mean. For cosines: products with attribute words of unit length, (units, words). And
        `squares`: (units, units).
        """
        if self.distance == "cos":
            table = self.products / np.sqrt(self.lengths)
        else:
            table = np.vstack([-2 * self.products, self.lengths, np.ones_like(self.lengths)])
        kinds = map(np.dtype, (np.float32, np.float64))
        return {
            kind: (table.astype(kind, copy=False), self.squares.astype(kind, copy=False))
            for kind in kinds
        }
