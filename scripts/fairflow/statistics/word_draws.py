"""Resamples and halves of word sets, block after block.

A resample of a large set draws an independent count of mean and variance 1 for each word, instead
of drawing n words; the counts are divided by their mean. In a mean over that many words this is the
same (Praestgaard & Wellner 1993, https://doi.org/10.1214/aop/1176989011), and counts of
single words cost a byte of random numbers each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from itertools import tee

import numpy as np

from fairflow.statistics.resampling_statistic import Stratum
from fairflow.statistics.seeds import identity_generator

# Sets are resampled in blocks of this size, whatever the metric, so that draws can be compared.
BLOCK = 250
# Words of larger sets have independent counts.
LARGE = 500
# The count of each of 256 equally likely bytes. Its mean and variance are 1; Poisson's distribution
# of mean 1, towards which the counts of n places tend, rounded to 256ths.
COUNT_OF_BYTE = bytes(np.repeat(np.arange(6, dtype=np.uint8), [93, 98, 43, 17, 4, 1]))

# The last used draws are kept, of sets with this number of words in all: 100 MB of 5,000 resamples.
MOST_KEPT = 20_000

_Kept = dict[tuple[int, Hashable, int, bytes], Iterator[np.ndarray]]
_KEPT: ContextVar[_Kept | None] = ContextVar("_KEPT", default=None)


@contextmanager
def kept_draws() -> Iterator[None]:
    """Within this block, a set that was resampled a moment ago is not resampled again.

    For queries that share large sets; the draws are the same ones.
    """
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def word_resamples(stratum: Stratum, seed: int) -> Iterator[np.ndarray]:
    """How often each unit of a set is drawn, block after block: (BLOCK, units).

    Each row sums to the number of units; of a large set in single precision.
    """
    for counts in _kept(stratum, seed):
        if len(stratum.words) <= LARGE:
            yield counts.astype(float)
            continue
        weights = counts.astype(np.float32)
        total = (weights @ np.ones(len(stratum), np.float32))[:, np.newaxis]
        weights *= len(stratum) / np.maximum(total, 1)
        yield weights


def _kept(stratum: Stratum, seed: int) -> Iterator[np.ndarray]:
    """The counts of a set, drawn once for all who ask for them within `kept_draws`."""
    kept = _KEPT.get()
    if kept is None:
        return _drawn(stratum, seed)
    key = (seed, stratum.words, len(stratum), stratum.unit_of.tobytes())
    # The last used one is at the end. An iterator that is never advanced keeps blocks for copies.
    kept[key] = kept.pop(key) if key in kept else tee(map(_compact, _drawn(stratum, seed)), 1)[0]
    blocks = copy(kept[key])
    words = sum(units for _, _, units, _ in kept)
    while words > MOST_KEPT:
        words -= next(iter(kept))[2]
        del kept[next(iter(kept))]
    return blocks


def _compact(counts: np.ndarray) -> np.ndarray:
    return counts.astype(np.min_scalar_type(counts.max(initial=0)))


def _drawn(stratum: Stratum, seed: int) -> Iterator[np.ndarray]:
    # By the words asked for, so that every model draws alike.
    return (_counts if len(stratum.words) > LARGE else _places)(stratum, seed)


def _places(stratum: Stratum, seed: int) -> Iterator[np.ndarray]:
    """Draws with replacement, as many as the set has words."""
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
    """A count for each word with a vector; the counts of lost words are drawn and dropped."""
    n_asked = len(stratum.words)
    generator = identity_generator(seed, "counts", *stratum.words)
    there = np.flatnonzero(stratum.unit_of >= 0)
    place_of = np.empty(len(stratum), dtype=int)
    place_of[stratum.unit_of[there]] = there
    whole = np.array_equal(place_of, np.arange(n_asked))
    while True:
        drawn = _random_bytes(generator, n_asked).tobytes().translate(COUNT_OF_BYTE)
        counts = np.frombuffer(drawn, np.uint8).reshape(BLOCK, -1)
        yield counts[:, :n_asked] if whole else counts[:, place_of]


def _random_bytes(generator: np.random.Generator, columns: int) -> np.ndarray:
    """Whole words of 64 random bits, at least `columns` bytes a row: (BLOCK, bytes)."""
    words = generator.integers(0, 2**64 - 1, (BLOCK, -(-columns // 8)), np.uint64, endpoint=True)
    return words.astype("<u8", copy=False).view(np.uint8)


def half_samples(stratum: Stratum, seed: int) -> Iterator[np.ndarray]:
    """Rows that are positive for one half of the units, negative for the other: (BLOCK, units).

    Each sums to 0, with n times the variance of n units drawn from them; of an odd number one is 0.
    Of a large set each sign is drawn by itself, and their mean is taken off.
    """
    n = len(stratum)
    generator = identity_generator(seed, "halves", *stratum.words)
    half = n // 2
    # So that their weighted sum has the variance of the mean of n words, without bias.
    size = np.sqrt(n / (2 * half)) if half else 0.0
    row = np.repeat([size, -size, 0.0], [half, half, n % 2])
    while True:
        if n > LARGE:
            yield _signs(generator, n)
        else:
            yield generator.permuted(np.broadcast_to(row, (BLOCK, n)), axis=1)


def _signs(generator: np.random.Generator, n: int) -> np.ndarray:
    bits = np.unpackbits(_random_bytes(generator, -(-n // 8)), axis=1)
    signs = bits[:, :n].astype(np.float32)
    signs *= 2
    signs -= signs.mean(axis=1, dtype=float, keepdims=True)
    # Each row's squares sum to n, as those of halves do.
    signs *= np.sqrt(n / np.einsum("bn,bn->b", signs, signs))[:, np.newaxis]
    return signs
