"""What the resampling of a score needs of a metric: its value under other weights or other words.

Of one set of words, of sets whose words go together (their texts, their groups), and of the same
words in two models.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import ClassVar

import numpy as np

# So many weights at once when each word of an attribute set is left out: 16 MB.
LEFT_OUT_CELLS = 2_000_000


@dataclass(frozen=True)
class Stratum:
    """Units that are resampled among themselves: those of one set.

    Attributes
    ----------
    words : the words asked for; equal words are resampled equally wherever they stand.
    unit_of : (words,) the unit, counted within the stratum, that stands for each, -1 for none.
    names : of the units.
    """

    words: tuple[str, ...]
    unit_of: np.ndarray
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)


class Kernel(ABC):
    """What resampling needs of a metric: its formula for weighted words.

    A *unit* is what is drawn, exchanged or left out: a target word, or a pair of them (RIPA). A
    word of weight 2 counts as if it stood in its set twice; weights need not be whole. They have
    one row per resampling, or a single row that holds for all of them.

    Attributes
    ----------
    targets : a stratum per target set; their units, in this order, are the columns of weights.
    attributes : a stratum per attribute set; empty where attributes cannot be resampled.
    tested : what the permutation test's statistic is, in words; "" where there is no test.
    tested_measures : the measures that order the exchanges as that statistic does, so that the
        p-value is theirs; no other measure has one.
    side : the usual alternative of that test: "right", "left" or "two-sided".
    exchanged : what the test exchanges: "labels" of units between the target sets, or "signs".
    unit : what units are called in notes. attributes_fixed : why there is no second interval where
        attributes cannot be resampled.
    """

    targets: Sequence[Stratum]
    attributes: Sequence[Stratum]
    tested: str = ""
    tested_measures: tuple[str, ...] = ()
    side: ClassVar[str] = "two-sided"
    exchanged: ClassVar[str] = "labels"
    unit: ClassVar[str] = "words"
    attributes_fixed: ClassVar[str] = (
        "attribute words cannot be resampled: the classifiers are fixed"
    )

    single: ClassVar[bool] = False

    @abstractmethod
    def measures(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """Each measure that has an interval: (resamplings,), NaN where it is undefined.

        Parameters
        ----------
        targets : for each target set the weights of all units: (resamplings, units).
        attributes : for each attribute set the weights of its words; all 1 by default.
        """

    def measures_alone_and_both(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray]
    ) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """`measures` without and with weights of the attribute words.

        For kernels that can share the work; empty the second where attributes cannot be resampled.
        """
        alone = self.measures(targets)
        return alone, self.measures(targets, attributes) if attributes else {}

    def without_attribute(self, index: int) -> dict[str, np.ndarray]:
        """`measures` with each word of an attribute set left out: (words of the set,).

        For kernels that have a closed form of it.
        """
        size = len(self.attributes[index])
        ones = [np.ones((1, len(stratum))) for stratum in self.attributes]
        # Each of so many rows holds a weight for every word of the set.
        rows = min(self.chunk, LEFT_OUT_CELLS // size + 1)
        parts = []
        for start in range(0, size, rows):
            weights = list(ones)
            weights[index] = leaving_out(ones[index], np.arange(size)[start : start + rows])
            parts.append(self.measures(self.observed, weights))
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def test_statistic(self, targets: Sequence[np.ndarray]) -> np.ndarray:
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
    def over_factors(self) -> Kernel | None:
        """The kernel that resamples what units are crossed with (templates), or None."""
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
        """How many numbers one evaluation goes through: the measure of its cost."""
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
        """How many resamplings to evaluate together, for arrays that stay near the processor."""
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
class WordKernel(Kernel):
    """A kernel of the words of sets, as most metrics have it."""

    targets: Sequence[Stratum]
    attributes: Sequence[Stratum]


def leaving_out(weights: np.ndarray, members: np.ndarray) -> np.ndarray:
    """One row per member, with its weight 0: (1, units), (members,) -> (members, units)."""
    rows = np.repeat(weights, len(members), axis=0)
    rows[np.arange(len(members)), members] = 0
    return rows


def weighted_means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Means of values under each row of weights: (1 or B, n), (1 or B, n) -> (B,).

    NaN where the weights are all 0.
    """
    total = weights.sum(axis=1)
    total = np.where(total > 0, total, np.nan)
    return weighted_sums(values, weights) / total


