"""MAC: mean average cosine, after Manzini, Lim, Black and Tsvetkov (2019)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.metrics.base_metric import BaseMetric, Sets
from fairflow.statistics.outcome import Outcome, Reading, WordValue
from fairflow.statistics.resampling_statistic import (
    Measures,
    TableStatistic,
    Weights,
    weighted_means,
)
from fairflow.vectors.directions import mean_unit, unit
from fairflow.vectors.query_vectors import stratum_of


class MAC(BaseMetric):
    """How far are the target words from the attribute sets?

    e(t, A) = mean of the cosine distance 1 - cos(t, a) over the words a of attribute set A.
    mac = mean of e over all pairs of a target word and an attribute set.

    Between 0 and 2. 1 means no association; a larger value counts as fairer. With two target sets,
    `mac_difference` is the first set's mean minus the second's; 0 is fair. The permutation test
    tests this difference; models are not ranked by it. Source: Manzini, Lim, Black and
    Tsvetkov (2019).

    Examples
    --------
    >>> from fairflow import MAC, Query, WordEmbeddingModel
    >>> model = WordEmbeddingModel({
    ...     "he": [1.0, 0.2], "she": [-1.0, 0.2], "engineer": [0.6, 0.8], "nurse": [-0.5, 0.9],
    ... })
    >>> query = Query([["he", "she"]], [["engineer"], ["nurse"]], ["People"], ["Tech", "Care"])
    >>> round(MAC().run_query(query, model)["mac"], 2)
    0.84

    See also
    --------
    fairflow.metrics.SAME : does not depend on the distance between attribute sets.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = ("n", "n")
    metric_name = "Mean Average Cosine Similarity"
    metric_short_name = "MAC"
    citation = "manzini2019black"
    larger_is_fairer = True
    signed = False
    nonnegative = True
    measure_names = depends_on_dimension = ("mac", "mac_difference")
    readings = {
        "mac": Reading(1, says="no association; smaller: nearer"),
        "mac_difference": Reading(0, "first targets farther from attributes"),
    }
    unranked = ("mac_difference",)
    empty_details = {"targets_eval": {}}

    def compute(self, targets: Sets, attributes: Sets) -> Outcome:
        """The mean distance, and the distance of each word to each attribute set."""
        evaluations = [
            # (target words, attribute sets)
            np.column_stack([mean_distances(t.vectors, a.vectors) for a in attributes])
            for t in targets
        ]
        mac = float(np.concatenate(evaluations).mean())
        names = [attribute.name for attribute in attributes]
        two = len(evaluations) == 2
        difference = float(evaluations[0].mean() - evaluations[1].mean()) if two else math.nan
        return Outcome(
            result=mac,
            measures={"mac": mac, "mac_difference": difference},
            reasons={} if two else {"mac_difference": "a difference needs two target sets"},
            details={
                "targets_eval": {
                    target.name: {
                        word: dict(zip(names, row, strict=True))
                        for word, row in zip(target.words, values.tolist(), strict=True)
                    }
                    for target, values in zip(targets, evaluations, strict=True)
                }
            },
            words=[
                WordValue(target.name, word, f"distance to {name}", value)
                for target, values in zip(targets, evaluations, strict=True)
                for word, row in zip(target.words, values.tolist(), strict=True)
                for name, value in zip(names, row, strict=True)
            ],
            resampling=lambda others=targets: MACStatistic.of(others, attributes),
        )


@dataclass(frozen=True)
class MACStatistic(TableStatistic):
    """MAC for weighted words.

    Null hypothesis of the test: the mean distance of a target word to the attribute sets does not
    depend on its target set. Exchanged: the set labels of the target words; the sizes of the sets
    are kept. Statistic: the difference of the sets' mean distances (`mac_difference`). MAC itself
    is a mean over all target words and does not depend on labels. The test needs two target sets.

    Attributes
    ----------
    tables : for each attribute set the cosine distances, (target words, attribute words).
    """

    tested_measures = ("mac_difference",)

    @classmethod
    def of(cls, targets: Sets, attributes: Sets) -> MACStatistic:
        """The statistic of these sets."""
        words = unit(np.concatenate([target.vectors for target in targets]))
        return cls(
            targets=[stratum_of(target) for target in targets],
            attributes=[stratum_of(attribute) for attribute in attributes],
            tables=[1 - words @ unit(attribute.vectors).T for attribute in attributes],
        )

    @property
    def tested(self) -> str:
        """The tested statistic; empty unless there are two target sets."""
        return "difference of mean distances" if len(self.targets) == 2 else ""

    def combined(self, means: Sequence[np.ndarray]) -> np.ndarray:
        """The mean distance of each target word."""
        return sum(means[1:], means[0]) / len(means)

    def of_values(self, distances: np.ndarray, targets: Weights) -> Measures:
        """The mean distance; with two target sets also the difference of their means."""
        measures = {"mac": weighted_means(distances, sum(targets[1:], targets[0]))}
        if len(targets) == 2:
            first, second = (
                weighted_means(distances, weights_of_set) for weights_of_set in targets
            )
            measures["mac_difference"] = first - second
        return measures

    def limits(self, measure: str) -> tuple[float, float]:
        """The limits of a cosine distance, or of a difference of two."""
        return 0.0 if measure == "mac" else -2.0, 2.0


def mean_distances(words: np.ndarray, attributes: np.ndarray) -> np.ndarray:
    """Mean cosine distance of each word to the attributes: (n, dims), (m, dims) -> (n,)."""
    return np.clip(1 - unit(words) @ mean_unit(attributes), 0, 2)
