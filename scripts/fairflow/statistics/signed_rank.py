"""Wilcoxon's signed-rank test of paired differences."""

from __future__ import annotations

import numpy as np

from fairflow.statistics.rank_statistics import average_ranks


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
