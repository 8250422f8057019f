"""Random weights of the words of a set: resamples, and half samples in mirrored pairs.

A resample of a large set takes each word by a count of its own, of mean and variance 1, instead of
dealing n places to n words; the counts are divided by their mean. In a mean over so many words this
is the same (Praestgaard & Wellner 1993, https://doi.org/10.1214/aop/1176989011), and counts of
single words cost a byte of random numbers each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count

import numpy as np

from fairflow.statistics.kernel import Stratum
from fairflow.statistics.seeds import identity_generator

# Sets are resampled in blocks of so many, whatever the metric, so that draws can be compared.
BLOCK = 250
# Words of more than so many have counts of their own.
LARGE = 500
# The count of each of 256 equally likely bytes. Its mean and variance are 1; Poisson's distribution
# of mean 1, towards which the counts of n places tend, rounded to 256ths.
COUNT_OF_BYTE = bytes(np.repeat(np.arange(6, dtype=np.uint8), [93, 98, 43, 17, 4, 1]))

# Draws are kept of sets of so many words in all, the last ones used: 100 MB of 5,000 resamples.
MOST_KEPT = 20_000


class _Kept:
    """Blocks that are drawn once, for all who ask for them."""

    def __init__(self, drawing: Iterator[np.ndarray]) -> None:
        self._drawing = drawing
        self._blocks: list[np.ndarray] = []

    def __iter__(self) -> Iterator[np.ndarray]:
        for number in count():
            if number == len(self._blocks):
                drawn = next(self._drawing)
                self._blocks.append(drawn.astype(np.min_scalar_type(drawn.max(initial=0))))
            yield self._blocks[number]


_KEPT: ContextVar[dict[tuple[int, Hashable, int, bytes], _Kept] | None] = ContextVar(
    "_KEPT", default=None
)


@contextmanager
def kept_draws() -> Iterator[None]:
    """Within it, a set that was resampled a moment ago is not resampled again.

    For queries that share large sets; the draws are the same ones.
    """
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


class Resamples:
    """The resamples of one set, block after block."""

    def __init__(self, stratum: Stratum, seed: int) -> None:
        self._n = len(stratum)
        self._large = len(stratum.words) > LARGE
        kept = _KEPT.get()
        if kept is None:
            self._blocks = _drawn(stratum, seed)
            return
        key = (seed, stratum.words, len(stratum), stratum.unit_of.tobytes())
        # The last one used stands last.
        kept[key] = kept.pop(key, None) or _Kept(_drawn(stratum, seed))
        self._blocks = iter(kept[key])
        words = sum(units for _, _, units, _ in kept)
        while words > MOST_KEPT:
            words -= next(iter(kept))[2]
            del kept[next(iter(kept))]

    def block(self) -> np.ndarray:
        """How often each unit is drawn in the next resamples: (BLOCK, units).

        Each row sums to the number of units; of a large set in single precision.
        """
        counts = next(self._blocks)
        if not self._large:
            return counts.astype(float)
        weights = counts.astype(np.float32)
        total = (weights @ np.ones(self._n, np.float32))[:, np.newaxis]
        weights *= self._n / np.maximum(total, 1)
        return weights


def _drawn(stratum: Stratum, seed: int) -> Iterator[np.ndarray]:
    # By the words asked for, so that every model draws alike.
    return (_counts if len(stratum.words) > LARGE else _places)(stratum, seed)


def _places(stratum: Stratum, seed: int) -> Iterator[np.ndarray]:
    """As many words as the set has, drawn from it with replacement."""
    n, n_asked = len(stratum), len(stratum.words)
    asked = identity_generator(seed, "draws", *stratum.words)
    instead = identity_generator(seed, "instead of lost words", *stratum.words)
    while True:
        slots = asked.integers(0, n_asked, (BLOCK, n_asked), dtype=np.uint32)[:, :n]
        units = stratum.unit_of[slots]
        lost = units < 0
        if lost.any():
            units[lost] = instead.integers(0, n, units.shape, dtype=np.uint32)[lost]
        units += np.arange(BLOCK)[:, np.newaxis] * n
        yield np.bincount(units.ravel(), minlength=BLOCK * n).reshape(BLOCK, n)


def _counts(stratum: Stratum, seed: int) -> Iterator[np.ndarray]:
    """A count for each word asked for, of which those of lost words are left out."""
    n_asked = len(stratum.words)
    generator = identity_generator(seed, "counts", *stratum.words)
    there = np.flatnonzero(stratum.unit_of >= 0)
    place_of = np.empty(len(stratum), dtype=int)
    place_of[stratum.unit_of[there]] = there
    whole = np.array_equal(place_of, np.arange(n_asked))
    while True:
        counts = np.frombuffer(
            _random_bytes(generator, BLOCK, n_asked).tobytes().translate(COUNT_OF_BYTE), np.uint8
        ).reshape(BLOCK, -1)
        yield counts[:, :n_asked] if whole else counts[:, place_of]


def _random_bytes(generator: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    """Whole words of 64 random bits, at least so many bytes a row: (rows, bytes)."""
    words = generator.integers(0, 2**64 - 1, (rows, -(-columns // 8)), np.uint64, endpoint=True)
    return words.astype("<u8", copy=False).view(np.uint8)


class HalfSamples:
    """Random halves of one set, block after block."""

    def __init__(self, stratum: Stratum, seed: int) -> None:
        n = self._n = len(stratum)
        half = n // 2
        self._signs = np.repeat([1.0, -1.0, 0.0], [half, half, n % 2])
        # So that their weighted sum has the variance of the mean of n words, without bias.
        self._size = np.sqrt(n / (2 * half)) if half else 0.0
        self._generator = identity_generator(seed, "halves", *stratum.words)

    def block(self) -> np.ndarray:
        """Rows that are positive for one half of the units, negative for the other: (BLOCK, units).

        Each sums to 0, with n times the variance of n units drawn from them; of an odd number one
        is 0. Of a large set each sign is drawn by itself, and their mean is taken off.
        """
        if self._n > LARGE:
            return self._signs_drawn()
        rows = np.broadcast_to(self._signs, (BLOCK, len(self._signs)))
        return self._generator.permuted(rows, axis=1) * self._size

    def _signs_drawn(self) -> np.ndarray:
        bits = np.unpackbits(_random_bytes(self._generator, BLOCK, -(-self._n // 8)), axis=1)
        signs = bits[:, : self._n].astype(np.float32)
        signs *= 2
        signs -= signs.mean(axis=1, dtype=float, keepdims=True)
        # Each row's squares sum to n, as those of halves do.
        signs *= np.sqrt(self._n / np.einsum("bn,bn->b", signs, signs))[:, np.newaxis]
        return signs