def weighted_sums(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sums of values under each row of weights: (1 or B, n), (1 or B, n) -> (B,)."""
    if len(values) == 1:
        return weights @ values[0]
    if len(weights) == 1:
        return values @ weights[0]
    return np.einsum("bn,bn->b", values, weights)


def mean_columns(values: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Mean over the columns of values, weighted: (n, m), (B, m) or None -> (B or 1, n).

    NaN where the weights are all 0. With weights in single precision, what the values differ from
    their plain mean is averaged so: rounding is then as small beside these differences.
    """
    plain = values.mean(axis=1)
    if weights is None:
        return plain[np.newaxis]
    total = weights.sum(axis=1, keepdims=True)
    total = np.where(total > 0, total, np.nan)
    if weights.dtype == np.float32:
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


@dataclass(frozen=True)
class Factor:
    """What groups are crossed with, such as templates: every level meets (nearly) every group.

    Attributes
    ----------
    stratum : its levels. of_targets : (base units,) the level of each, -1 for none.
    of_attributes : per attribute set of the base likewise.
    """

    stratum: Stratum
    of_targets: np.ndarray
    of_attributes: Sequence[np.ndarray] = ()


@dataclass(frozen=True)
class GroupedKernel(Kernel):
    """A kernel whose unit is a group of the units of another one.

    All sentences of a word, or all items of a pair of names, are exchanged, drawn or left out
    together: they are no independent findings about it. Null hypothesis and statistic are those of
    `base`; only whole groups are exchanged. Had the templates been others too, intervals grow by
    what these add (`attributes` ends with the factors that groups are crossed with).

    Attributes
    ----------
    group_of : (base units,) the column of each one's group in weights of the targets.
    attribute_group_of : the same for each attribute set of the base.
    factors : what groups are crossed with.
    """

    base: Kernel
    targets: Sequence[Stratum]
    base_attributes: Sequence[Stratum]
    group_of: np.ndarray
    attribute_group_of: Sequence[np.ndarray]
    factors: Sequence[Factor] = ()

    @property
    def attributes(self) -> list[Stratum]:
        """Groups of each attribute set, then the levels of each factor."""
        return [*self.base_attributes, *(factor.stratum for factor in self.factors)]

    tested = property(attrgetter("base.tested"))
    tested_measures = property(attrgetter("base.tested_measures"))
    side = property(attrgetter("base.side"))
    exchanged = property(attrgetter("base.exchanged"))
    attributes_fixed = property(attrgetter("base.attributes_fixed"))
    magnitude = property(attrgetter("base.magnitude"))

    @property
    def unit(self) -> str:
        """What units are called in notes."""
        return f"{self.base.unit} or templates" if self.factors else self.base.unit

    def limits(self, measure: str) -> tuple[float, float]:
        """Those of the base."""
        return self.base.limits(measure)

    @property
    def width(self) -> int:
        """That of the base."""
        return max(self.base.width, self.base.n_units)

    def measures(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """The base's measures, each of its units with the weight of its group and levels."""
        wide = [weights[:, self.group_of] for weights in targets]
        if attributes is None:
            return self.base.measures(wide)
        unit_weights, levels = (
            attributes[: len(self.base_attributes)],
            attributes[len(self.base_attributes) :],
        )
        others = [w[:, of] for w, of in zip(unit_weights, self.attribute_group_of, strict=True)]
        for factor, weights in zip(self.factors, levels, strict=True):
            wide = [w * _of_levels(weights, factor.of_targets) for w in wide]
            others = [
                w * _of_levels(weights, of)
                for w, of in zip(others, factor.of_attributes, strict=True)
            ]
        return self.base.measures(wide, others or None)

    def test_statistic(self, targets: Sequence[np.ndarray]) -> np.ndarray:
        """The base's statistic."""
        return self.base.test_statistic([weights[:, self.group_of] for weights in targets])

    @cached_property
    def contributions(self) -> np.ndarray | None:
        """(groups,) means of the base's, where all groups are equally large."""
        values = self.base.contributions
        sizes = np.bincount(self.group_of, minlength=self.n_units)
        if values is None or len(set(sizes.tolist())) != 1:
            return None
        return np.bincount(self.group_of, values, self.n_units) / sizes

    @property
    def zero_mean(self) -> bool:
        """As that of the base, if exchanging all labels turns the sign here too."""
        balanced = len(set(self.sizes)) == 1
        return self.contributions is not None or (self.base.zero_mean and balanced)

    @property
    def untestable(self) -> str | None:
        """Why there is nothing to test, or None."""
        if self.exchanged == "signs" and self.n_units == 1 and self.base.untestable is None:
            return f"there is but one unit ({self.units[0]}): no other could be drawn or exchanged"
        return self.base.untestable or super().untestable

    @property
    def over_factors(self) -> Kernel | None:
        """The kernel whose units are the levels of the factors, the groups fixed; or None."""
        return _OverFactors(self) if self.factors else None


@dataclass(frozen=True)
class _OverFactors(Kernel):
    """A grouped kernel had its templates alone been others."""

    grouped: GroupedKernel

    attributes = ()

    @property
    def targets(self) -> list[Stratum]:
        """The levels of each factor."""
        return [factor.stratum for factor in self.grouped.factors]

    def measures(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """The measures for weighted levels."""
        ends = np.cumsum(self.sizes)[:-1]
        levels = [np.split(weights, ends, axis=1)[number] for number, weights in enumerate(targets)]
        rows = max(len(weights) for weights in levels)
        levels = [np.broadcast_to(w, (rows, w.shape[1])) for w in levels]
        ones = [np.ones((1, len(s))) for s in self.grouped.base_attributes]
        observed = [np.repeat(w, rows, axis=0) for w in self.grouped.observed]
        return self.grouped.measures(observed, [*ones, *levels])

    def limits(self, measure: str) -> tuple[float, float]:
        """Those of the grouped kernel."""
        return self.grouped.limits(measure)

    width = property(attrgetter("grouped.width"))


def _of_levels(weights: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Weights of levels -> of units: (B, levels), (units,) -> (B, units); 1 without a level."""
    return np.where(of >= 0, weights[:, np.maximum(of, 0)], 1.0)


def grouped(
    base: Kernel, group: Mapping[str, str], factors: Sequence[Mapping[str, str]] = ()
) -> GroupedKernel:
    """A kernel of groups.

    A factor is left out unless it is crossed with the groups: with one level there is nothing to
    resample, and where each group has one level only, levels are nested groups, not crossed ones.

    Parameters
    ----------
    base : its strata list what was asked for, `Stratum.words`.
    group : word of a stratum -> its group. factors : per factor word -> its level.

    Raises
    ------
    KeyError : a word without group.
    """
    made, group_of, start = [], [], 0
    for stratum in base.targets:
        groups, of = _stratum(stratum, group)
        made.append(groups)
        group_of.append(of + start)
        start += len(groups)
    attributes = [_stratum(stratum, group) for stratum in base.attributes]
    crossed = [_factor(base, levels) for levels in factors if _is_crossed(base, group, levels)]
    return GroupedKernel(
        base=base,
        targets=made,
        base_attributes=[groups for groups, _ in attributes],
        group_of=np.concatenate(group_of),
        attribute_group_of=[of for _, of in attributes],
        factors=crossed,
    )


def _named(stratum: Stratum) -> list[str]:
    """The word that each unit of a stratum stands for, the first if it stands for several."""
    named = [""] * len(stratum)
    for word, unit in reversed(list(zip(stratum.words, stratum.unit_of.tolist(), strict=True))):
        if unit >= 0:
            named[unit] = word
    return named


def _stratum(stratum: Stratum, group: Mapping[str, str]) -> tuple[Stratum, np.ndarray]:
    """The groups of a stratum, and the number of each unit's group: (units,)."""
    asked = list(dict.fromkeys(group[word] for word in stratum.words))
    of_units = [group[word] for word in _named(stratum)]
    there = list(dict.fromkeys(of_units))
    number = {name: position for position, name in enumerate(there)}
    unit_of = np.array([number.get(name, -1) for name in asked], dtype=int)
    return (
        Stratum(tuple(asked), unit_of, tuple(there)),
        np.array([number[name] for name in of_units], dtype=int),
    )


def _is_crossed(base: Kernel, group: Mapping[str, str], levels: Mapping[str, str]) -> bool:
    seen: dict[str, set[str]] = {}
    for stratum in (*base.targets, *base.attributes):
        for word in _named(stratum):
            if word in levels:
                seen.setdefault(group[word], set()).add(levels[word])
    every = set().union(*seen.values()) if seen else set()
    return len(every) > 1 and any(len(numbers) > 1 for numbers in seen.values())


def _factor(base: Kernel, levels: Mapping[str, str]) -> Factor:
    strata = (*base.targets, *base.attributes)
    asked = tuple(sorted({levels[w] for s in strata for w in s.words if w in levels}))
    of_strata = [[levels.get(word) for word in _named(stratum)] for stratum in strata]
    there = tuple(name for name in asked if any(name in names for names in of_strata))
    number = {name: position for position, name in enumerate(there)}
    numbers = [np.array([number.get(name, -1) for name in names], dtype=int) for names in of_strata]
    unit_of = np.array([number.get(name, -1) for name in asked], dtype=int)
    n_targets = len(base.targets)
    return Factor(
        Stratum(asked, unit_of, there), np.concatenate(numbers[:n_targets]), numbers[n_targets:]
    )


BEFORE, AFTER, DIFFERENCE, SIZE = "before", "after", "difference", "absolute_difference"
MEASURES = (BEFORE, AFTER, DIFFERENCE, SIZE)


@dataclass(frozen=True)
class PairedKernel(Kernel):
    """One measure in two models, each word weighted alike in both.

    Its measures are the value before and after, after - before, and |after| - |before|: where the
    sign turns, the first of these differences is large though the association may be no smaller.

    Attributes
    ----------
    first, second : the metric's kernels before and after, of the same words, see `pair`.
    measure : one that both give.
    """

    first: Kernel
    second: Kernel
    measure: str

    # Those of both kernels.
    targets = property(attrgetter("first.targets"))
    attributes = property(attrgetter("first.attributes"))

    def measures(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """Before, after and the differences, of the same words."""
        first = self.first.measures(targets, attributes)
        return self._compared(first, self.second.measures(targets, attributes))

    def measures_alone_and_both(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray]
    ) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """As `measures`, sharing what the kernels share."""
        first = self.first.measures_alone_and_both(targets, attributes)
        second = self.second.measures_alone_and_both(targets, attributes)
        alone, both = (
            self._compared(*of_models) if of_models[0] else {}
            for of_models in zip(first, second, strict=True)
        )
        return alone, both

    def without_attribute(self, index: int) -> dict[str, np.ndarray]:
        """The same of both models, each in its own way."""
        first = self.first.without_attribute(index)
        return self._compared(first, self.second.without_attribute(index))

    def _compared(
        self, first: dict[str, np.ndarray], second: dict[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        before, after = first[self.measure], second[self.measure]
        values = (before, after, after - before, np.abs(after) - np.abs(before))
        return dict(zip(MEASURES, values, strict=True))

    def limits(self, measure: str) -> tuple[float, float]:
        """Those of the measure, and of a difference of two of them."""
        (low, high), (low_after, high_after) = (
            kernel.limits(self.measure) for kernel in (self.first, self.second)
        )
        if measure == BEFORE:
            return low, high
        if measure == AFTER:
            return low_after, high_after
        if measure == DIFFERENCE:
            return low_after - high, high_after - low
        return -math.inf, math.inf

    @property
    def width(self) -> int:
        """That of both."""
        return self.first.width + self.second.width


def pair(first: Kernel, second: Kernel, measure: str) -> PairedKernel | str:
    """The kernel of a measure in two models, or why there is none: the words are not the same."""
    here, there = ([*kernel.targets, *kernel.attributes] for kernel in (first, second))
    same = len(here) == len(there) and all(map(_alike, here, there))
    if not same:
        return "the words do not stand for the same units in both models"
    return PairedKernel(first, second, measure)


def _alike(one: Stratum, other: Stratum) -> bool:
    return one.words == other.words and np.array_equal(one.unit_of, other.unit_of)


# Text -> the word that it is of, the kind of its template, the template.
TextUnits = Mapping[str, Sequence[str]]


def kernel_of_units(kernel: Kernel, units: TextUnits) -> Kernel | str:
    """The kernel whose unit is the word, crossed with templates; or why there is none.

    Pairs of texts (RIPA), written "x/y", are units of the pair of their words.
    """
    words = [word for s in (*kernel.targets, *kernel.attributes) for word in s.words]
    unit_of = {word: _unit(word, units) for word in words}
    without = [word for word, unit in unit_of.items() if unit is None]
    if without:
        return (
            f"it is not known which word {without[0]!r} is of, and sentences of one word are no "
            "independent units: name words_of, or unit: sentence if each stands for itself"
        )
    kinds = sorted({unit[1] for unit in unit_of.values()})
    factors = [{w: unit[2] for w, unit in unit_of.items() if unit[1] == kind} for kind in kinds]
    return grouped(kernel, {word: unit[0] for word, unit in unit_of.items()}, factors)


def _unit(word: str, units: TextUnits) -> Sequence[str] | None:
    if word in units:
        return units[word]
    places = (cut for cut, letter in enumerate(word) if letter == "/")
    pairs = ((units.get(word[:cut]), units.get(word[cut + 1 :])) for cut in places)
    for first, second in pairs:
        if first is not None and second is not None:
            return [f"{a}/{b}" if a != b else a for a, b in zip(first, second, strict=True)]
    return None
