"""Ranks and correlations, tests by them, and Holm's correction of several tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

# Values that differ by less than this share of the numbers they were computed from are equal: sums
# of some hundred products are rounded to about a tenth of it. For values of 1 that is 1e-12, so
# whether vectors were stored in single or double precision makes no difference to what is equal.
TIE_TOLERANCE = 1e-12


def average_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1, equal values sharing the mean of theirs: (n,) -> (n,).

    A value within rounding of the next smaller one is equal to it, and so are all of a chain.
    """
    rows = np.asarray(values, dtype=float)[np.newaxis]
    return _midranks(rows, np.ones(rows.shape))[0]


def weighted_spearman(
    left: np.ndarray,
    right: np.ndarray,
    weights: np.ndarray | None = None,
    magnitudes: Sequence[np.ndarray | float] | np.ndarray | None = None,
) -> np.ndarray:
    """Spearman correlation of rows, where a value of weight 2 counts as two equal values.

    Parameters
    ----------
    left, right : (1 or B, n). weights : (1 or B, n), not negative; all 1 by default.
    magnitudes : for either side the size of the numbers that values are sums of, (1 or B,); by
        default that of the largest value of a row.

    Returns
    -------
    (B,), NaN where either side is constant.
    """
    if weights is None:
        weights = np.ones((1, left.shape[1]))
    given = (None, None) if magnitudes is None else magnitudes
    total = weights.sum(axis=1, keepdims=True)
    a, b = (
        _midranks(values, weights, magnitude) - (total + 1) / 2
        for values, magnitude in zip((left, right), given, strict=True)
    )
    covariance = (weights * a * b).sum(axis=1)
    scale = np.sqrt((weights * a**2).sum(axis=1) * (weights * b**2).sum(axis=1))
    return covariance / np.where(scale > 0, scale, np.nan)


def _midranks(
    values: np.ndarray, weights: np.ndarray, magnitude: np.ndarray | float | None = None
) -> np.ndarray:
    """Mean rank of each value among all, equal ones together: (1 or B, n) -> (1 or B, n)."""
    largest = np.abs(values).max(axis=1, initial=0) if magnitude is None else np.asarray(magnitude)
    if len(values) == 1 and values.size:
        return _midranks_of_row(values[0], weights, TIE_TOLERANCE * largest)
    order = np.argsort(values, axis=1)
    # The places of ordered values; those of weights where these have one row for all, or values do.
    rows = np.arange(max(len(values), len(weights)))[:, np.newaxis]
    ordered = values[rows[: len(values)], order]
    heights = weights[rows[: len(weights)], order]
    reached = np.cumsum(heights, axis=1)
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = np.diff(ordered, axis=1) > TIE_TOLERANCE * np.reshape(largest, (-1, 1))
    last = np.ones(ordered.shape, dtype=bool)
    last[:, :-1] = new[:, 1:]
    # What was reached before a run of equal values, and at its end, spread over the run.
    before = np.maximum.accumulate(np.where(new, reached - heights, 0), axis=1)
    after = np.where(last, reached, np.inf)[:, ::-1]
    after = np.minimum.accumulate(after, axis=1)[:, ::-1]
    ranks = np.empty(reached.shape)
    ranks[rows, order] = (before + after + 1) / 2
    return ranks


def _midranks_of_row(
    values: np.ndarray, weights: np.ndarray, tolerance: np.ndarray | float
) -> np.ndarray:
    """`_midranks` of values that are the same under all weights: (n,), (B, n) -> (B, n)."""
    order = np.argsort(values)
    new = np.diff(values[order]) > tolerance
    run_of = np.empty(len(values), dtype=int)
    run_of[order] = np.cumsum([0, *new])
    # What is reached at the end of each run of equal values; there the next one begins.
    reached = np.cumsum(weights[:, order], axis=1)[:, np.append(np.flatnonzero(new), len(new))]
    ranks = (np.pad(reached, ((0, 0), (1, 0)))[:, :-1] + reached + 1) / 2
    return ranks[:, run_of]


def spearman(
    left: np.ndarray, right: np.ndarray, *, magnitudes: Sequence[float] | np.ndarray | None = None
) -> float:
    """`weighted_spearman` of two rows of equal weights, -1 to 1."""
    return float(weighted_spearman(left[np.newaxis], right[np.newaxis], None, magnitudes)[0])


def signed_rank_p(differences: np.ndarray) -> float:
    """Two-sided p that differences are as often, and as far, below zero as above it.

    Wilcoxon (1945): zeros are left out, the others ranked by size, equal sizes sharing the mean of
    their ranks; the sum of the ranks of positive ones is compared with that under every choice of
    signs. Exact, ties included: the sums are counted one difference at a time. 1 when nothing but
    zeros is left.

    Parameters
    ----------
    differences : (n,), finite; values meant to be equal are exactly equal.
    """
    moved = differences[differences != 0]
    # Twice the ranks are whole numbers, even for ties.
    doubled = np.rint(2 * average_ranks(np.abs(moved))).astype(int)
    total = int(doubled.sum())
    chance = np.zeros(total + 1)  # of each sum of the ranks of positive differences
    chance[0] = 1.0
    for rank in doubled:
        taken = np.zeros_like(chance)
        taken[rank:] = chance[: len(chance) - rank]
        chance = (chance + taken) / 2
    distance = np.abs(2 * np.arange(total + 1) - total)
    observed = abs(2 * int(doubled[moved > 0].sum()) - total)
    return min(1.0, float(chance[distance >= observed].sum()))


