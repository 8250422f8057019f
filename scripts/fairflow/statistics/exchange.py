"""What a permutation test of a kernel exchanges, and the statistic of every exchange."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairflow.statistics.additive_test import LARGEST_BINNED
from fairflow.statistics.kernel import Kernel
from fairflow.statistics.partitions import (
    every_labelling,
    every_sign,
    number_of_labellings,
    random_labellings,
    random_signs,
)

# Random exchanges, which are drawn unit by unit.
DRAWN_AT_ONCE = 16_384


class Exchange:
    """What the test exchanges. Words of several target sets stay where they are.

    Attributes
    ----------
    sizes : free units of each target set. number : of exchanges.
    labels : (units,) as observed: the number of each unit's target set, or 0 for its own sign.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.signs = kernel.exchanged == "signs"
        sets = np.repeat(np.arange(len(kernel.sizes)), kernel.sizes)
        self.labels = (0 * sets if self.signs else sets).astype(np.uint8)
        self.free = np.ones(len(sets), dtype=bool) if self.signs else kernel.free
        self.sizes = [int(np.sum(self.free & (sets == i))) for i in range(len(kernel.sizes))]
        self.number = 2 ** len(sets) if self.signs else number_of_labellings(self.sizes)

    @property
    def zero_mean(self) -> bool:
        """Whether the statistic's mean over the exchanges is 0 by symmetry."""
        # Words that stay where they are move the mean of sets of unequal sizes.
        balanced = bool(self.free.all()) or len(set(self.sizes)) == 1
        return self.signs or (self.kernel.zero_mean and balanced)

    @property
    def values(self) -> np.ndarray | None:
        """The contributions of all units, if two sets exchange labels and not too many."""
        if self.signs or len(self.sizes) != 2 or sum(self.sizes) > LARGEST_BINNED:
            return None
        return self.kernel.contributions

    def every(self) -> np.ndarray:
        """The statistic of every exchange: (number,)."""
        listed = every_sign(self.sizes[0]) if self.signs else every_labelling(self.sizes)
        chunk = self.kernel.chunk
        return self._statistics(listed[i : i + chunk] for i in range(0, len(listed), chunk))

    def drawn(self, number: int, generator: np.random.Generator) -> np.ndarray:
        """The statistic of random exchanges: (number,)."""
        draw = random_signs if self.signs else random_labellings
        sizes = self.sizes[0] if self.signs else self.sizes
        counts = (min(DRAWN_AT_ONCE, number - i) for i in range(0, number, DRAWN_AT_ONCE))
        chunk, kind = self.kernel.chunk, np.float32 if self.kernel.single else float
        drawn = (draw(sizes, count, generator) for count in counts)
        parts = (labels[i : i + chunk] for labels in drawn for i in range(0, len(labels), chunk))
        return self._statistics(parts, kind)

    def observed(self) -> float:
        """The statistic of the query as it is, computed in the same way."""
        return float(self._statistics([self.labels[np.newaxis, self.free]])[0])

    def _statistics(self, exchanges: Iterable[np.ndarray], kind: type = float) -> np.ndarray:
        return np.concatenate([self._statistic(labels, kind) for labels in exchanges])

    def _statistic(self, free_labels: np.ndarray, kind: type) -> np.ndarray:
        labels = free_labels
        if not self.free.all():
            labels = np.repeat(self.labels[np.newaxis], len(free_labels), axis=0)
            labels[:, self.free] = free_labels
        if self.signs:
            return self.kernel.test_statistic([1.0 - 2.0 * labels])
        sets = range(len(self.sizes))
        return self.kernel.test_statistic([(labels == i).astype(kind) for i in sets])
