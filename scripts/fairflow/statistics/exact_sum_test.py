"""The exact test of a sum: the share of all choices of values whose sum is as extreme."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

# Half of this number of units has 2**20 subsets.
LARGEST_LISTED = 40
# This number of values takes half a second; the time grows faster than their number.
LARGEST_BINNED = 100
BINS = 2**18


class Tail(NamedTuple):
    """A probability, and a bound of its error above the true one."""

    p: float
    error: float


def upper_tail(values: np.ndarray, size: int, threshold: float, tolerance: float) -> Tail:
    """Share of the subsets of `size` values whose sum is at least threshold - tolerance.

    Up to 40 values it is counted, every subset sum of one half against the sorted ones of the
    other (Horowitz & Sahni 1974). Beyond, sums are counted in 262,144 bins; values rounded to bins
    move a sum by no more than the rounding errors of its members, so that the share lies between
    the counts at two thresholds. The upper one is given, with their distance as its error.

    Parameters
    ----------
    values : (n,). size : between 0 and n.
    """
    if size in (0, len(values)):
        total = float(values[:size].sum())
        return Tail(float(total >= threshold - tolerance), 0.0)
    if len(values) <= LARGEST_LISTED:
        count = _count_sums(values, size, threshold - tolerance)
        return Tail(count / math.comb(len(values), size), 0.0)
    return _binned_tail(values, size, threshold, tolerance)


def _count_sums(values: np.ndarray, size: int, threshold: float) -> int:
    half = len(values) // 2
    left, right = _sums_by_size(values[:half]), _sums_by_size(values[half:])
    count = 0
    for taken, sums in enumerate(left):
        if 0 <= size - taken < len(right):
            others = right[size - taken]
            count += sums.size * others.size - _pairs_below(others, threshold - sums)
    return count


def _pairs_below(values: np.ndarray, limits: np.ndarray) -> int:
    """The number of pairs of a value and a limit with the value below it, apart from last bits.

    All are sorted together, each marked as one or the other by its last bit: that takes half the
    time of sorting both and searching one in the other.
    """
    # Without negative zeros, so that a value of 0 with its mark is not below a limit of 0.
    marked = np.concatenate([values, limits]) + 0.0
    bits = marked.view(np.int64)
    bits[: len(values)] |= 1
    bits[len(values) :] &= ~1
    marked.sort()
    places = np.flatnonzero(bits & 1 == 0)
    # As many values stand before a limit as its place is beyond the number of limits before it.
    return int(places.sum()) - len(limits) * (len(limits) - 1) // 2


def _sums_by_size(values: np.ndarray) -> list[np.ndarray]:
    """Element k: the sums of every k of the values."""
    sums = [np.zeros(1)]
    for value in values:
        grown = [np.append(a, b + value) for b, a in pairwise(sums)]
        sums = [sums[0], *grown, sums[-1] + value]
    return sums


def _binned_tail(values: np.ndarray, size: int, threshold: float, tolerance: float) -> Tail:
    ordered = np.sort(values)
    lowest = ordered[0]
    width = (ordered[-size:].sum() - size * lowest) / BINS
    if width == 0:
        return Tail(float(size * lowest >= threshold - tolerance), 0.0)
    bins = np.rint((values - lowest) / width).astype(int)
    rounded_off = np.sort(values - lowest - bins * width)
    least, most = rounded_off[:size].sum(), rounded_off[-size:].sum()
    goal = threshold - tolerance - size * lowest
    # One bin more on either side, for the rounding of these few sums themselves.
    enclosing = math.ceil((goal - most) / width) - 1, math.ceil((goal - least) / width) + 1
    # Small and large values in both halves, so that neither has much longer sums.
    order = np.argsort(bins, kind="stable")
    left, right = (_count_binned_sums(bins[part], size) for part in (order[::2], order[1::2]))
    choices = math.comb(len(values), size)
    upper, lower = (count / choices for count in _count_reaching(left, right, size, enclosing))
    return Tail(upper, upper - lower)


def _count_binned_sums(bins: np.ndarray, size: int) -> np.ndarray:
    """Row k: how many choices of k bins have each sum: (up to size + 1, sums).

    Parameters
    ----------
    bins : in order, the smallest first.
    """
    rows = min(size, len(bins))
    # No count is above this; whole numbers up to 2**24 are exact in single precision.
    most = math.comb(len(bins), len(bins) // 2)
    kind = np.float32 if most <= 2**24 else np.float64
    counts = np.zeros((rows + 1, int(bins[-rows:].sum()) + 1), dtype=kind)
    counts[0, 0] = 1
    sums = np.concatenate([[0], np.cumsum(bins)])
    for number, step in enumerate(bins):
        # From the longest down, so that none holds this bin twice.
        for taken in range(min(number, rows - 1), -1, -1):
            # Between the sums of the smallest and of the largest bins before this one.
            least, end = sums[taken], sums[number] - sums[number - taken] + 1
            counts[taken + 1, least + step : end + step] += counts[taken, least:end]
    return counts


def _count_reaching(
    left: np.ndarray, right: np.ndarray, size: int, goals: Sequence[int]
) -> list[float]:
    """How many choices, some of the left and the rest of the right, sum to each goal or more."""
    counts = [0.0 for _ in goals]
    for taken in range(max(0, size - len(right) + 1), min(size, len(left) - 1) + 1):
        of_left = left[taken].astype(float)
        # Element i: how many choices of the right lack at most i of its largest sum.
        beyond = np.cumsum(right[size - taken, ::-1], dtype=float)
        for number, goal in enumerate(goals):
            lacking = len(beyond) - 1 - goal
            first = max(0, -lacking)
            reaching = beyond[max(0, lacking) :][: max(0, len(of_left) - first)]
            rest = len(of_left) - first - len(reaching)
            reaching = np.concatenate([reaching, np.full(max(0, rest), beyond[-1])])
            counts[number] += float(of_left[first:] @ reaching)
    return counts
