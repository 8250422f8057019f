"""The log odds ratio of two target sets and two attribute sets, from their co-occurrences.

log(a d / (b c)) of the counts a, b (first targets with first and second attributes) and c, d
(second targets). Where the attribute words are rare it is nearly the difference of PMI of Valentini
et al. (2023, https://doi.org/10.18653/v1/2023.acl-short.44), whose standard error, interval and
test are those below. They take co-occurrences as independent, which those of one document are not.
"""

from __future__ import annotations

import numpy as np
from scipy.special import erfc, ndtri

from fairflow.statistics.estimate import LEVEL


def log_odds(counts: np.ndarray) -> tuple[float, float, str]:
    """The log odds ratio of four counts, its standard error, and why they are NaN, else "".

    Parameters
    ----------
    counts : (4,) in the order a, b, c, d.
    """
    if not np.all(counts):
        first, second = (("first", "second")[n] for n in divmod(int(np.argmin(counts)), 2))
        reason = f"the {first} targets have no co-occurrence with the {second} attributes"
        return np.nan, np.nan, reason
    return float(log_odds_ratios(counts)), float(np.sqrt((1 / counts).sum())), ""


def normal_interval(
    value: np.ndarray | float, error: np.ndarray | float, level: float = LEVEL
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lower and upper end of the interval, and two-sided p, of normal estimates."""
    width = ndtri((1 + level) / 2) * error
    return value - width, value + width, erfc(np.abs(value) / error / np.sqrt(2))


def log_odds_ratios(counts: np.ndarray) -> np.ndarray:
    """Log odds ratios of draws: (..., 4) -> (...).

    Where a count is 0, 1/2 is added to all four (Haldane 1956,
    https://doi.org/10.1111/j.1469-1809.1955.tb01285.x; Anscombe 1956,
    https://doi.org/10.1093/biomet/43.3-4.461).
    """
    counts = counts + 0.5 * (counts == 0).any(axis=-1, keepdims=True)
    # Of proportional counts this is 0 without a rounding error, which an interval could exclude.
    first, second = counts[..., 0] / counts[..., 1], counts[..., 2] / counts[..., 3]
    return np.log(first) - np.log(second)
