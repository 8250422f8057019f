"""Three rules of intervals: resampled words or items, clusters, and exact ones.

Resampled: `resampled_interval` of draws of words or items, BCa with a Student quantile, and
`percentile_interval` of draws of what has no other (a difference of models, a rank).
Clusters: `student_interval`, a Student quantile times an error that was measured over whole units
(documents, authors, items), on a scale on which the error hardly depends on the value.
Exact: `share_of_none` by the binomial distribution, `feldt_interval` by that of F.

workflow/report/coverage.csv has how often each of them holds the truth in simulations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

LEVEL = 0.95
INTERVALS = ("bca", "percentile")
# Symmetric, by Student's t: for tests of differences, which are symmetric under no difference.
STUDENT = "student"
# Intervals over fewer words of a set, documents or clusters are rough.
FEW_UNITS = 10
# Values that differ by less than this share of the largest one count as equal.
TIE_TOLERANCE = 1e-12
# Student's distribution of fewer degrees reaches beyond what so few words can show.
FEWEST_DEGREES = 4.0
# Halvings of a p-value: to nine digits.
HALVINGS = 30
# Correlations count as this near to -1 or 1 at most, where Fisher's z is infinite.
_NEAREST = 1e-12


@dataclass(frozen=True)
class Interval:
    """Ends of an interval, NaN with a reason if there is no interval."""

    low: float = math.nan
    high: float = math.nan
    reason: str | None = None


def resampled_interval(
    value: float,
    draws: np.ndarray,
    left_out: Sequence[np.ndarray],
    level: float = LEVEL,
    method: str = "bca",
) -> Interval:
    """The first rule: the bootstrap interval of a value.

    Parameters
    ----------
    draws : (resamples,); undefined ones are left out.
    left_out : per resampled set the values with each unit left out, for the acceleration of BCa
        and for the degrees of freedom.

    Raises
    ------
    ValueError : an unknown method.
    """
    if method not in (*INTERVALS, STUDENT):
        raise ValueError(f"interval must be one of {', '.join(INTERVALS)}, got {method!r}")
    if math.isnan(value):
        return Interval(reason="the value itself is undefined")
    draws = draws[~np.isnan(draws)]
    tolerance = TIE_TOLERANCE * float(np.abs(draws).max(initial=0))
    if draws.size == 0 or draws.max() - draws.min() <= tolerance:
        return Interval(reason="resampling the words does not change the value")
    draws = _spread(draws, tolerance)
    widened = student_quantile((1 + level) / 2, degrees_of_freedom(left_out))
    if method == STUDENT:
        half = widened * float(draws.std())
        return Interval(value - half, value + half)
    plain = -widened, widened
    ends = _bca_ends(value, draws, left_out, plain, tolerance) if method == "bca" else plain
    if ends is None:
        return Interval(reason="the value lies beyond every resampled one")
    low, high = np.quantile(draws, [NormalDist().cdf(end) for end in ends])
    return Interval(float(low), float(high))


def standard_error(draws: np.ndarray) -> float:
    """Standard deviation of the defined draws, as Student's intervals have it."""
    draws = draws[~np.isnan(draws)]
    return float(_spread(draws, TIE_TOLERANCE * float(np.abs(draws).max(initial=0))).std())


def _spread(draws: np.ndarray, tolerance: float) -> np.ndarray:
    """The draws in order, equal ones spread evenly, up to halfway to their neighbours.

    A share of few items takes few values: without this an end jumps by a whole item with the seed,
    and half of the draws that equal a share fall on either side of it as their mean happens to lie.
    """
    ordered = np.sort(draws)
    starts = np.flatnonzero(np.diff(ordered, prepend=-np.inf) > tolerance)
    counts = np.diff(starts, append=len(ordered))
    gaps = np.diff(ordered[starts], prepend=-np.inf, append=np.inf)
    room = np.repeat(np.minimum(gaps[:-1], gaps[1:]), counts)
    place = np.arange(len(ordered)) - np.repeat(starts, counts)
    spread = ordered + room * ((place + 0.5) / np.repeat(counts, counts) - 0.5)
    return np.clip(spread, ordered[0], ordered[-1])


def _bca_ends(
    value: float,
    draws: np.ndarray,
    left_out: Sequence[np.ndarray],
    ends: Sequence[float],
    tolerance: float,
) -> tuple[float, float] | None:
    """The ends of the interval as normal quantiles, moved for bias and acceleration."""
    below = (np.mean(draws < value - tolerance) + np.mean(draws <= value + tolerance)) / 2
    if not 0 < below < 1:
        return None
    bias = NormalDist().inv_cdf(float(below))
    acceleration = _acceleration(left_out, tolerance)
    low, high = (bias + end for end in ends)
    return bias + low / (1 - acceleration * low), bias + high / (1 - acceleration * high)


