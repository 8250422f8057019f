"""How far do the parts of a score agree? Reliability of a mean over words, pairs or raters.

A table holds what each item (a target word, say) gets from each part (a base pair, an attribute
word): items in rows, parts in columns, no value missing. Intervals are of level `LEVEL`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

LEVEL = 0.95
SPLITS = 500
RESAMPLES = 1000


class Estimate(NamedTuple):
    """A value with its confidence interval; NaN where the table has no such value."""

    value: float
    low: float = math.nan
    high: float = math.nan


UNDEFINED = Estimate(math.nan)


def cronbach_alpha(table: np.ndarray) -> Estimate:
    """Internal consistency of the sum over parts (Cronbach 1951), interval of Feldt (1965).

    Parameters
    ----------
    table : (items, parts), at least 2 of each.

    Returns
    -------
    at most 1; NaN where all items have the same sum.
    """
    items, parts = _shape(table)
    total = table.sum(axis=1).var(ddof=1)
    if not total > 0:
        return UNDEFINED
    alpha = parts / (parts - 1) * (1 - table.var(axis=0, ddof=1).sum() / total)
    low, high = _f_quantiles(items - 1, (items - 1) * (parts - 1))
    return Estimate(alpha, 1 - (1 - alpha) * high, 1 - (1 - alpha) * low)


def mcdonald_omega(table: np.ndarray, generator: np.random.Generator) -> Estimate:
    """Share of the sum's variance that one common factor explains (McDonald 1999).

    The factor is fitted to the covariances by least squares (minres); percentile interval over
    resampled items.
    """
    _shape(table)
    return _resampled(_omega, table, generator)


def intraclass_correlation(table: np.ndarray) -> tuple[Estimate, Estimate]:
    """ICC(2,1) and ICC(2,k): agreement of one part, and of the mean of all (Shrout & Fleiss 1979).

    Both items and parts are random; differences of level between parts count as disagreement.
    Intervals follow McGraw and Wong (1996).
    """
    items, parts = _shape(table)
    squares = mean_squares(table)
    between, levels, rest = squares[0,], squares[1,], squares[0, 1]
    of_one = between + (parts - 1) * rest + parts * (levels - rest) / items
    if not of_one > 0:
        return UNDEFINED, UNDEFINED
    single = (between - rest) / of_one
    average = (between - rest) / (between + (levels - rest) / items)
    if not rest > 0:
        return Estimate(single), Estimate(average)
    ratio = parts * single * levels / rest
    scale = items * (1 + (parts - 1) * single) - parts * single
    freedom = (parts - 1) * (items - 1) * (ratio + scale) ** 2 / ((items - 1) * ratio**2 + scale**2)
    _, upper = _f_quantiles(items - 1, freedom)
    _, lower = _f_quantiles(freedom, items - 1)
    others = parts * levels + (parts * items - parts - items) * rest
    low = items * (between - upper * rest) / (upper * others + items * between)
    high = items * (lower * between - rest) / (others + items * lower * between)
    return Estimate(single, low, high), Estimate(
        average, *(_stepped_up(x, parts) for x in (low, high))
    )


def split_half(table: np.ndarray, generator: np.random.Generator, splits: int = SPLITS) -> Estimate:
    """Mean correlation of the sums over random halves of the parts, stepped up to all parts.

    The step is Spearman and Brown's; the interval holds the middle of the splits.
    """
    _, parts = _shape(table)
    values = np.empty(splits)
    for i in range(splits):
        order = generator.permutation(parts)
        first, second = order[: parts // 2], order[parts // 2 :]
        values[i] = _correlation(table[:, first].sum(axis=1), table[:, second].sum(axis=1))
    stepped = _stepped_up(values, 2)
    return Estimate(float(np.mean(stepped)), *_middle(stepped))


def fleiss_kappa(labels: np.ndarray, generator: np.random.Generator) -> Estimate:
    """Agreement of raters on labels beyond chance (Fleiss 1971), percentile interval over items.

    Parameters
    ----------
    labels : (items, raters), any values that can be compared.
    """
    _shape(labels)
    names, codes = np.unique(labels, return_inverse=True)
    codes = codes.reshape(labels.shape)
    counts = (codes[:, :, None] == np.arange(len(names))).sum(axis=1)  # (items, labels)
    return _resampled(_fleiss, counts, generator)


def cohen_kappa(first: np.ndarray, second: np.ndarray, generator: np.random.Generator) -> Estimate:
    """Agreement of two raters beyond chance (Cohen 1960), percentile interval over items."""
    return _resampled(_cohen, np.column_stack([first, second]), generator)


def share_unanimous(labels: np.ndarray) -> float:
    """Share of items that get one label from all raters."""
    _shape(labels)
    return float(np.mean((labels == labels[:, :1]).all(axis=1)))


def mean_squares(table: np.ndarray) -> dict[tuple[int, ...], float]:
    """Mean square of each effect of a fully crossed design with one value a cell.

    Parameters
    ----------
    table : an axis for each factor.

    Returns
    -------
    the axes of an effect -> its mean square; the effect of all axes holds the residual as well.
    """
    effects = _effects(table.ndim)
    parts: dict[tuple[int, ...], np.ndarray] = {(): np.asarray(table.mean())}
    squares = {}
    for effect in effects:
        others = tuple(axis for axis in range(table.ndim) if axis not in effect)
        part = table.mean(axis=others, keepdims=True)
        below = chain.from_iterable(combinations(effect, n) for n in range(len(effect)))
        part = part - sum(parts[smaller] for smaller in below)
        parts[effect] = part
        repeats = math.prod(table.shape[axis] for axis in others)
        freedom = math.prod(table.shape[axis] - 1 for axis in effect)
        squares[effect] = float(repeats * (part**2).sum() / freedom)
    return squares


def variance_shares(table: np.ndarray, factors: Sequence[str]) -> Mapping[str, float]:
    """A G-study: the share of variance of each factor and interaction (Cronbach et al. 1972).

    All factors are random and fully crossed, one value a cell; components follow from the expected
    mean squares, negative ones count as 0.

    Parameters
    ----------
    table : an axis of at least 2 levels for each factor. factors : the names of the axes.

    Returns
    -------
    "words", "pairs", "words x pairs" ... -> share, summing to 1; NaN where nothing varies. The
    effect of all factors holds the residual as well.
    """
    if table.ndim != len(factors) or min(table.shape) < 2:
        raise ValueError(f"{len(factors)} factors of at least 2 levels, found {table.shape}")
    squares = mean_squares(table)
    components = {}
    for effect in squares:
        within = [other for other in squares if set(effect) <= set(other)]
        signed = sum((-1) ** (len(other) - len(effect)) * squares[other] for other in within)
        repeats = math.prod(n for axis, n in enumerate(table.shape) if axis not in effect)
        components[" x ".join(factors[axis] for axis in effect)] = max(signed / repeats, 0.0)
    total = sum(components.values())
    return {name: part / total if total > 0 else math.nan for name, part in components.items()}


def _shape(table: np.ndarray) -> tuple[int, int]:
    if table.ndim != 2 or min(table.shape) < 2:
        raise ValueError(f"at least 2 items and 2 parts are needed, found {table.shape}")
    return table.shape


def _effects(factors: int) -> list[tuple[int, ...]]:
    sizes = range(1, factors + 1)
    return list(chain.from_iterable(combinations(range(factors), size) for size in sizes))


def _f_quantiles(numerator: float, denominator: float) -> tuple[float, float]:
    from scipy.special import fdtri

    tail = (1 - LEVEL) / 2
    return fdtri(numerator, denominator, tail), fdtri(numerator, denominator, 1 - tail)


def _stepped_up(correlation: float | np.ndarray, times: int) -> float | np.ndarray:
    """Spearman-Brown: the reliability of a test so many times as long."""
    return times * correlation / (1 + (times - 1) * correlation)


def _correlation(first: np.ndarray, second: np.ndarray) -> float:
    first, second = first - first.mean(), second - second.mean()
    size = math.sqrt((first @ first) * (second @ second))
    return float(first @ second) / size if size > 0 else math.nan


def _middle(values: np.ndarray) -> tuple[float, float]:
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return math.nan, math.nan
    tail = 100 * (1 - LEVEL) / 2
    return tuple(np.percentile(known, [tail, 100 - tail]).tolist())


def _resampled(
    formula: Callable[[np.ndarray], float], table: np.ndarray, generator: np.random.Generator
) -> Estimate:
    """A formula of a table, with the percentile interval over resampled rows."""
    rows = generator.integers(len(table), size=(RESAMPLES, len(table)))
    draws = np.array([formula(table[chosen]) for chosen in rows])
    return Estimate(formula(table), *_middle(draws))


def _omega(table: np.ndarray) -> float:
    covariance = np.cov(table, rowvar=False)
    unique = np.diag(covariance) / 2
    for _ in range(1000):
        reduced = covariance - np.diag(unique)
        values, vectors = np.linalg.eigh(reduced)
        loadings = vectors[:, -1] * math.sqrt(max(values[-1], 0.0))
        fitted = np.clip(np.diag(covariance) - loadings**2, 0.0, None)
        if np.allclose(fitted, unique, rtol=1e-10, atol=1e-14):
            break
        unique = fitted
    common = loadings.sum() ** 2
    total = common + unique.sum()
    return float(common / total) if total > 0 else math.nan


def _fleiss(counts: np.ndarray) -> float:
    raters = counts[0].sum()
    agreement = ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))
    chance = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return float((agreement.mean() - chance) / (1 - chance)) if chance < 1 else math.nan


def _cohen(labels: np.ndarray) -> float:
    first, second = labels.T
    chance = float(
        sum((first == name).mean() * (second == name).mean() for name in np.unique(labels))
    )
    return float(((first == second).mean() - chance) / (1 - chance)) if chance < 1 else math.nan
