"""Direct bias, after Bolukbasi, Chang, Zou, Saligrama and Kalai (2016)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fairflow.metrics._direction import BOLUKBASI_2016, direction_of
from fairflow.metrics._means_kernel import MeansKernel
from fairflow.metrics.base_metric import BaseMetric
from fairflow.statistics.outcome import Outcome, WordValue
from fairflow.vectors.cosine import unit
from fairflow.vectors.query_vectors import PairVectors, WordVectors


class DirectBias(BaseMetric):
    """How far do words that should be neutral lie along the direction of the pairs?

    direct_bias = mean over words w of |cos(w, b)|^c, with b the first principal component of the
    unit vectors of the pairs minus the means of their pairs. Between 0 and 1; 0 means that every
    word is orthogonal to the direction. With c = 0 it counts the words that are not.

    `direct_bias_difference`, of two target sets, is the first set's mean minus the second's; 0
    means that both lie as far along it. It is what the permutation test is of.
    """

    metric_template = ("n", 0)
    metric_name = "Direct Bias"
    metric_short_name = "DirectBias"
    citation = BOLUKBASI_2016
    signed = False
    nonnegative = True
    of_directions = True
    measure_names = ("direct_bias", "direct_bias_difference")
    unranked = ("direct_bias_difference",)
    readings = {
        "direct_bias": "0: no word lies along the direction",
        "direct_bias_difference": "above 0: first targets farther along",
    }
    needs = ("pairs",)

    def compute(
        self,
        targets: Sequence[WordVectors],
        attributes: Sequence[WordVectors],
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

        def values_of(sets: Sequence[WordVectors]) -> list[np.ndarray]:
            return [np.abs(unit(words.vectors) @ direction) ** c for words in sets]

        values = values_of(targets)
        two = len(targets) == 2
        mean = float(np.concatenate(values).mean())
        return Outcome(
            result=mean,
            measures={
                "direct_bias": mean,
                "direct_bias_difference": float(values[0].mean() - values[1].mean())
                if two
                else math.nan,
            },
            details={"n_pairs": len(pairs.words)},
            words=[
                WordValue(words.name, word, "direct_bias", value)
                for words, of_set in zip(targets, values, strict=True)
                for word, value in zip(words.words, of_set.tolist(), strict=True)
            ],
            reasons={} if two else {"direct_bias_difference": "needs two target sets"},
            resampling=lambda others=targets: MeansKernel.of(
                others, values_of(others), *self.measure_names
            ),
        )
