"""Intervals over words: what other words of the same kind would have given.

The bias-corrected and accelerated bootstrap of Efron 1987
(https://doi.org/10.1080/01621459.1987.10478410), resampling each word set by itself.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from fairflow.statistics.kernel import Kernel, Stratum

INTERVALS = ("bca", "percentile")
# Below so many words of a set, intervals cover too little (see the simulation in the tests).
FEW_WORDS = 10
# Sets are resampled in blocks of so many, whatever the metric, so that draws can be compared.
BLOCK = 250
# So many weights at once when each word of an attribute set is left out: 16 MB.
LEFT_OUT_CELLS = 2_000_000
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
    draws : measure -> (resamples,) with the words of the target sets resampled.
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
    replaced by one that it holds.
    """
    targets = [_Draws(stratum, seed) for stratum in kernel.targets]
    attributes = [_Draws(stratum, seed) for stratum in kernel.attributes]
    alone: list[dict[str, np.ndarray]] = []
    both: list[dict[str, np.ndarray]] = []
    for start in range(0, resamples, BLOCK):
        size = min(BLOCK, resamples - start)
        weights = kernel.spread([draws.block()[:size] for draws in targets])
        others = [draws.block()[:size] for draws in attributes]
        for part in _parts(size, kernel.chunk):
            chosen = [w[part] for w in weights]
            found = kernel.measures_alone_and_both(chosen, [w[part] for w in others])
            alone.append(found[0])
            both.append(found[1])
    return Resampled(_joined(alone), _joined(both), _left_out(kernel))


def _parts(size: int, chunk: int) -> Iterator[slice]:
    return (slice(i, i + chunk) for i in range(0, size, chunk))


def _joined(parts: Sequence[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([p[name] for p in parts]) for name in parts[0]} if parts else {}


class _Draws:
    """The resamples of one set, block after block."""

    def __init__(self, stratum: Stratum, seed: int) -> None:
        self._stratum = stratum
        self._asked = _generator(seed, "draws", *stratum.words)
        self._instead = _generator(seed, "instead of lost words", *stratum.words)

    def block(self) -> np.ndarray:
        """How often each unit is drawn in the next resamples: (BLOCK, units)."""
        n, n_asked = len(self._stratum), len(self._stratum.words)
        slots = self._asked.integers(0, n_asked, (BLOCK, n_asked), dtype=np.uint32)[:, :n]
        units = self._stratum.unit_of[slots]
        lost = units < 0
        if lost.any():
            units[lost] = self._instead.integers(0, n, units.shape, dtype=np.uint32)[lost]
        units += np.arange(BLOCK)[:, np.newaxis] * n
        return np.bincount(units.ravel(), minlength=BLOCK * n).reshape(BLOCK, n).astype(float)


def _generator(seed: int, *identity: str) -> np.random.Generator:
    text = "\x1f".join((str(seed), *identity))
    return np.random.default_rng(list(hashlib.sha256(text.encode()).digest()))


def _left_out(kernel: Kernel) -> dict[str, list[np.ndarray]]:
    """Measures with each unit, then each attribute word, left out of its set."""
    found: dict[str, list[np.ndarray]] = {}
    for index, own in enumerate(kernel.observed):
        members = np.flatnonzero(own[0])
        for name, values in _without(kernel, kernel.observed, index, members).items():
            found.setdefault(name, []).append(values)
    ones = [np.ones((1, len(stratum))) for stratum in kernel.attributes]
    for index, stratum in enumerate(kernel.attributes):
        parts = []
        # Each of so many rows holds a weight for every word of the set.
        rows = min(kernel.chunk, LEFT_OUT_CELLS // len(stratum) + 1)
        for part in _parts(len(stratum), rows):
            members = np.arange(len(stratum))[part]
            weights = list(ones)
            weights[index] = _leaving_out(ones[index], members)
            parts.append(kernel.measures(kernel.observed, weights))
        for name, values in _joined(parts).items():
            found[name].append(values)
    return found


def _without(
    kernel: Kernel, weights: Sequence[np.ndarray], index: int, members: np.ndarray
) -> dict[str, np.ndarray]:
    changed = list(weights)
    changed[index] = _leaving_out(weights[index], members)
    return kernel.measures(changed)


def _leaving_out(weights: np.ndarray, members: np.ndarray) -> np.ndarray:
    """One row per member, with its weight 0."""
    rows = np.repeat(weights, len(members), axis=0)
    rows[np.arange(len(members)), members] = 0
    return rows


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
    left_out : per resampled set the values with each unit left out, for the acceleration of BCa.

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
    tails = ((1 - level) / 2, (1 + level) / 2)
    if method == "bca":
        adjusted = _bca_levels(value, draws, left_out, tails, tolerance)
        if adjusted is None:
            return Interval(reason="the value lies beyond every resampled one")
        tails = adjusted
    low, high = np.quantile(draws, tails)
    return Interval(float(low), float(high))


def _bca_levels(
    value: float,
    draws: np.ndarray,
    left_out: Sequence[np.ndarray],
    tails: Sequence[float],
    tolerance: float,
) -> tuple[float, float] | None:
    below = (np.mean(draws < value - tolerance) + np.mean(draws <= value + tolerance)) / 2
    if not 0 < below < 1:
        return None
    normal = NormalDist()
    bias = normal.inv_cdf(float(below))
    acceleration = _acceleration(left_out, tolerance)
    levels = []
    for tail in tails:
        shifted = bias + normal.inv_cdf(tail)
        levels.append(normal.cdf(bias + shifted / (1 - acceleration * shifted)))
    return levels[0], levels[1]


def _acceleration(left_out: Sequence[np.ndarray], tolerance: float) -> float:
    """Efron & Tibshirani 1993, eq. 14.15, of several samples (Davison & Hinkley 1997, eq. 5.31)."""
    cubes = squares = 0.0
    for values in left_out:
        values = values[~np.isnan(values)]
        if len(values) > 1:
            influence = (len(values) - 1) * (values.mean() - values)
            cubes += float((influence**3).sum()) / len(values) ** 3
            squares += float((influence**2).sum()) / len(values) ** 2
    return cubes / (6 * squares**1.5) if squares > tolerance**2 else 0.0
