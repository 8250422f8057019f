"""Direct bias, after Bolukbasi, Chang, Zou, Saligrama and Kalai (2016)."""

from __future__ import annotations

import numpy as np

from fairflow.metrics._direction import DirectionMetric, direction_of, outcome_of_means
from fairflow.metrics.base_metric import Sets
from fairflow.statistics.outcome import Outcome, Reading
from fairflow.vectors.directions import unit
from fairflow.vectors.query_vectors import PairVectors


class DirectBias(DirectionMetric):
    """How strongly do words that should be neutral point along the direction of the pairs?

    b = first principal component of the pairs: of their unit vectors minus the mean of each pair.
    direct_bias = mean of |cos(w, b)|^c over words w.

    Between 0 and 1; 0 means that every word is orthogonal to the direction. The larger c, the less
    small cosines count. With two target sets, `direct_bias_difference` is the first set's mean
    minus the second's; 0 means no difference, and the permutation test tests it. Source:
    Bolukbasi, Chang, Zou, Saligrama and Kalai (2016).

    Examples
    --------
    >>> from fairflow import load_query, load_test_model
    >>> from fairflow.metrics import DirectBias
    >>> query = load_query("gender_professions")
    >>> DirectBias().run_query(query, load_test_model(), lost_vocabulary_threshold=0.5)
    <DirectBias of Professions: direct bias 0.08051, 0 of 340 words lost>

    See also
    --------
    fairflow.metrics.Projection : with the sign of the side.
    fairflow.metrics.ExplainedVariance : whether the pairs have one direction.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = ("n", 0)
    metric_name = "Direct Bias"
    metric_short_name = "DirectBias"
    signed = False
    nonnegative = True
    measure_names = ("direct_bias", "direct_bias_difference")
    unranked = ("direct_bias_difference",)
    readings = {
        "direct_bias": Reading(0, says="all words orthogonal to the direction"),
        "direct_bias_difference": Reading(0, "first targets farther along"),
    }

    def compute(
        self,
        targets: Sets,
        attributes: Sets,
        pairs: PairVectors,
        c: float = 1.0,
    ) -> Outcome:
        """The mean, and the value of each word.

        Parameters
        ----------
        pairs : the declared pairs that the model has whole.
        c : strictness, from 0; the paper's is 1.

        Raises
        ------
        ValueError : c is negative.
        DegenerateError : the words of the pairs do not differ.
        """
        if c < 0:
            raise ValueError(f"c must be at least 0, got {c!r}")
        direction = direction_of(pairs).basis[0]

        def values_of(sets: Sets) -> list[np.ndarray]:
            return [np.abs(unit(words.vectors) @ direction) ** c for words in sets]

        return outcome_of_means(
            self.measure_names, targets, values_of, {"n_pairs": len(pairs.words)}
        )
