"""ECT: embedding coherence test of Dev and Phillips (2019)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairflow.metrics.base_metric import BaseMetric, Sets, word_values
from fairflow.statistics.outcome import Outcome, Reading
from fairflow.statistics.rank_tests import spearman, weighted_spearman
from fairflow.statistics.resampling_statistic import Measures, Weights, WordStatistic
from fairflow.vectors.directions import cosine, mean_direction, unit
from fairflow.vectors.query_vectors import WordVectors, stratum_of


class ECT(BaseMetric):
    """Do two groups rank the attribute words in the same order?

    ect = Spearman correlation, over the attribute words, between their cosines with the mean vector
    of the first target set and their cosines with the mean vector of the second.

    Between -1 and 1; 1 is fair. Source: Dev and Phillips (2019).

    Examples
    --------
    >>> from fairflow import ECT, Query, WordEmbeddingModel
    >>> model = WordEmbeddingModel({
    ...     "he": [1.0, 0.2], "him": [0.9, 0.3], "she": [-1.0, 0.2], "her": [-0.8, 0.4],
    ...     "engineer": [0.6, 0.8], "nurse": [-0.5, 0.9], "writer": [0.1, 1.0],
    ... })
    >>> query = Query(
    ...     [["he", "him"], ["she", "her"]],
    ...     [["engineer", "nurse", "writer"]],
    ...     ["Men", "Women"],
    ...     ["Jobs"],
    ... )
    >>> round(ECT().run_query(query, model)["ect"], 2)
    -1.0

    See also
    --------
    fairflow.metrics.RND : how far one group is nearer, not the order.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = (2, 1)
    metric_name = "Embedding Coherence Test"
    metric_short_name = "ECT"
    citation = "dev2019attenuating"
    larger_is_fairer = True
    signed = False
    measure_names = ("ect",)
    readings = {"ect": Reading(1, says="both targets order the attributes alike")}

    def compute(self, targets: Sets, attributes: Sets) -> Outcome:
        """The rank correlation; NaN if one of the two rankings is constant.

        Raises
        ------
        DegenerateError : the mean vector of a target set is zero.
        """
        (attribute,) = attributes
        means = np.array([mean_direction(t.vectors, t.name) for t in targets])  # (2, dims)
        similarities = cosine(means, attribute.vectors)  # (2, attribute words)
        # The rounding error of a short mean depends on the length of its words.
        lengths = [np.linalg.norm(target.vectors, axis=1).mean() for target in targets]
        ect = spearman(*similarities, magnitudes=lengths / np.linalg.norm(means, axis=1))
        return Outcome(
            result=ect,
            measures={"ect": ect},
            words=word_values(
                attributes,
                {
                    f"similarity to {target.name}": row
                    for target, row in zip(targets, similarities, strict=True)
                },
            ),
            reasons={"ect": "a ranking of fewer than two distinct values"}
            if math.isnan(ect)
            else {},
            resampling=lambda others=targets: ECTStatistic.of(others, attribute),
        )


@dataclass(frozen=True)
class ECTStatistic(WordStatistic):
    """ECT for weighted words.

    Null hypothesis of the test: the two target sets rank the attribute words in the same order,
    apart from chance. Exchanged: the set labels of the target words; the sizes of the sets are
    kept. Statistic: the rank correlation; small values are evidence against the hypothesis
    ("less").

    Attributes
    ----------
    similarities : of target words to attribute words divided by their length,
        (target words, attribute words).
    lengths : of the target words, (target words,).
    """

    similarities: np.ndarray
    lengths: np.ndarray

    tested = "rank correlation"
    tested_measures = ("ect",)
    alternative = "less"

    @classmethod
    def of(cls, targets: Sets, attribute: WordVectors) -> ECTStatistic:
        """The statistic of these sets."""
        words = np.concatenate([target.vectors for target in targets])
        return cls(
            targets=[stratum_of(target) for target in targets],
            attributes=[stratum_of(attribute)],
            similarities=words @ unit(attribute.vectors).T,
            lengths=np.linalg.norm(words, axis=1),
        )

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """The rank correlation of the attribute words' similarities to the two mean vectors."""
        # Neither the length of the mean vectors nor the number of words changes the ranks.
        first, second = (weights @ self.similarities for weights in targets)
        weights = None if attributes is None else attributes[0]
        ect = weighted_spearman(
            first, second, weights, [weights_of_set @ self.lengths for weights_of_set in targets]
        )
        empty = (targets[0].sum(axis=1) == 0) | (targets[1].sum(axis=1) == 0)
        return {"ect": np.where(empty, np.nan, ect)}

    def limits(self, measure: str) -> tuple[float, float]:
        """The limits of a correlation."""
        return -1.0, 1.0

    @property
    def width(self) -> int:
        """Two sorts of the attribute words, about twelve operations per word."""
        return 24 * self.similarities.shape[1]