def _acceleration(left_out: Sequence[np.ndarray], tolerance: float) -> float:
    """Efron & Tibshirani 1993, eq. 14.15, of several samples (Davison & Hinkley 1997, eq. 5.31)."""
    cubes = squares = 0.0
    for values in left_out:
        n = np.count_nonzero(~np.isnan(values))
        if n > 1:
            cubes += float((influences(values) ** 3).sum()) / n**3
            squares += float((influences(values) ** 2).sum()) / n**2
    return cubes / (6 * squares**1.5) if squares > tolerance**2 else 0.0


def influences(left_out: np.ndarray) -> np.ndarray:
    """How much each unit of a set moves the value: (units,), 0 where it cannot be said."""
    defined = ~np.isnan(left_out)
    n = int(defined.sum())
    if n < 2:
        return np.zeros(len(left_out))
    moved = left_out[defined].mean() - left_out
    felt = np.abs(moved) > TIE_TOLERANCE * np.abs(left_out[defined]).max()  # never where undefined
    return np.where(felt, (n - 1) * moved, 0.0)


def variance_of_mean(values: np.ndarray) -> float:
    """Variance of the mean of influences: (units,)."""
    n = len(values)
    return float((values**2).sum()) / (n * (n - 1)) if n > 1 else 0.0


def degrees_of_freedom(left_out: Sequence[np.ndarray]) -> float:
    """Of the variance of a score of several sets (Satterthwaite 1946), at least 4.

    Parameters
    ----------
    left_out : per set the values with each of its units left out.
    """
    total = divisor = 0.0
    for values in left_out:
        defined = values[~np.isnan(values)]
        variance = variance_of_mean(influences(defined))
        total += variance
        divisor += variance**2 / max(len(defined) - 1, 1)
    return max(total**2 / divisor, FEWEST_DEGREES) if divisor > 0 else math.inf


def student_quantile(share: float, degrees: float) -> float:
    """Quantile of Student's t distribution, to three decimals from four degrees on.

    The expansion of Fisher & Cornish 1960 (Abramowitz & Stegun, 26.7.5).
    """
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / degrees**power for power, term in enumerate(terms, start=1))


def percentile_interval(
    draws: np.ndarray, level: float = LEVEL, method: Any = "linear"
) -> tuple[float, float]:
    """The middle `level` of the defined draws; NaN twice where none is.

    Parameters
    ----------
    method : of `numpy.quantile`; "inverted_cdf" for ends that are among the draws.
    """
    draws = draws[~np.isnan(draws)]
    if not len(draws):
        return math.nan, math.nan
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], method=method)
    return float(low), float(high)


