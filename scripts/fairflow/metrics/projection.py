"""Projection of words on the direction of pairs, after Bolukbasi et al. (2016)."""

from __future__ import annotations

import numpy as np

from fairflow.metrics._direction import DirectionMetric, direction_of, outcome_of_means
from fairflow.metrics.base_metric import Sets
from fairflow.statistics.outcome import Outcome, Reading
from fairflow.statistics.resampling_statistic import Measures
from fairflow.vectors.directions import unit
from fairflow.vectors.query_vectors import PairVectors, WordVectors


class Projection(DirectionMetric):
    """Which side of the pairs' direction are words on, and how far along it?

    b = first principal component of the pairs: of their unit vectors minus the mean of each pair.
    With one pair it is the difference of its unit vectors.
    p(w) = cos(w, b); projection = mean of p over all target words.

    Between -1 and 1; positive values are on the side of the first words of the pairs, and 0 is on
    neither side. With two target sets, `projection_difference` is the first set's mean minus the
    second's; 0 is fair, and the permutation test tests it. Source: Bolukbasi et al. (2016), who
    order occupations in this way.

    For each word: `projection`, `place` among all words counted from the positive end (from 1), and
    `place_from_end` counted from the negative end.

    Examples
    --------
    >>> from fairflow import load_query, load_test_model
    >>> from fairflow.metrics import Projection
    >>> query = load_query("gender_professions")
    >>> Projection().run_query(query, load_test_model(), lost_vocabulary_threshold=0.5)
    <Projection of Professions: -0.00298, 0 of 340 words lost>

    See also
    --------
    fairflow.metrics.DirectBias : how far words are along the direction, on either side.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = ("n", 0)
    metric_name = "Projection on a Direction"
    metric_short_name = "Projection"
    measure_names = ("projection", "projection_difference")
    word_measure = "projection"
    unranked = ("projection_difference",)
    readings = {
        "projection": Reading(0, "nearer to the first words of the pairs"),
        "projection_difference": Reading(0, "first targets nearer to the first words"),
    }

    def place(self, words: WordVectors, poles: Sets, pairs: PairVectors) -> np.ndarray:
        """As for every metric. A pair on whose side most are comes first, and gives the sign."""
        differences = pairs.vectors[:, 0] - pairs.vectors[:, 1]
        order = np.argsort(-differences @ differences.sum(axis=0), kind="stable")
        ordered = PairVectors(tuple(pairs.words[row] for row in order), pairs.vectors[order])
        return super().place(words, poles, ordered)

    def compute(self, targets: Sets, attributes: Sets, pairs: PairVectors) -> Outcome:
        """The mean, and the projection of each word.

        Parameters
        ----------
        pairs : the declared pairs that the model has whole.

        Raises
        ------
        DegenerateError : the words of the pairs do not differ.
        """
        direction = direction_of(pairs).basis[0]

        def values_of(sets: Sets) -> list[np.ndarray]:
            return [unit(words.vectors) @ direction for words in sets]

        def places(every: np.ndarray) -> Measures:
            places = np.empty(len(every), dtype=int)
            places[np.argsort(-every, kind="stable")] = np.arange(1, len(every) + 1)
            return {"place": places, "place_from_end": len(every) + 1 - places}

        return outcome_of_means(
            self.measure_names, targets, values_of, {"n_pairs": len(pairs.words)}, places
        )
