"""WEAT: the Word Embedding Association Test of Caliskan, Bryson and Narayanan (2017)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fairflow.metrics.base_metric import BaseMetric, Sets, word_values
from fairflow.statistics.outcome import Outcome, Reading
from fairflow.statistics.resampling_statistic import (
    Measures,
    TableStatistic,
    Weights,
    weighted_means,
    weighted_sums,
)
from fairflow.vectors.directions import mean_unit, unit
from fairflow.vectors.query_vectors import stratum_of

DEGREES_OF_FREEDOM = {"paper": 1, "wefe": 0}
# The effect size by each convention.
BOTH = "both"
SIZES_OF_BOTH = {"paper": "effect_size", "wefe": "effect_size_wefe"}


class WEAT(BaseMetric):
    """Is one target set nearer to the first attribute set, and the other to the second?

    s(w) = mean of cos(w, a) over the first attribute set - mean over the second.
    weat = sum of s over the first target set - sum over the second.
    effect_size = (mean of s over the first - mean over the second) / sd of s over both.

    Both values are positive if the first target set is nearer to the first attribute set and the
    second to the second; 0 is fair. With sets of equal size the effect size is between about -2
    and 2. Source: Caliskan, Bryson and Narayanan (2017).

    Examples
    --------
    >>> from fairflow import WEAT, Query, WordEmbeddingModel
    >>> model = WordEmbeddingModel({
    ...     "John": [1.0, 0.3], "Paul": [0.9, 0.1], "Amy": [-0.8, 0.2], "Lisa": [-1.0, 0.4],
    ...     "office": [0.7, 0.7], "salary": [0.6, 0.8], "home": [-0.7, 0.7], "family": [-0.5, 0.9],
    ... })
    >>> query = Query(
    ...     [["John", "Paul"], ["Amy", "Lisa"]],
    ...     [["office", "salary"], ["home", "family"]],
    ...     ["Male names", "Female names"],
    ...     ["Career", "Family"],
    ... )
    >>> result = WEAT().run_query(query, model)
    >>> round(result["weat"], 2), round(result["effect_size"], 2)
    (4.82, 1.73)

    See also
    --------
    fairflow.metrics.SCWEAT : one target set, without a second group.
    fairflow.metrics.RIPA : one attribute set, along the direction of pairs.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = (2, 2)
    metric_name = "Word Embedding Association Test"
    metric_short_name = "WEAT"
    citation = "caliskan2017semantics"
    measure_names = ("weat", "effect_size")
    labels: ClassVar[Mapping[str, str]] = {"effect_size": "WEAT effect size (sample sd)"}
    of_directions = True
    # The effect size is a multiple of its spread.
    depends_on_dimension = ("weat",)
    readings = dict.fromkeys(
        measure_names, Reading(0, "first targets with first attributes", of_pairs=True)
    )
    without_effect_on_test = ("return_effect_size", "convention")
    empty_details = {"p_value": math.nan}

    def compute(
        self,
        targets: Sets,
        attributes: Sets,
        return_effect_size: bool = False,
        convention: str = "paper",
    ) -> Outcome:
        """Statistic and effect size.

        Parameters
        ----------
        return_effect_size : make the effect size, not the statistic, the result.
        convention : "paper" divides the effect size by the sample standard deviation, "wefe" by
            that of the population; "both" also gives the latter, as `effect_size_wefe`.

        Raises
        ------
        ValueError : another convention.
        """
        freedom = _degrees_of_freedom(convention)
        direction = contrast(attributes[0].vectors, attributes[1].vectors)
        first, second = (unit(target.vectors) @ direction for target in targets)
        statistic = float(first.sum() - second.sum())
        sizes = {name: effect_size(first, second, ddof) for name, ddof in freedom.items()}
        no_spread = "all target words have the same association: sd is 0"
        return Outcome(
            result=sizes["effect_size"] if return_effect_size else statistic,
            measures={"weat": statistic, **sizes},
            details={"p_value": math.nan},
            words=word_values(targets, {"association": np.concatenate([first, second])}),
            reasons={name: no_spread for name, size in sizes.items() if math.isnan(size)},
            resampling=lambda others=targets: WEATStatistic.of(others, attributes, freedom),
        )

    @classmethod
    def measures_of(cls, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        """The sum and the effect size; two effect sizes if the convention is "both"."""
        return ("weat", *_degrees_of_freedom(parameters.get("convention", "paper")))

    @classmethod
    def computed_with(
        cls, parameters: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, str] | None]:
        """Computed with both conventions: they differ only in the last division."""
        chosen = parameters.get("convention", "paper")
        if chosen not in SIZES_OF_BOTH:
            return dict(parameters), None
        choices = ("return_effect_size", "convention")
        others = {name: value for name, value in parameters.items() if name not in choices}
        shown = {"weat": "weat", SIZES_OF_BOTH[chosen]: "effect_size"}
        return others | {"convention": BOTH}, shown


