"""Shared by metrics of the direction of pairs: the direction, and means over target words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from fairflow.errors import DegenerateError, FairflowError
from fairflow.metrics.base_metric import BaseMetric, Sets, word_values
from fairflow.statistics.outcome import Outcome
from fairflow.statistics.resampling_statistic import (
    Measures,
    Weights,
    WordStatistic,
    weighted_means,
)
from fairflow.vectors.directions import BiasSubspace, bias_subspace
from fairflow.vectors.query_vectors import PairVectors, stratum_of


class DirectionMetric(BaseMetric):
    """A metric of the direction of the declared pairs, computed from cosines."""

    citation = "bolukbasi2016man"
    of_directions = True
    needs: ClassVar[tuple[str, ...]] = ("pairs",)

    def __init_subclass__(cls) -> None:
        # Cosines, and measures computed from them, depend on the dimension.
        cls.depends_on_dimension = vars(cls).get("depends_on_dimension", cls.measure_names)


def direction_of(pairs: PairVectors) -> BiasSubspace:
    """The first principal component of the complete pairs, of length 1.

    Its sign is chosen so that the first word of the first pair is on the positive side.

    Raises
    ------
    DegenerateError : the words of the pairs do not differ.
    """
    try:
        return bias_subspace([*pairs.vectors], name="pairs")
    except FairflowError as error:
        raise DegenerateError(str(error)) from error


@dataclass(frozen=True)
class MeansStatistic(WordStatistic):
    """Means of values for weighted words.

    Null hypothesis of the test: with two target sets, the value of a word does not depend on its
    set. Exchanged: the set labels of the words. Statistic: the difference of the sets' means.

    Attributes
    ----------
    values : one per word, between -1 and 1, (units,).
    mean : name of the measure that is the mean over all sets. difference : name of the measure that
        is the first set's mean minus the second's.
    """

    values: np.ndarray
    mean: str
    difference: str

    tested = "difference of means"
    attributes_fixed = "the direction uses all pairs: no attribute words are resampled"

    @property
    def tested_measures(self) -> tuple[str, ...]:
        """The difference."""
        return (self.difference,)

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """The mean of all words; with two sets also the difference."""
        # One row of weights may apply to all resamples.
        weights = sum(targets[1:], targets[0])
        measures = {self.mean: weighted_means(self.values[np.newaxis], weights)}
        if len(targets) == 2:
            measures[self.difference] = self.test_statistic(targets)
        return measures

    @property
    def contributions(self) -> np.ndarray | None:
        """The value of each word: (words,); None unless there are two sets."""
        return self.values if len(self.targets) == 2 else None

    @property
    def untestable(self) -> str | None:
        """Why there is no test, or None."""
        return super().untestable if len(self.targets) == 2 else "the test needs two target sets"

    @property
    def magnitude(self) -> float:
        """The largest value."""
        return float(np.abs(self.values).max())

    def limits(self, measure: str) -> tuple[float, float]:
        """The limits of a cosine, or of a difference of two cosines."""
        most = 1.0 if measure == self.mean else 2.0
        return -most, most


def outcome_of_means(
    names: tuple[str, str],
    targets: Sets,
    values_of: Callable[[Sets], list[np.ndarray]],
    details: Mapping[str, Any] = MappingProxyType({}),
    more: Callable[[np.ndarray], Mapping[str, np.ndarray]] = lambda _: {},
) -> Outcome:
    """The mean of a value over target words, and the difference of two sets' means.

    Parameters
    ----------
    names : of the mean, and of the first set's mean minus the second's.
    values_of : sets -> the values of the words of each set, between -1 and 1, (words,).
    more : values of all words -> further named values of each word, for the table of words.
    """
    mean, difference = names

    def statistic(others: Sets = targets) -> MeansStatistic:
        strata = [stratum_of(words) for words in others]
        return MeansStatistic(strata, [], np.concatenate(values_of(others)), *names)

    values = values_of(targets)
    every = np.concatenate(values)
    two = len(targets) == 2
    measures = {
        mean: float(every.mean()),
        difference: float(values[0].mean() - values[1].mean()) if two else math.nan,
    }
    return Outcome(
        result=measures[mean],
        measures=measures,
        details=dict(details),
        words=word_values(targets, {mean: every, **more(every)}),
        reasons={} if two else {difference: "needs two target sets"},
        resampling=statistic,
    )
