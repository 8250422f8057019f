"""P-values of several tests, adjusted for their number."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def holm(p: np.ndarray) -> np.ndarray:
    """P-values adjusted for the chance of any false rejection (Holm 1979).

    The i-th smallest of m becomes the largest of (m - j + 1) p_(j) over j <= i, at most 1.

    Parameters
    ----------
    p : (m,), 0 to 1. NaN stays NaN and does not count as a test.
    """

    def adjust(ordered: np.ndarray) -> np.ndarray:
        return np.maximum.accumulate(np.arange(len(ordered), 0, -1) * ordered)

    return _adjusted(p, adjust)


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
