"""The resampling statistic of a metric: its value for other weights or other words."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

# The number of weights at once when each word of an attribute set is left out: 16 MB.
LEFT_OUT_CELLS = 2_000_000

# Of each set the weights of its words, (resamplings, words).
Weights = Sequence[np.ndarray]
# Measure -> its values, (resamplings,).
Measures = dict[str, np.ndarray]


@dataclass(frozen=True)
class Stratum:
    """Units that are resampled among themselves: those of one set.

    Attributes
    ----------
    words : the words asked for; equal words are resampled equally in every set.
    unit_of : (words,) the number within the stratum of the unit of each word, -1 for no unit.
    names : of the units.
    """

    words: tuple[str, ...]
    unit_of: np.ndarray
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)


class ResamplingStatistic(ABC):
    """The formula of a metric for weighted words, as resampling needs it.

    A *unit* is what is drawn, exchanged or left out: a target word, or a pair of them (RIPA). A
    word of weight 2 counts as if its set held it twice; weights need not be whole. They have
    one row per resampling, or a single row that holds for all of them.

    Attributes
    ----------
    targets : a stratum per target set; their units, in this order, are the columns of weights.
    attributes : a stratum per attribute set; empty where attributes cannot be resampled.
    tested : what the permutation test's statistic is, in words; "" where there is no test.
    tested_measures : the measures that order the exchanges as that statistic does, so that the
        p-value is theirs; no other measure has one.
    alternative : the usual alternative of that test: "greater", "less" or "two-sided".
    exchanged : what the test exchanges: "labels" of units between the target sets, or "signs".
    unit : what units are called in notes. attributes_fixed : why there is no second interval where
        attributes cannot be resampled.
    """

    if TYPE_CHECKING:
        # To be read alone: fields of most statistics, and computed by some.
        @property
        def targets(self) -> Sequence[Stratum]: ...
        @property
        def attributes(self) -> Sequence[Stratum]: ...
        @property
        def tested(self) -> str: ...
        @property
        def tested_measures(self) -> tuple[str, ...]: ...
        @property
        def unit(self) -> str: ...
    else:
        tested, tested_measures, unit = "", (), "words"

    alternative: ClassVar[str] = "two-sided"
    exchanged: ClassVar[str] = "labels"
    attributes_fixed: ClassVar[str] = (
        "attribute words cannot be resampled: the classifiers are fixed"
    )

    single: ClassVar[bool] = False
    # What to say of the units next to a score, "" if they are the words as they were found.
    note: str = ""

    @abstractmethod
    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """Each measure that has an interval: (resamplings,), NaN where it is undefined.

        Parameters
        ----------
        targets : for each target set the weights of all units: (resamplings, units).
        attributes : for each attribute set the weights of its words; all 1 by default.
        """

    def measures_alone_and_both(
        self, targets: Weights, attributes: Weights
    ) -> tuple[Measures, Measures]:
        """`measures` without and with weights of the attribute words.

        For statistics that can share the work. The second is empty if attributes cannot be
        resampled.
        """
        alone = self.measures(targets)
        return alone, self.measures(targets, attributes) if attributes else {}

    def without_attribute(self, index: int) -> Measures:
        """`measures` with each word of an attribute set left out: (words of the set,).

        For statistics that have a closed form of it.
        """
        size = len(self.attributes[index])
        ones = [np.ones((1, len(stratum))) for stratum in self.attributes]
        # Each row holds a weight for every word of the set.
        rows = min(self.chunk, LEFT_OUT_CELLS // size + 1)
        parts = []
        for start in range(0, size, rows):
            weights = list(ones)
            weights[index] = leaving_out(ones[index], np.arange(size)[start : start + rows])
            parts.append(self.measures(self.observed, weights))
        return joined_draws(parts)

    def test_statistic(self, targets: Weights) -> np.ndarray:
        """The statistic of the permutation test: (resamplings,).

        The difference of the sets' means of `contributions`; without these, the measure tested.
        """
        if self.contributions is None:
            return self.measures(targets)[self.tested_measures[0]]
        first, second = (weighted_means(self.contributions[np.newaxis], one) for one in targets)
        return first - second

    @property
    def contributions(self) -> np.ndarray | None:
        """(units,) values whose difference of set means is the test's statistic, if there are."""
        return None

    @property
    def zero_mean(self) -> bool:
        """Whether the statistic's mean over all exchanges is 0 by its symmetry."""
        return self.contributions is not None

    @property
    def over_factors(self) -> ResamplingStatistic | None:
        """The statistic that resamples what units are crossed with (templates), or None."""
        return None

    @property
    def untestable(self) -> str | None:
        """Why there is nothing to test, or None."""
        if not self.tested:
            return "a permutation test needs two target sets"
        if self.exchanged == "labels" and not self.free.any():
            return "every target word is in several target sets: nothing can be exchanged"
        if np.isnan(self.test_statistic(self.observed)).any():
            return "the tested statistic is undefined"
        return None

    @property
    def magnitude(self) -> float:
        """Size of the numbers that the statistic is made of, to which rounding errors are relative.

        1 for cosines, probabilities and correlations.
        """
        return 1.0

    def limits(self, measure: str) -> tuple[float, float]:
        """The least and the largest value that a measure can have."""
        return -math.inf, math.inf

    @property
    def width(self) -> int:
        """The number of values that one evaluation processes: its cost."""
        return self.n_units

    @property
    def sizes(self) -> tuple[int, ...]:
        """Units of each target set."""
        return tuple(len(stratum) for stratum in self.targets)

    @property
    def n_units(self) -> int:
        """Units of all target sets."""
        return sum(self.sizes)

    @property
    def free(self) -> np.ndarray:
        """(units,) False for a word of several target sets, which an exchange leaves in each."""
        names = self.units
        return np.array([names.count(name) == 1 for name in names])

    @property
    def chunk(self) -> int:
        """The number of resamplings to evaluate together, for arrays that fit the cache."""
        return int(np.clip(250_000 // max(self.width, 1), 64, 16_384))

    @property
    def units(self) -> tuple[str, ...]:
        """Names of all units."""
        return tuple(name for stratum in self.targets for name in stratum.names)

    @property
    def observed(self) -> list[np.ndarray]:
        """The weights of the query as it was asked: one row of 0 and 1 per target set."""
        return self.spread([np.ones((1, size)) for size in self.sizes])

    def spread(self, unit_weights: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Weights of each set's own units -> weights over all units, 0 elsewhere."""
        starts = np.cumsum([0, *self.sizes])
        spread = [np.zeros((len(weights), self.n_units)) for weights in unit_weights]
        for weights, wide, start in zip(unit_weights, spread, starts, strict=False):
            wide[:, start : start + weights.shape[1]] = weights
        return spread


@dataclass(frozen=True)
class WordStatistic(ResamplingStatistic):
    """A statistic of the words of sets, as most metrics have it."""

    targets: Sequence[Stratum]
    attributes: Sequence[Stratum]


@dataclass(frozen=True)
class TableStatistic(WordStatistic):
    """A statistic that depends on means over sets of a number for each unit and attribute word.

    Attributes
    ----------
    tables : for each attribute set, (units, attribute words).
    """

    tables: Sequence[np.ndarray]

    @abstractmethod
    def combined(self, means: Sequence[np.ndarray]) -> np.ndarray:
        """The value of each unit, from its means over the attribute sets: (1 or B, units)."""

    @abstractmethod
    def of_values(self, values: np.ndarray, targets: Weights) -> Measures:
        """`measures` from the value of each unit: (1 or B, units)."""

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """`of_values` of weighted means."""
        if attributes is None:
            return self.of_values(self._plain, targets)
        means = [mean_columns(*each) for each in zip(self.tables, attributes, strict=True)]
        return self.of_values(self.combined(means), targets)

    def without_attribute(self, index: int) -> Measures:
        """Each mean without a word follows from the sum of all."""
        means = [mean_columns(table, None) for table in self.tables]
        means[index] = means_without_each(self.tables[index])
        return self.of_values(self.combined(means), self.observed)

    @cached_property
    def _plain(self) -> np.ndarray:
        return self.combined([mean_columns(table, None) for table in self.tables])

    @property
    def contributions(self) -> np.ndarray | None:
        """The value of each unit: (units,); None where signs are exchanged."""
        return None if self.exchanged == "signs" else self._plain[0]


def joined_draws(parts: Sequence[Mapping[str, np.ndarray]]) -> Measures:
    """Measures of some resamplings after those of others; empty of none."""
    return {name: np.concatenate([p[name] for p in parts]) for name in parts[0]} if parts else {}


def leaving_out(weights: np.ndarray, members: np.ndarray) -> np.ndarray:
    """One row per member, with its weight 0: (1, units), (members,) -> (members, units)."""
    rows = np.repeat(weights, len(members), axis=0)
    rows[np.arange(len(members)), members] = 0
    return rows


def weighted_means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Means of values under each row of weights: (1 or B, n), (1 or B, n) -> (B,).

    NaN where the weights are all 0.
    """
    return weighted_sums(values, weights) / _totals(weights)


def means_of(columns: Mapping[str, np.ndarray], weights: np.ndarray) -> Measures:
    """Weighted mean of each column: (n,), (B, n) -> (B,); NaN where the weights are all 0."""
    total = _totals(weights)
    return {
        name: weights @ values.astype(float, copy=False) / total for name, values in columns.items()
    }


def _totals(weights: np.ndarray) -> np.ndarray:
    total = weights.sum(axis=1)
    return np.where(total > 0, total, np.nan)


def weighted_sums(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sums of values under each row of weights: (1 or B, n), (1 or B, n) -> (B,)."""
    if len(values) == 1:
        return weights @ values[0]
    if len(weights) == 1:
        return values @ weights[0]
    return np.einsum("bn,bn->b", values, weights)


def mean_columns(values: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Mean over the columns of values, weighted: (n, m), (B, m) or None -> (B or 1, n).

    NaN where the weights are all 0. With weights in single precision, the deviations of the
    values from their plain mean are averaged: rounding is then small relative to these deviations.
    """
    if weights is None:
        return values.mean(axis=1)[np.newaxis]
    total = weights.sum(axis=1, keepdims=True)
    total = np.where(total > 0, total, np.nan)
    if weights.dtype == np.float32:
        plain = values.mean(axis=1)
        differences = (values - plain[:, np.newaxis]).astype(np.float32)
        return plain + (weights @ differences.T) / total.astype(float)
    return weights @ values.T / total


def means_without_each(values: np.ndarray) -> np.ndarray:
    """Means over the columns of values with each of them left out: (n, m) -> (m, n).

    NaN where there is but one.
    """
    rest = values.shape[1] - 1
    if not rest:
        return np.full((1, len(values)), np.nan)
    return ((values.sum(axis=1, keepdims=True) - values) / rest).T