def p_of_zero(value: float, draws: np.ndarray, left_out: Sequence[np.ndarray]) -> float:
    """The smallest 1 - level at which Student's interval leaves 0 out, NaN without interval.

    Parameters
    ----------
    value, draws, left_out : as `resampled_interval` takes them.
    """
    if math.isnan(resampled_interval(value, draws, left_out, 0.5, STUDENT).low):
        return math.nan
    # Once, as draws have to be sorted for it.
    degrees, error = degrees_of_freedom(left_out), standard_error(draws)

    def leaves_zero_out(level: float) -> bool:
        half = student_quantile((1 + level) / 2, degrees) * error
        return value - half > 0 or value + half < 0

    low, high = 2 / (np.count_nonzero(~np.isnan(draws)) + 1), 1.0
    if low >= 1 or leaves_zero_out(1 - low):
        return min(low, 1.0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if leaves_zero_out(1 - middle) else (middle, high)
    return high


class Estimate(NamedTuple):
    """A value with its confidence interval of level `LEVEL`; NaN for what is undefined."""

    value: float
    low: float = math.nan
    high: float = math.nan


UNDEFINED = Estimate(math.nan)


class Scale(NamedTuple):
    """A scale on which an error hardly depends on the value: the way there, and back."""

    there: Callable[[Any], Any]
    back: Callable[[Any], Any]

    def moved(self, value: Any, step: Any) -> Any:
        """The value that is a step away on this scale."""
        return self.back(self.there(value) + step)


PLAIN = Scale(lambda value: value, lambda value: value)


def fisher_z(raters: int = 2) -> Scale:
    """z = log((1 + (raters - 1) r) / (1 - r)) / 2 of a correlation or agreement (Fisher 1925)."""

    def there(correlations: Any) -> Any:
        inside = np.clip(correlations, _NEAREST - 1 / (raters - 1), 1 - _NEAREST)
        return np.log((1 + (raters - 1) * inside) / (1 - inside)) / 2

    return Scale(there, lambda z: 1 - raters / (np.exp(2 * z) + raters - 1))


def on_scale(values: Any, limits: tuple[float, float]) -> Any:
    """Values as places between the limits, which are at -1 and 1."""
    return (2 * values - sum(limits)) / (limits[1] - limits[0])


def stretch(on_scale: Any) -> Any:
    """Places on a scale whose limits are infinitely far away."""
    return on_scale / np.sqrt(1 - on_scale**2)


def between(limits: tuple[float, float]) -> Scale:
    """The scale of places that are stretched between two limits."""
    low, high = limits

    def back(far: float) -> float:
        return (low + high + (high - low) * far / math.hypot(1, far)) / 2

    return Scale(lambda values: float(stretch(on_scale(values, limits))), back)


def student_step(share: float, freedom: float = math.inf) -> float:
    """Quantile of Student's t distribution, of the normal one without degrees of freedom."""
    # Planning, which computes nothing, need not wait for it.
    from scipy.special import ndtri, stdtrit

    return float(ndtri(share) if math.isinf(freedom) else stdtrit(freedom, share))


def student_interval(
    value: Any,
    error: Any,
    freedom: float = math.inf,
    level: float = LEVEL,
    scale: Scale = PLAIN,
) -> tuple[Any, Any]:
    """The second rule: ends that are a Student quantile times the error away from the value.

    Parameters
    ----------
    error : standard error on that scale, over whole units (documents, authors, items).
    freedom : degrees of the error: one fewer than units, and than each further number estimated.
    """
    reach = student_step((1 + level) / 2, freedom) * error
    return scale.moved(value, -reach), scale.moved(value, reach)


def normal_p(value: float, error: float) -> float:
    """Two-sided p that a normal estimate is 0: where `student_interval` ends there."""
    from scipy.special import erfc

    return float(erfc(np.abs(value) / error / np.sqrt(2)))


def jackknife_error(left_out: np.ndarray) -> float:
    """The standard error of a value from its values without each item: (items,)."""
    items = len(left_out)
    return math.sqrt((items - 1) / items * float(((left_out - left_out.mean()) ** 2).sum()))


def jackknifed(value: float, left_out: np.ndarray, raters: int = 2) -> Estimate:
    """A correlation with its interval from its values without each item, on Fisher's z.

    Parameters
    ----------
    left_out : (items,). raters : 2 for a correlation of two variables; for the agreement of more
        raters their number.

    Returns
    -------
    without an interval of fewer than 4 items, or where a value without one item is undefined.
    """
    items, scale = len(left_out), fisher_z(raters)
    if items < 4 or not np.isfinite([value, *left_out]).all():
        return Estimate(float(value))
    error = jackknife_error(scale.there(left_out))
    ends = student_interval(value, error, items - 2, scale=scale)
    return Estimate(float(value), *map(float, ends))


def fisher_interval(value: float, error: float, freedom: float, raters: int = 2) -> Estimate:
    """A correlation with its interval on Fisher's z, from its error on its own scale."""
    slope = raters / (2 * (1 + (raters - 1) * value) * (1 - value))
    ends = student_interval(value, error * slope, freedom, scale=fisher_z(raters))
    return Estimate(value, *map(float, ends))


def p_of_jackknifed(
    value: np.ndarray, low: np.ndarray, high: np.ndarray, items: np.ndarray
) -> np.ndarray:
    """Two-sided p of correlations, from the intervals that `jackknifed` gave them."""
    from scipy.special import stdtr, stdtrit

    z, below, above = map(fisher_z().there, (value, low, high))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = z / (above - below) * 2 * stdtrit(items - 2, (1 + LEVEL) / 2)
    return 2 * stdtr(items - 2, -np.abs(t))


def share_of_none(n_units: int, level: float = LEVEL) -> float:
    """The third rule: the largest share at which it is no surprise that no unit of n has it.

    The upper end of Clopper and Pearson (1934, https://doi.org/10.1093/biomet/26.4.404), whose
    lower one is 0; that of all in n units reaches as far from 1.
    """
    return 1 - ((1 - level) / 2) ** (1 / n_units)


def feldt_interval(reliability: float, items: int, parts: float) -> Estimate:
    """A reliability with the interval of Feldt (1965), exact for normal values.

    Of skewed (exponential) values of 25 items it held in 76 %.

    Parameters
    ----------
    parts : their number; without variance of the parts' error infinite, and without an interval.
    """
    if math.isinf(parts):
        return Estimate(reliability)
    from scipy.special import fdtri

    tails = (1 - LEVEL) / 2, (1 + LEVEL) / 2
    low, high = (fdtri(items - 1, (items - 1) * (parts - 1), tail) for tail in tails)
    ends = (1 - (1 - reliability) * high, 1 - (1 - reliability) * low)
    return Estimate(*(max(float(x), -1.0) for x in (reliability, *ends)))
