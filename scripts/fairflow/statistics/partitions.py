"""Exchanges of units: labels for target sets, or signs; every one, or random ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np


def number_of_labellings(sizes: Sequence[int]) -> int:
    """In how many ways units can be dealt to sets of these sizes."""
    return math.factorial(sum(sizes)) // math.prod(map(math.factorial, sizes))


def every_labelling(sizes: Sequence[int]) -> np.ndarray:
    """Every way to deal units to sets: (number_of_labellings, units), the number of the set."""
    if len(sizes) == 1:
        return np.zeros((1, sizes[0]), dtype=np.uint8)
    first, rest = sizes[0], sizes[1:]
    in_first = every_subset(sum(sizes), first)  # (choices, units)
    if len(rest) == 1:
        return (~in_first).astype(np.uint8)
    others = every_labelling(rest) + 1  # (labellings of the rest, units - first)
    labels = np.zeros((len(in_first), len(others), sum(sizes)), dtype=np.uint8)
    where = np.nonzero(~in_first)[1].reshape(len(in_first), 1, sum(rest))
    np.put_along_axis(labels, np.broadcast_to(where, (*labels.shape[:2], sum(rest))), others, 2)
    return labels.reshape(-1, sum(sizes))


def every_subset(n: int, size: int) -> np.ndarray:
    """Every subset of a size: (subsets, n), True for its members."""
    by_size = {0: np.zeros((0, 1), dtype=bool)}  # size -> (units so far, subsets)
    for unit in range(n):
        # Only sizes from which the rest of the units can still lead to the one wanted.
        sizes = range(max(0, size - (n - unit - 1)), min(size, unit + 1) + 1)
        by_size = {k: _with_one_more(by_size, k) for k in sizes}
    return np.ascontiguousarray(by_size[size].T)


def _with_one_more(by_size: Mapping[int, np.ndarray], size: int) -> np.ndarray:
    """The subsets of a size of one unit more, from those of all sizes without it."""
    with_it, without = (by_size.get(size - taken) for taken in (1, 0))
    if with_it is None or without is None:
        only = without if with_it is None else with_it
        return np.append(only, np.full((1, only.shape[1]), with_it is not None), axis=0)
    last = np.arange(with_it.shape[1] + without.shape[1]) < with_it.shape[1]
    return np.append(np.concatenate([with_it, without], axis=1), last[np.newaxis], axis=0)


def every_sign(n: int) -> np.ndarray:
    """Every choice of signs: (2**n, n), 1 for a sign that is turned; n is at most 32."""
    digits = np.arange(2**n, dtype="<u4").view(np.uint8).reshape(-1, 4)
    return np.unpackbits(digits, axis=1, bitorder="little", count=n)


def random_labellings(
    sizes: Sequence[int], number: int, generator: np.random.Generator
) -> np.ndarray:
    """Random ways to deal units to sets, all equally likely: (number, units).

    Unit after unit is dealt to a set with probability proportional to the places left in it.
    """
    n = sum(sizes)
    labels = np.zeros((n, number), dtype=np.uint8)
    # Places left in each set; the last takes what the others leave.
    kind = np.uint16 if n < 2**16 else np.uint32
    left = [np.full(number, size, dtype=kind) for size in sizes[:-1]]
    for unit, label in enumerate(labels):
        draw = generator.integers(0, n - unit, number, dtype=kind)
        reached = np.zeros(number, dtype=kind)
        for places in left:
            reached += places
            label += draw >= reached
        for number_of_set, places in enumerate(left):
            places -= label == number_of_set
    return labels.T


def random_signs(n: int, number: int, generator: np.random.Generator) -> np.ndarray:
    """Random signs, both equally likely: (number, n), 1 for a sign that is turned."""
    return generator.integers(0, 2, (number, n), dtype=np.uint8)
