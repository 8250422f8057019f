"""Random weights of the words of a set: resamples, and half samples in mirrored pairs."""

from __future__ import annotations

import numpy as np

from fairflow.statistics.kernel import Stratum
from fairflow.statistics.seeds import identity_generator

# Sets are resampled in blocks of so many, whatever the metric, so that draws can be compared.
BLOCK = 250


class Resamples:
    """The resamples of one set, block after block."""

    def __init__(self, stratum: Stratum, seed: int) -> None:
        self._stratum = stratum
        self._asked = identity_generator(seed, "draws", *stratum.words)
        self._instead = identity_generator(seed, "instead of lost words", *stratum.words)

    def block(self) -> np.ndarray:
        """How often each unit is drawn in the next resamples: (BLOCK, units)."""
        n, n_asked = len(self._stratum), len(self._stratum.words)
        slots = self._asked.integers(0, n_asked, (BLOCK, n_asked), dtype=np.uint32)[:, :n]
        units = self._stratum.unit_of[slots]
        lost = units < 0
        if lost.any():
            units[lost] = self._instead.integers(0, n, units.shape, dtype=np.uint32)[lost]
        units += np.arange(BLOCK)[:, np.newaxis] * n
        return np.bincount(units.ravel(), minlength=BLOCK * n).reshape(BLOCK, n).astype(float)


class HalfSamples:
    """Random halves of one set, block after block."""

    def __init__(self, stratum: Stratum, seed: int) -> None:
        n = len(stratum)
        half = n // 2
        self._signs = np.repeat([1.0, -1.0, 0.0], [half, half, n % 2])
        # So that their weighted sum has the variance of the mean of n words, without bias.
        self._size = np.sqrt(n / (2 * half)) if half else 0.0
        self._generator = identity_generator(seed, "halves", *stratum.words)

    def block(self) -> np.ndarray:
        """Rows that are positive for one half of the units, negative for the other: (BLOCK, units).

        Each sums to 0, with n times the variance of n units drawn from them; of an odd number one
        is 0.
        """
        rows = np.broadcast_to(self._signs, (BLOCK, len(self._signs)))
        return self._generator.permuted(rows, axis=1) * self._size
