"""Exact tails of a difference of means under every exchange of labels, without listing them all."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

# Half of so many units has 2**20 subsets.
LARGEST_LISTED = 40
# So many values take half a second; the time grows faster than their number.
LARGEST_BINNED = 100
BINS = 2**17


class Tail(NamedTuple):
    """A probability, and how far it may lie above the true one."""

    p: float
    error: float


def upper_tail(values: np.ndarray, size: int, threshold: float, tolerance: float) -> Tail:
    """Share of the subsets of `size` values whose sum is at least threshold - tolerance.

    Up to 40 values it is counted, every subset sum of one half against the sorted ones of the
    other (Horowitz & Sahni 1974). Beyond, sums are counted in 131,072 bins; values rounded to bins
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
            others = np.sort(right[size - taken])
            # In order, because a search that jumps about misses the cache.
            below = np.searchsorted(others, threshold - np.sort(sums)[::-1], side="left")
            count += sums.size * others.size - int(below.sum())
    return count


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
    halves = [_count_binned_sums(bins[part], size) for part in (order[::2], order[1::2])]
    choices = math.comb(len(values), size)
    upper, lower = (float(_count_reaching(*halves, size, bin_)) / choices for bin_ in enclosing)
    return Tail(upper, upper - lower)


def _count_binned_sums(bins: np.ndarray, size: int) -> np.ndarray:
    """Row k: how many choices of k bins have each sum: (up to size + 1, sums)."""
    rows = min(size, len(bins))
    counts = np.zeros((rows + 1, int(np.sort(bins)[-rows:].sum()) + 1))
    counts[0, 0] = 1
    reach = 1
    for number, step in enumerate(bins):
        taken = min(number + 1, rows)
        reached = min(reach + step, counts.shape[1])
        counts[1 : taken + 1, step:reached] += counts[:taken, : reached - step]
        reach = reached
    return counts


def _count_reaching(left: np.ndarray, right: np.ndarray, size: int, goal: int) -> float:
    """How many choices, some of the left and the rest of the right, sum to the goal or more."""
    count = 0.0
    for taken in range(max(0, size - len(right) + 1), min(size, len(left) - 1) + 1):
        beyond = np.cumsum(right[size - taken, ::-1])[::-1]
        needed = goal - np.arange(left.shape[1])
        held = needed < len(beyond)
        count += left[taken, held] @ beyond[np.maximum(needed[held], 0)]
    return count
