"""A value with its confidence interval, and the interval that correlations and kappas share."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

LEVEL = 0.95
# Correlations count as this near to -1 or 1 at most, where Fisher's z is infinite.
_NEAREST = 1e-12


class Estimate(NamedTuple):
    """A value with its confidence interval of level `LEVEL`; NaN for what is undefined."""

    value: float
    low: float = math.nan
    high: float = math.nan


UNDEFINED = Estimate(math.nan)


def jackknifed(value: float, left_out: np.ndarray, raters: int = 2) -> Estimate:
    """The interval of a correlation from its values without each item, on the scale of Fisher's z.

    Student's t with two degrees of freedom fewer than items times the standard error of the
    jackknife. On z = log((1 + (raters - 1) r) / (1 - r)) / 2 (Fisher 1925) the error hardly
    depends on r.

    Parameters
    ----------
    left_out : (items,). raters : 2 for a correlation of two variables; for the agreement of more
        raters their number.

    Returns
    -------
    without an interval of fewer than 4 items, or where a value without one item is undefined.
    """
    items = len(left_out)
    if items < 4 or not np.isfinite([value, *left_out]).all():
        return Estimate(float(value))
    return _interval(float(value), jackknife_error(_fisher_z(left_out, raters)), items - 2, raters)


def jackknife_error(left_out: np.ndarray) -> float:
    """The standard error of a value from its values without each item: (items,)."""
    items = len(left_out)
    return math.sqrt((items - 1) / items * float(((left_out - left_out.mean()) ** 2).sum()))


def fisher_interval(value: float, error: float, freedom: float, raters: int = 2) -> Estimate:
    """A correlation with Student's interval on the scale of Fisher's z, see `jackknifed`.

    Parameters
    ----------
    error : standard error of the value. freedom : degrees of freedom of the error.
    """
    slope = raters / (2 * (1 + (raters - 1) * value) * (1 - value))
    return _interval(value, error * slope, freedom, raters)


def _interval(value: float, error: float, freedom: float, raters: int) -> Estimate:
    from scipy.special import stdtrit

    reach = stdtrit(freedom, (1 + LEVEL) / 2) * error
    ends = np.exp(2 * (_fisher_z(np.array(value), raters) + np.array([-reach, reach])))
    low, high = (1 - raters / (ends + raters - 1)).tolist()
    return Estimate(value, low, high)


def _fisher_z(correlations: np.ndarray, raters: int) -> np.ndarray:
    lowest = -1 / (raters - 1)
    inside = np.clip(correlations, lowest + _NEAREST, 1 - _NEAREST)
    return np.log((1 + (raters - 1) * inside) / (1 - inside)) / 2
