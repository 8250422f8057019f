"""How far a measure differs between two models on the same words, with intervals and a p-value.

The bootstrap of `fairflow.statistics.bootstrap`, applied to the difference: a resample takes the
same words in both models, so that what a word does in both cancels out. Intervals of the two
values by themselves say little of their difference: they may overlap although it is clear, for
most of what they tell is which words were chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fairflow.statistics.bootstrap import Interval, interval, resample
from fairflow.statistics.paired_kernel import (
    AFTER,
    BEFORE,
    DIFFERENCE,
    MEASURES,
    SIZE,
    PairedKernel,
)
from fairflow.statistics.settings import Statistics
from fairflow.statistics.uncertainty import few_words

TARGETS, EVERY_SET = "target words", "target and attribute words"
# Vectors are stored in single precision: a smaller share of the values is rounding.
ROUNDING = 1e-6
# Halvings of the p-value: to nine digits.
HALVINGS = 30


class Estimate(NamedTuple):
    """A value with its interval, NaN where there is none."""

    value: float = math.nan
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class PairedDifference:
    """What resampling says of a measure in two models.

    Attributes
    ----------
    before, after : the values. difference : after - before. absolute_difference : |after| -
        |before|.
    p_value : two-sided, that the mean difference over other words of the same kind is 0: the
        smallest 1 - level at which the interval of the difference still leaves 0 out, never below
        2 / (resamples + 1). As rough as the interval, of few words.
    over : what was resampled, `TARGETS` or `EVERY_SET`; "" where nothing was.
    note : what is missing or to be doubted, and why.
    """

    before: Estimate
    after: Estimate
    difference: Estimate
    absolute_difference: Estimate
    p_value: float = math.nan
    over: str = ""
    note: str = ""


def without_interval(before: float, after: float, why: str) -> PairedDifference:
    """The differences alone."""
    return PairedDifference(*map(Estimate, _values(before, after)), note=why)


def paired_difference(
    kernel: PairedKernel, before: float, after: float, settings: Statistics, seed: int
) -> PairedDifference:
    """Resample the words of both models together.

    Draw b takes the same words whatever model, metric and query it is for. Where no resample shows
    more of a difference than rounding, its interval is as wide as that and p is 1.

    Parameters
    ----------
    before, after : the measure as computed.
    settings : resamples, level and kind of the intervals.
    """
    if math.isnan(after - before):
        return without_interval(before, after, "the value itself is undefined")
    resampled = resample(kernel, settings.resamples, seed)
    over = EVERY_SET if resampled.draws_both else TARGETS
    draws = resampled.draws_both or resampled.draws
    n_sets = len(kernel.targets) + (len(kernel.attributes) if over == EVERY_SET else 0)
    left_out = {name: values[:n_sets] for name, values in resampled.left_out.items()}
    values = dict(zip(MEASURES, _values(before, after), strict=True))
    how = settings.level, settings.interval
    ends = {name: interval(values[name], draws[name], left_out[name], *how) for name in MEASURES}
    p_value = p_of_zero(values[DIFFERENCE], draws[DIFFERENCE], left_out[DIFFERENCE], how[1])
    rounding = _only_rounding(draws)
    if rounding:
        ends |= {name: _range(values[name], draws[name]) for name in (DIFFERENCE, SIZE)}
        p_value = 1.0
    notes = (
        "nothing but rounding differs" if rounding and before != after else None,
        ends[DIFFERENCE].reason,
        kernel.first.attributes_fixed if over == TARGETS else None,
        few_words(kernel),
    )
    estimates = [Estimate(values[name], ends[name].low, ends[name].high) for name in MEASURES]
    return PairedDifference(*estimates, p_value, over, "; ".join(filter(None, notes)))


def p_of_zero(
    value: float, draws: np.ndarray, left_out: Sequence[np.ndarray], method: str = "bca"
) -> float:
    """The smallest 1 - level at which the interval leaves 0 out, NaN without interval.

    Parameters
    ----------
    value, draws, left_out, method : as `fairflow.statistics.bootstrap.interval` takes them.
    """

    def leaves_zero_out(level: float) -> bool:
        ends = interval(value, draws, left_out, level, method)
        return ends.low > 0 or ends.high < 0

    if math.isnan(interval(value, draws, left_out, 0.5, method).low):
        return math.nan
    low, high = 2 / (np.count_nonzero(~np.isnan(draws)) + 1), 1.0
    if low >= 1 or leaves_zero_out(1 - low):
        return min(low, 1.0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if leaves_zero_out(1 - middle) else (middle, high)
    return high


def _only_rounding(draws: Mapping[str, np.ndarray]) -> bool:
    """Whether no resample differs by more than a share of the values that rounding explains."""
    largest = max(np.nanmax(np.abs(draws[name]), initial=0) for name in (BEFORE, AFTER))
    return bool(np.nanmax(np.abs(draws[DIFFERENCE]), initial=0) <= ROUNDING * largest)


def _range(value: float, draws: np.ndarray) -> Interval:
    every = np.append(draws[~np.isnan(draws)], value)
    return Interval(float(every.min()), float(every.max()))


def _values(before: float, after: float) -> tuple[float, float, float, float]:
    return before, after, after - before, abs(after) - abs(before)
