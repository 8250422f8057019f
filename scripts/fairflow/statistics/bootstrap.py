"""Intervals over words: what other words of the same kind would have given.

The bias-corrected and accelerated bootstrap of Efron 1987
(https://doi.org/10.1080/01621459.1987.10478410), resampling each word set by itself. What is held
is the mean of the score over other sets of as many words; where a metric depends on how many there
are (the denominator of an effect size, the rank correlation of noisy means), that of all words that
there could be is another number.

The resamples are those of the plain bootstrap, moved and scaled: their mean is the score and
their variance that of `fairflow.statistics.variance`, in which words that act together count once.
Levels are Student's rather than normal ones (Hesterberg 2015,
https://doi.org/10.1080/00031305.2015.1089789).

In simulations on made-up and on real vectors (the slow tests), 95 % intervals over target and
attribute words hold in 93 to 97 % from 16 words per set on, of every metric (ECT of 16 words in
92 %), and miss alike on both sides. With 5 to 8 words they held in 93 to 98 %, but lay wrong on
one side several times as often as on the other, and those of RND were up to 1.7 times as wide as
need be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from fairflow.statistics.kernel import Kernel, leaving_out
from fairflow.statistics.variance import degrees_of_freedom, influences, student_quantile, variances
from fairflow.statistics.word_draws import BLOCK, Resamples

INTERVALS = ("bca", "percentile")
# Below so many words of a set, intervals are rough (see above).
FEW_WORDS = 10
# Values that differ by less than this share of the largest one count as equal.
TIE_TOLERANCE = 1e-12


@dataclass(frozen=True)
class Interval:
    """Ends of an interval, NaN with a reason where there is none."""

    low: float = math.nan
    high: float = math.nan
    reason: str | None = None


@dataclass(frozen=True)
class Resampled:
    """A metric's measures over resampled words, and with each word left out.

    Attributes
    ----------
    draws : measure -> (resamples,) with the words of the target sets resampled, moved and scaled
        so that their mean is the score and their variance that over other words.
    draws_both : the same with those of the attribute sets too; empty where they cannot be.
    left_out : measure -> per stratum, those of the targets first, the values with each of its
        units left out.
    """

    draws: dict[str, np.ndarray]
    draws_both: dict[str, np.ndarray]
    left_out: dict[str, list[np.ndarray]]


def resample(kernel: Kernel, resamples: int, seed: int) -> Resampled:
    """Evaluate a metric on resampled words.

    Draw b of a word set depends on the seed, the set's words and b alone, so that the draws of
    several models, queries and metrics are of the same words; a word that a model has lost is
    replaced by one that it holds, or of a large set by its share of all others.
    """
    values = kernel.measures(kernel.observed)
    without = left_out(kernel)
    alone, both = (
        {
            name: _scaled(raw, float(values[name][0]), variance[name], kernel.limits(name))
            for name, raw in draws.items()
        }
        for draws, variance in zip(
            draw(kernel, resamples, seed), variances(kernel, without, seed), strict=True
        )
    )
    return Resampled(alone, both, without)


def _scaled(
    draws: np.ndarray, value: float, variance: float, limits: tuple[float, float]
) -> np.ndarray:
    """Draws of this mean and variance, within limits; as they are where they do not vary."""
    defined = draws[~np.isnan(draws)]
    scale = TIE_TOLERANCE * float(np.abs(defined).max(initial=0))
    if defined.size == 0 or math.isnan(value + variance) or not defined.std() > scale:
        return draws
    factor = math.sqrt(variance) / float(defined.std())
    return np.clip(value + factor * (draws - defined.mean()), *limits)


def draw(
    kernel: Kernel, resamples: int, seed: int
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The measures with target words resampled, and with those of all sets: (resamples,) each."""
    targets = [Resamples(stratum, seed) for stratum in kernel.targets]
    attributes = [Resamples(stratum, seed) for stratum in kernel.attributes]
    alone: list[dict[str, np.ndarray]] = []
    both: list[dict[str, np.ndarray]] = []
    for start in range(0, resamples, BLOCK):
        size = min(BLOCK, resamples - start)
        weights = kernel.spread([draws.block()[:size] for draws in targets])
        others = [draws.block()[:size] for draws in attributes]
        for part in _parts(size, kernel.chunk):
            chosen = [w[part] for w in weights]
            measures = kernel.measures_alone_and_both(chosen, [w[part] for w in others])
            alone.append(measures[0])
            both.append(measures[1])
    return _joined(alone), _joined(both)


def _parts(size: int, chunk: int) -> Iterator[slice]:
    return (slice(i, i + chunk) for i in range(0, size, chunk))


def _joined(parts: Sequence[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([p[name] for p in parts]) for name in parts[0]} if parts else {}


def left_out(kernel: Kernel) -> dict[str, list[np.ndarray]]:
    """Measures with each unit, then each attribute word, left out of its set."""
    values_of: dict[str, list[np.ndarray]] = {}
    for index, set_weights in enumerate(kernel.observed):
        members = np.flatnonzero(set_weights[0])
        for name, values in _without(kernel, kernel.observed, index, members).items():
            values_of.setdefault(name, []).append(values)
    for index in range(len(kernel.attributes)):
        for name, values in kernel.without_attribute(index).items():
            values_of[name].append(values)
    return values_of


def _without(
    kernel: Kernel, weights: Sequence[np.ndarray], index: int, members: np.ndarray
) -> dict[str, np.ndarray]:
    changed = list(weights)
    changed[index] = leaving_out(weights[index], members)
    return kernel.measures(changed)


def interval(
    value: float,
    draws: np.ndarray,
    left_out: Sequence[np.ndarray],
    level: float = 0.95,
    method: str = "bca",
) -> Interval:
    """The bootstrap interval of a value.

    Parameters
    ----------
    draws : (resamples,); undefined ones are left out.
    left_out : per resampled set the values with each unit left out, for the acceleration of BCa
        and for the degrees of freedom.

    Raises
    ------
    ValueError : an unknown method.
    """
    if method not in INTERVALS:
        raise ValueError(f"interval must be one of {', '.join(INTERVALS)}, got {method!r}")
    if math.isnan(value):
        return Interval(reason="the value itself is undefined")
    draws = draws[~np.isnan(draws)]
    tolerance = TIE_TOLERANCE * float(np.abs(draws).max(initial=0))
    if draws.size == 0 or draws.max() - draws.min() <= tolerance:
        return Interval(reason="resampling the words does not change the value")
    widened = student_quantile((1 + level) / 2, degrees_of_freedom(left_out))
    ends: tuple[float, float] | None = (-widened, widened)
    if method == "bca":
        ends = _bca_ends(value, draws, left_out, ends, tolerance)
        if ends is None:
            return Interval(reason="the value lies beyond every resampled one")
    low, high = np.quantile(draws, [NormalDist().cdf(end) for end in ends])
    return Interval(float(low), float(high))


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
