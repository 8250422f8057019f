"""Correlations of a few values, tested by permuting one side."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from fairflow.statistics.rank_statistics import average_ranks

METHODS = ("spearman", "kendall", "pearson")
# 8! = 40,320 orders.
LARGEST_EXACT = 8
MONTE_CARLO = 9_999
# Correlations so close are equal: rounding errors of sums are far smaller, steps far larger.
TOLERANCE = 1e-9


class CorrelationTest(NamedTuple):
    """A correlation with its two-sided permutation test.

    Attributes
    ----------
    correlation : -1 to 1, NaN when a side is constant.
    p_method : "exact", "monte carlo" or "not tested".
    n_permutations : orders looked at. smallest_p : the smallest p-value that they allow.
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
    exact = n <= LARGEST_EXACT
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


@lru_cache(maxsize=LARGEST_EXACT)
def _all_orders(n: int) -> np.ndarray:
    return np.array(list(permutations(range(n))))


def _random_orders(n: int, seed: int) -> np.ndarray:
    unshuffled = np.tile(np.arange(n), (MONTE_CARLO, 1))
    return np.random.default_rng(seed).permuted(unshuffled, axis=1)