ALPHA = 0.05
METHODS = ("spearman", "kendall", "pearson")
# 8! = 40,320 orders.
LARGEST_ORDERED = 8
MONTE_CARLO = 9_999
# Correlations closer than this are equal: rounding errors are far smaller, steps far larger.
TOLERANCE = 1e-9


class CorrelationTest(NamedTuple):
    """A correlation with its two-sided permutation test.

    Attributes
    ----------
    correlation : -1 to 1, NaN when a side is constant.
    p_method : "exact", "monte carlo" or "not tested".
    n_permutations : number of orders. smallest_p : the smallest p-value that they allow.
    reason : why a number is missing, else empty.
    """

    correlation: float
    p_value: float = math.nan
    p_method: str = "not tested"
    n_permutations: int = 0
    smallest_p: float = math.nan
    reason: str = ""


def correlation(left: np.ndarray, right: np.ndarray, method: str) -> float:
    """A key of `METHODS`: Spearman, Kendall's tau-b, or Pearson; NaN when a side is constant."""
    return float(_correlations(left, right, method, np.arange(len(left))[np.newaxis])[0])


def correlation_test(
    left: np.ndarray, right: np.ndarray, method: str, seed: int = 0
) -> CorrelationTest:
    """Test that the order of one side has nothing to do with that of the other.

    p is the share of the orders of `right` with a correlation at least as far from 0. Up to 8
    values every order is looked at, and p is exact, given the ties. Beyond, 9,999 random orders
    are drawn and the observed one is added, (b + 1) / (m + 1) (Phipson & Smyth 2010).

    Parameters
    ----------
    left, right : (n,). seed : of the random orders.
    """
    n = len(left)
    observed = correlation(left, right, method)
    if math.isnan(observed):
        why = "fewer than two values" if n < 2 else "all values of one side are equal"
        return CorrelationTest(observed, reason=why)
    exact = n <= LARGEST_ORDERED
    orders = _all_orders(n) if exact else _random_orders(n, seed)
    permuted = np.abs(_correlations(left, right, method, orders))
    as_far = int(np.count_nonzero(permuted >= abs(observed) - TOLERANCE))
    if exact:
        smallest = np.count_nonzero(permuted >= permuted.max() - TOLERANCE) / len(orders)
        return CorrelationTest(observed, as_far / len(orders), "exact", len(orders), smallest)
    share = 1 / (len(orders) + 1)
    return CorrelationTest(observed, (as_far + 1) * share, "monte carlo", len(orders), share)


def _correlations(
    left: np.ndarray, right: np.ndarray, method: str, orders: np.ndarray
) -> np.ndarray:
    """Of left with each reordered right: (n,), (n,), (orders, n) -> (orders,)."""
    contrast = {"spearman": _rank_contrast, "kendall": _signs, "pearson": _centred}[method]
    a = contrast(np.asarray(left, dtype=float)[np.newaxis])[0]
    b = contrast(np.asarray(right, dtype=float)[orders])
    scale = math.sqrt(float(a @ a) * float(b[0] @ b[0]))
    return b @ a / scale if scale > 0 else np.full(len(orders), np.nan)


def _rank_contrast(values: np.ndarray) -> np.ndarray:
    # Every row holds the same values, so the ranks of the first serve for all.
    distinct, first = np.unique(values[0], return_index=True)
    return (average_ranks(values[0]) - (values.shape[1] + 1) / 2)[first][
        np.searchsorted(distinct, values)
    ]


def _centred(values: np.ndarray) -> np.ndarray:
    # A constant that is not exact in binary must not leave a residue.
    constant = np.ptp(values[0]) == 0 if values.size else True
    return np.zeros_like(values) if constant else values - values[0].mean()


def _signs(values: np.ndarray) -> np.ndarray:
    """Sign of every difference of two values of a row: (rows, n) -> (rows, n (n - 1) / 2)."""
    values = _rank_contrast(values)  # in which values within rounding are equal
    i, j = np.triu_indices(values.shape[1], 1)
    return np.sign(values[:, i] - values[:, j])


@lru_cache(maxsize=LARGEST_ORDERED)
def _all_orders(n: int) -> np.ndarray:
    return np.array(list(permutations(range(n))))


def _random_orders(n: int, seed: int) -> np.ndarray:
    unshuffled = np.tile(np.arange(n), (MONTE_CARLO, 1))
    return np.random.default_rng(seed).permuted(unshuffled, axis=1)


def holm(p: np.ndarray) -> np.ndarray:
    """P-values adjusted for the chance of any false rejection (Holm 1979).

    The i-th smallest of m becomes the largest of (m - j + 1) p_(j) over j <= i, at most 1.

    Parameters
    ----------
    p : (m,), 0 to 1. NaN stays NaN and does not count as a test.
    """
    return _adjusted(p, lambda of: np.maximum.accumulate(np.arange(len(of), 0, -1) * of))


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """P-values adjusted for the share of false rejections (Benjamini & Hochberg 1995).

    The i-th smallest of m becomes the smallest of m p_(j) / j over j >= i, at most 1. Valid for
    independent or positively dependent tests.

    Parameters
    ----------
    p : (m,), 0 to 1. NaN stays NaN and does not count as a test.
    """

    def adjust(ordered: np.ndarray) -> np.ndarray:
        m = len(ordered)
        scaled = m * ordered / np.arange(1, m + 1)
        return np.minimum.accumulate(scaled[::-1])[::-1]

    return _adjusted(p, adjust)


def _adjusted(p: np.ndarray, adjust: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    p = np.asarray(p, dtype=float)
    result = np.full(p.shape, np.nan)
    tests = np.flatnonzero(~np.isnan(p))
    order = tests[np.argsort(p[tests], kind="stable")]
    result[order] = np.minimum(adjust(p[order]), 1.0)
    return result
