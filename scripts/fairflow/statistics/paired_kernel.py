"""A metric on the same words in two models: what resampling needs to speak of their difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.statistics.kernel import Kernel, Stratum

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

    @property
    def targets(self) -> Sequence[Stratum]:
        """Those of both kernels."""
        return self.first.targets

    @property
    def attributes(self) -> Sequence[Stratum]:
        """Those of both kernels."""
        return self.first.attributes

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

    def test_statistic(self, targets: Sequence[np.ndarray]) -> np.ndarray:
        """Nothing is exchanged."""
        return np.full(len(targets[0]), np.nan)

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