@dataclass(frozen=True)
class WEATStatistic(TableStatistic):
    """WEAT for weighted words.

    Null hypothesis of the test: the association s of a target word does not depend on its set.
    Exchanged: the set labels of the target words; the sizes of the sets are kept. Statistic: the
    difference of the sets' means of s. For sets of equal size the sum and the effect size rank the
    exchanges in the same order, because their denominators do not change.

    Attributes
    ----------
    tables : cosines with the words of each attribute set, (target words, attribute words).
    ddof : effect size -> the `ddof` of its standard deviation.
    """

    ddof: Mapping[str, int]

    tested = "difference of mean associations"
    tested_measures = ("weat", *SIZES_OF_BOTH.values())

    @classmethod
    def of(cls, targets: Sets, attributes: Sets, ddof: Mapping[str, int]) -> WEATStatistic:
        """The statistic of these sets."""
        words = unit(np.concatenate([target.vectors for target in targets]))
        return cls(
            targets=[stratum_of(target) for target in targets],
            attributes=[stratum_of(attribute) for attribute in attributes],
            tables=[words @ unit(attribute.vectors).T for attribute in attributes],
            ddof=ddof,
        )

    def combined(self, means: Sequence[np.ndarray]) -> np.ndarray:
        """The association of each target word."""
        return means[0] - means[1]

    def of_values(self, s: np.ndarray, targets: Weights) -> Measures:
        """Statistic and effect sizes; NaN where a set is empty.

        An effect size is also NaN where all words have the same association.
        """
        first, second = targets
        difference = weighted_means(s, first) - weighted_means(s, second)
        statistic = weighted_sums(s, first) - weighted_sums(s, second)
        statistic = np.where(np.isnan(difference), np.nan, statistic)
        # A spread at the level of rounding is no spread.
        rounding = 1e-24 * np.maximum(1, (s**2).max(axis=1))
        # Centred on the common mean, so that squares lose few digits.
        s = s - s.mean(axis=1, keepdims=True)
        both = first + second
        count = both.sum(axis=1)
        squares = weighted_sums(s**2, both) - count * weighted_means(s, both) ** 2
        least = np.maximum(rounding, 1e-14 * (s**2).max(axis=1))
        measures = {"weat": statistic}
        for name, ddof in self.ddof.items():
            variance = squares / np.where(count > ddof, count - ddof, np.nan)
            measures[name] = difference / np.sqrt(np.where(variance > least, variance, np.nan))
        return measures

    def limits(self, measure: str) -> tuple[float, float]:
        """Effect size: its value if the words of each set are equal. Sum: 2 per word."""
        n = self.n_units
        most = 2.0 * n
        if measure in self.ddof:
            most = math.sqrt(n * max(n - self.ddof[measure], 0) / math.prod(self.sizes))
        return -most, most


def _degrees_of_freedom(convention: str) -> dict[str, int]:
    """Effect size -> the `ddof` of its standard deviation.

    Raises
    ------
    ValueError : another convention.
    """
    if convention == BOTH:
        return {name: DEGREES_OF_FREEDOM[each] for each, name in SIZES_OF_BOTH.items()}
    if convention not in DEGREES_OF_FREEDOM:
        names = ", ".join(map(repr, DEGREES_OF_FREEDOM))
        raise ValueError(f"convention must be one of {names}, '{BOTH}', got {convention!r}")
    return {"effect_size": DEGREES_OF_FREEDOM[convention]}


def associations(words: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """s(w) of each word: (words, dims), (a, dims), (b, dims) -> (words,)."""
    return unit(words) @ contrast(first, second)


def contrast(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The vector whose inner products with words of length 1 are their associations: (dims,)."""
    return mean_unit(first) - mean_unit(second)


def effect_size(first: np.ndarray, second: np.ndarray, ddof: int) -> float:
    """Difference of two samples' means, divided by the sd of both together; NaN if that is 0."""
    pooled = np.concatenate([first, second])
    if len(pooled) <= ddof:
        return math.nan
    sd = pooled.std(ddof=ddof)
    # A spread at the level of rounding is no spread.
    if sd <= 1e-12 * max(1.0, float(np.abs(pooled).max())):
        return math.nan
    return float((first.mean() - second.mean()) / sd)
