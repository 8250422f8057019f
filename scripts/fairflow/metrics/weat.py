"""WEAT: the Word Embedding Association Test of Caliskan, Bryson and Narayanan (2017)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fairflow.cosine import mean_unit, unit
from fairflow.metrics.base_metric import BaseMetric, Outcome, WordValue
from fairflow.vectors.query_vectors import WordVectors

DEGREES_OF_FREEDOM = {"paper": 1, "wefe": 0}


class WEAT(BaseMetric):
    """Is one target set nearer to the first attribute set, the other to the second?

    s(w) = mean of cos(w, a) over the first attribute set - the same over the second.
    weat = sum of s over the first target set - sum over the second.
    effect_size = (mean of s over the first - mean over the second) / sd of s over both.

    Both are positive when the first target set goes with the first attribute set; 0 is fair. The
    effect size lies between about -2 and 2 for sets of equal size.
    """

    metric_template = (2, 2)
    metric_name = "Word Embedding Association Test"
    metric_short_name = "WEAT"
    citation = "Caliskan, Bryson & Narayanan 2017, https://doi.org/10.1126/science.aal4230"
    measure_names = ("weat", "effect_size")
    empty_details = {"p_value": math.nan}

    def compute(
        self,
        targets: Sequence[WordVectors],
        attributes: Sequence[WordVectors],
        return_effect_size: bool = False,
        convention: str = "paper",
    ) -> Outcome:
        """Statistic and effect size.

        Parameters
        ----------
        return_effect_size : make the effect size, not the statistic, the result.
        convention : "paper" divides the effect size by the sample standard deviation, "wefe" by
            that of the population.

        Raises
        ------
        ValueError : another convention.
        """
        if convention not in DEGREES_OF_FREEDOM:
            raise ValueError(f"convention must be 'paper' or 'wefe', got {convention!r}")
        first, second = (
            associations(target.vectors, attributes[0].vectors, attributes[1].vectors)
            for target in targets
        )
        statistic = float(first.sum() - second.sum())
        size = effect_size(first, second, DEGREES_OF_FREEDOM[convention])
        reasons = {}
        if math.isnan(size):
            reasons["effect_size"] = "all target words have the same association: sd is 0"
        return Outcome(
            result=size if return_effect_size else statistic,
            measures={"weat": statistic, "effect_size": size},
            details={"p_value": math.nan},
            words=[
                WordValue(target.name, word, "association", float(value))
                for target, values in zip(targets, (first, second), strict=True)
                for word, value in zip(target.words, values, strict=True)
            ],
            reasons=reasons,
        )


def associations(words: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """s(w) of each word: (words, dims), (a, dims), (b, dims) -> (words,)."""
    return unit(words) @ (mean_unit(first) - mean_unit(second))


def effect_size(first: np.ndarray, second: np.ndarray, ddof: int) -> float:
    """Difference of the means of two samples over the sd of both together; NaN if that is 0."""
    pooled = np.concatenate([first, second])
    if len(pooled) <= ddof:
        return math.nan
    sd = pooled.std(ddof=ddof)
    # A spread at the level of rounding is no spread.
    if sd <= 1e-12 * max(1.0, float(np.abs(pooled).max())):
        return math.nan
    return float((first.mean() - second.mean()) / sd)
