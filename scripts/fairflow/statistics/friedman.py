"""Do models differ in their ranks over many queries? Friedman's test and what follows it."""

from __future__ import annotations

import math
from itertools import permutations
from typing import NamedTuple

import numpy as np

# Arrangements followed in all, for an exact p: about a tenth of a second.
LARGEST_EXACT = 1_000_000
ALPHA = 0.05


class FriedmanTest(NamedTuple):
    """Friedman's test.

    Attributes
    ----------
    statistic : Friedman's chi-square, corrected for ties.
    p_value : by `method`, "exact" or "Iman-Davenport F".
    p_chi_square : by the chi-square distribution with k - 1 degrees of freedom.
    iman_davenport, p_iman_davenport : Iman & Davenport's F, infinite when all queries agree.
    reason : why numbers are missing, else empty.
    """

    statistic: float = math.nan
    p_value: float = math.nan
    method: str = "not tested"
    p_chi_square: float = math.nan
    iman_davenport: float = math.nan
    p_iman_davenport: float = math.nan
    reason: str = ""


def friedman_test(ranks: np.ndarray) -> FriedmanTest:
    """Test that every order of the models is as likely as any other, in each query by itself.

    Friedman (1937), with the correction for ties of Conover (1999); exact where the arrangements
    of the ranks can be followed, otherwise by the F of Iman & Davenport (1980), which Demsar (2006)
    recommends over the chi-square.

    Parameters
    ----------
    ranks : (queries, models), from 1; ties share the mean of their ranks.
    """
    n, k = ranks.shape
    if k < 3:
        return FriedmanTest(reason=f"Friedman's test compares three models or more, here {k}")
    if n < 2:
        return FriedmanTest(reason=f"Friedman's test needs two queries or more, here {n}")
    centred = ranks - (k + 1) / 2
    spread = float((centred**2).sum())
    if spread == 0:
        return FriedmanTest(reason="all models tie in every query")
    statistic = (k - 1) * float((centred.sum(axis=0) ** 2).sum()) / spread
    from scipy import stats

    rest = n * (k - 1) - statistic
    f = (n - 1) * statistic / rest if rest > 1e-9 else math.inf
    p_f = float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))
    exact = _exact_p(ranks)
    return FriedmanTest(
        statistic=statistic,
        p_value=p_f if exact is None else exact,
        method="Iman-Davenport F" if exact is None else "exact",
        p_chi_square=float(stats.chi2.sf(statistic, k - 1)),
        iman_davenport=f,
        p_iman_davenport=p_f,
    )


def critical_difference(n_models: int, n_queries: int, alpha: float = ALPHA) -> float:
    """Mean ranks that differ by more than this differ significantly (Nemenyi 1963, Demsar 2006).

    q sqrt(k (k + 1) / (6 N)), with q the Studentised range at infinite degrees of freedom divided
    by the root of 2.

    Parameters
    ----------
    n_models : at least 2. n_queries : at least 1. alpha : of the family of all pairs.
    """
    from scipy import stats

    q = float(stats.studentized_range.ppf(1 - alpha, n_models, np.inf)) / math.sqrt(2)
    return q * math.sqrt(n_models * (n_models + 1) / (6 * n_queries))


def _exact_p(ranks: np.ndarray) -> float | None:
    """Chance that rank sums spread as far, over all orders within queries; None if too many."""
    # Twice the ranks less their mean are whole numbers, so that sums compare exactly.
    k = ranks.shape[1]
    blocks = np.rint(2 * ranks).astype(np.int64) - (k + 1)
    if (blocks == blocks[0]).all():
        # Only full agreement spreads so far.
        return float(_n_arrangements(blocks[0])) ** (1 - len(blocks))
    observed = int((blocks.sum(axis=0) ** 2).sum())
    limit = 2 * len(blocks) * k
    if k * math.log2(limit) > 62 or len(blocks) * math.factorial(k) > LARGEST_EXACT:
        return None
    sums, chances = np.zeros((1, k), dtype=np.int64), np.ones(1)
    followed = 0
    for block in blocks:
        followed += len(sums) * math.factorial(k)
        if followed > LARGEST_EXACT:
            return None
        sums, chances = _merged(sums, chances, _arrangements(block), limit)
    return float(chances[(sums**2).sum(axis=1) >= observed].sum())


def _merged(
    sums: np.ndarray, chances: np.ndarray, arrangements: np.ndarray, limit: int
) -> tuple[np.ndarray, np.ndarray]:
    """Rank sums after one more query, equal ones joined; which model has which does not matter."""
    grown = (sums[:, np.newaxis] + arrangements).reshape(-1, sums.shape[1])
    grown.sort(axis=1)
    codes = (grown + limit // 2) @ (limit ** np.arange(sums.shape[1]))
    _, first, group = np.unique(codes, return_index=True, return_inverse=True)
    weights = np.repeat(chances / len(arrangements), len(arrangements))
    return grown[first], np.bincount(group, weights)


def _arrangements(block: np.ndarray) -> np.ndarray:
    """The distinct orders of a query's ranks: (orders, models)."""
    return np.array(sorted(set(permutations(block.tolist()))))


def _n_arrangements(block: np.ndarray) -> int:
    _, counts = np.unique(block, return_counts=True)
    return math.factorial(len(block)) // math.prod(math.factorial(int(c)) for c in counts)
