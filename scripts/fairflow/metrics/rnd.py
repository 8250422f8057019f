"""RND: relative norm distance, after Garg, Schiebinger, Jurafsky and Zou (2018)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.cosine import cosine
from fairflow.metrics.base_metric import BaseMetric, Outcome, WordValue, mean_direction
from fairflow.vectors.query_vectors import WordVectors


def _norm_distance(attributes: np.ndarray, target: WordVectors) -> np.ndarray:
    differences = attributes - target.vectors.mean(axis=0)
    return np.sqrt(np.einsum("ij,ij->i", differences, differences))


def _cosine_similarity(attributes: np.ndarray, target: WordVectors) -> np.ndarray:
    return cosine(attributes, mean_direction(target)[np.newaxis])[:, 0]


DISTANCES = {"norm": _norm_distance, "cos": _cosine_similarity}


class RND(BaseMetric):
    """To which of two groups are the attribute words nearer?

    With m1, m2 the mean vectors of the target sets, d(a) = |a - m1| - |a - m2| ("norm") or
    cos(a, m1) - cos(a, m2) ("cos"); rnd = mean of d over the attribute words, or their sum. With
    "norm" a negative value means nearer to the first set, with "cos", a similarity, to the second.
    0 is fair. The norm grows with the length of the vectors, so raw values of two models are not
    comparable unless their vectors are normalised.
    """

    metric_template = (2, 1)
    metric_name = "Relative Norm Distance"
    metric_short_name = "RND"
    citation = "Garg et al. 2018, https://doi.org/10.1073/pnas.1720347115"
    measure_names = ("rnd",)
    empty_details = {"distance_by_word": {}}

    def compute(
        self,
        targets: Sequence[WordVectors],
        attributes: Sequence[WordVectors],
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
        by_word = sorted(zip(attribute.words, values.tolist(), strict=True), key=lambda p: p[1])
        return Outcome(
            result=rnd,
            measures={"rnd": rnd},
            details={"distance_by_word": dict(by_word)},
            words=(WordValue(attribute.name, word, "distance", value) for word, value in by_word),
        )
