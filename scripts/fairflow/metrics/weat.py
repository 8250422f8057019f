"""WEAT: the Word Embedding Association Test of Caliskan, Bryson and Narayanan (2017)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.metrics.base_metric import BaseMetric
from fairflow.statistics.kernel import (
    Kernel,
    Stratum,
    mean_columns,
    weighted_means,
    weighted_sums,
)
from fairflow.statistics.outcome import Outcome, WordValue
from fairflow.vectors.cosine import mean_unit, unit
from fairflow.vectors.query_vectors import WordVectors
from fairflow.vectors.strata import stratum_of

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
    citation = (
        "Caliskan, A., Bryson, J. J., & Narayanan, A. (2017). Semantics derived automatically from "
        "language corpora contain human-like biases. Science, 356(6334), 183-186. "
        "https://doi.org/10.1126/science.aal4230"
    )
    measure_names = ("weat", "effect_size")
    without_effect_on_test = ("return_effect_size", "convention")
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
            resampling=lambda others=targets: WEATKernel.of(
                others, attributes, DEGREES_OF_FREEDOM[convention]
            ),
        )


@dataclass(frozen=True)
class WEATKernel(Kernel):
    """WEAT for weighted words.

    Null hypothesis of the test: the target words are exchangeable between the two target sets, as
    far as their association s goes. Exchanged: their labels, the sizes of the sets kept. Statistic:
    the difference of the sets' means of s; the sum and the effect size order the exchanges of sets
    of equal size in the same way, as the denominators do not change.

    Attributes
    ----------
    similarities : cosines with the words of either attribute set, (target words, attribute words).
    """

    targets: Sequence[Stratum]
    attributes: Sequence[Stratum]
    similarities: Sequence[np.ndarray]
    ddof: int

    tested = "difference of mean associations"
    tested_measures = ("weat", "effect_size")

    @classmethod
    def of(
        cls, targets: Sequence[WordVectors], attributes: Sequence[WordVectors], ddof: int
    ) -> WEATKernel:
        """The kernel of these sets."""
        words = unit(np.concatenate([target.vectors for target in targets]))
        return cls(
            targets=[stratum_of(target) for target in targets],
            attributes=[stratum_of(attribute) for attribute in attributes],
            similarities=[words @ unit(attribute.vectors).T for attribute in attributes],
            ddof=ddof,
        )

    def measures(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """Statistic and effect size, NaN where a set is empty.

        The effect size is NaN, too, where all words have the same association.
        """
        s = self._associations(attributes)  # (1 or B, words)
        first, second = targets
        difference = weighted_means(s, first) - weighted_means(s, second)
        statistic = weighted_sums(s, first) - weighted_sums(s, second)
        statistic = np.where(np.isnan(difference), np.nan, statistic)
        # A spread at the level of rounding is no spread.
        rounding = 1e-24 * np.maximum(1, (s**2).max(axis=1))
        # Around their common mean, so that squares lose few digits.
        s = s - s.mean(axis=1, keepdims=True)
        both = first + second
        count = both.sum(axis=1)
        freedom = np.where(count > self.ddof, count - self.ddof, np.nan)
        variance = (weighted_sums(s**2, both) - count * weighted_means(s, both) ** 2) / freedom
        least = np.maximum(rounding, 1e-14 * (s**2).max(axis=1))
        sd = np.sqrt(np.where(variance > least, variance, np.nan))
        return {"weat": statistic, "effect_size": difference / sd}

    def test_statistic(self, targets: Sequence[np.ndarray]) -> np.ndarray:
        """The difference of mean associations."""
        s = self.contributions[np.newaxis]
        return weighted_means(s, targets[0]) - weighted_means(s, targets[1])

    @property
    def contributions(self) -> np.ndarray:
        """The association of each target word: (words,)."""
        return self._associations(None)[0]

    def limits(self, measure: str) -> tuple[float, float]:
        """Of the effect size, when the words of each set are alike; of the sum, 2 per word."""
        n = self.n_units
        most = 2.0 * n
        if measure == "effect_size":
            most = math.sqrt(n * max(n - self.ddof, 0) / math.prod(self.sizes))
        return -most, most

    def _associations(self, weights: Sequence[np.ndarray] | None) -> np.ndarray:
        first, second = (
            mean_columns(similarities, None if weights is None else weights[index])
            for index, similarities in enumerate(self.similarities)
        )
        return first - second


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
