"""How far do the parts of a score agree? Reliability of a mean over words, pairs or raters.

A table holds what each item (a target word, say) gets from each part (a base pair, an attribute
word): items in rows, parts in columns. A missing value is an error. Intervals are of level .95 over
items; none needs resamples of them. A coefficient below -1 is given as -1: it says no more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, combinations

import numpy as np

from fairflow.statistics.estimate import (
    LEVEL,
    UNDEFINED,
    Estimate,
    fisher_interval,
    jackknife_error,
    jackknifed,
)

SPLITS = 500
DRAWS = 4000
# Differences below this share of the largest value are rounding.
_ROUNDING = 1e-12


def cronbach_alpha(table: np.ndarray) -> Estimate:
    """Internal consistency of the sum over parts (Cronbach 1951), interval of Feldt (1965).

    The interval assumes that all parts load alike on what they measure. For normal values it covers
    .94 to .96 (8 to 300 items, 8 to 16 parts), with loadings of .2 to .9 as well.

    Parameters
    ----------
    table : (items, parts), at least 2 of each.

    Returns
    -------
    -1 to 1; NaN where all items have the same sum.
    """
    items, parts = _checked(table).shape
    squares = mean_squares(table)
    if not squares[0,] > 0:
        return UNDEFINED
    return _feldt(1 - squares[0, 1] / squares[0,], items, parts)


def stratified_alpha(sets: Sequence[np.ndarray]) -> Estimate:
    """Reliability of a sum of means over sets of parts (Cronbach, Schonemann & McKie 1965).

    What all parts share with an item cancels in the difference of two means. Cronbach's alpha of
    parts with reversed signs takes it for disagreement, and may be negative for a reliable
    difference. Here each set has its own error: 1 - sum of the error variances of the means /
    variance of the sum. The interval is Feldt's with the degrees of freedom of the summed errors
    (Satterthwaite 1946): for normal values it covers .935 to .97 (8 to 300 items, 8 to 20 parts).

    Parameters
    ----------
    sets : tables (items, parts) of the same items, at least 2 parts each; what is subtracted has
        its sign reversed.

    Returns
    -------
    -1 to 1; NaN where all items have the same sum.
    """
    items = len(_checked(sets[0]))
    total = float(sum(table.mean(axis=1) for table in sets).var(ddof=1))
    if not total > (_ROUNDING * max(float(np.abs(table).max()) for table in sets)) ** 2:
        return UNDEFINED
    # The mean square of parts x items is the error variance of one part.
    errors = [mean_squares(_checked(table))[0, 1] / table.shape[1] for table in sets]
    weights = sum(e**2 / (table.shape[1] - 1) for e, table in zip(errors, sets, strict=True))
    parts = 1 + sum(errors) ** 2 / weights if weights > 0 else math.inf
    return _feldt(1 - sum(errors) / total, items, parts)


def stratified_omega(sets: Sequence[np.ndarray]) -> Estimate:
    """`stratified_alpha` with the error of each set from one factor; no interval.

    NaN where a set has fewer than 3 parts.
    """
    if min(table.shape[1] for table in map(_checked, sets)) < 3:
        return UNDEFINED
    total = float(sum(table.mean(axis=1) for table in sets).var(ddof=1))
    if not total > 0:
        return UNDEFINED
    errors = 0.0
    for table in sets:
        covariance = np.cov(table, rowvar=False)
        unique = np.clip(np.diag(covariance) - _one_factor(covariance) ** 2, 0.0, None)
        errors += float(unique.sum()) / table.shape[1] ** 2
    return Estimate(max(1 - errors / total, -1.0))


def mcdonald_omega(table: np.ndarray) -> Estimate:
    """Share of the sum's variance that one common factor explains (McDonald 1999).

    The factor is fitted to the covariances by least squares (minres). The interval is Feldt's for
    alpha with omega in place of alpha, joined with that of alpha: it covers .95 to .99 (8 to 300
    items, 8 to 16 parts, omega from 0 to .9). Without the join it covers .86 to .95.

    Parameters
    ----------
    table : (items, parts), at least 2 items; fewer than 3 parts have no such factor.

    Returns
    -------
    0 to 1; NaN where all items have the same sum, or with 2 parts.
    """
    items, parts = _checked(table).shape
    alpha = cronbach_alpha(table)
    if parts < 3 or math.isnan(alpha.value):
        return UNDEFINED
    covariance = np.cov(table, rowvar=False)
    loadings = _one_factor(covariance)
    common = float(loadings.sum() ** 2)
    unique = float(np.clip(np.diag(covariance) - loadings**2, 0.0, None).sum())
    own = _feldt(common / (common + unique), items, parts)
    return Estimate(own.value, max(min(own.low, alpha.low), 0.0), max(own.high, alpha.high, 0.0))


def intraclass_correlation(table: np.ndarray) -> tuple[Estimate, Estimate]:
    """ICC(2,1) and ICC(2,k): agreement of one part, and of the mean of all (Shrout & Fleiss 1979).

    Both items and parts are random; differences of level between parts count as disagreement. The
    interval is the generalized one (Weerahandi 1993): what the coefficients would be if each mean
    square were divided by a draw of its chi-squared distribution, always the same `DRAWS`. For
    normal values it covers .94 to .96 (8 to 300 items, 8 to 16 parts). That of McGraw and Wong
    (1996) covers .91 to .96, the least where few parts of different levels judge many items.

    Returns
    -------
    -1 to 1; NaN for a constant table.
    """
    items, parts = _checked(table).shape
    squares = mean_squares(table)
    found = np.array([squares[0,], squares[1,], squares[0, 1]])
    if not found.sum() > 0:
        return UNDEFINED, UNDEFINED
    freedom = np.array([items - 1, parts - 1, (items - 1) * (parts - 1)])
    generator = np.random.default_rng(0)
    drawn = generator.chisquare(freedom, (DRAWS, 3)) / freedom
    # The observed table first, then the draws.
    between, levels, rest = np.concatenate([found[np.newaxis], found / drawn]).T
    means = between + (levels - rest) / items
    single = (between - rest) / (means * parts - (parts - 1) * (between - rest))
    average = np.where(means > 0, (between - rest) / np.where(means > 0, means, 1), -1.0)
    return tuple(
        Estimate(*np.maximum([icc[0], *_middle(icc[1:])], -1).tolist()) for icc in (single, average)
    )


def split_half(
    sets: Sequence[np.ndarray], generator: np.random.Generator, splits: int = SPLITS
) -> Estimate:
    """Mean correlation of the scores of random halves of each set, stepped up to all parts.

    The score of a half is the sum of its means over each set. The step is Spearman and Brown's,
    Horst's (1951) for an odd number of parts. The ends hold the middle `LEVEL` of the splits: they
    show how much depends on the split, not on the items.

    Parameters
    ----------
    sets : tables (items, parts) of the same items, at least 2 parts each; what is subtracted has
        its sign reversed.
    """
    halves, unequal, largest = np.zeros((2, splits, len(sets[0]))), 0.0, 0.0
    for table in map(_checked, sets):
        parts = table.shape[1]
        in_first = generator.permuted(np.tile(np.arange(parts) < parts // 2, (splits, 1)), axis=1)
        centred = table - table.mean(axis=0)
        for half, chosen in zip(halves, (in_first, ~in_first), strict=True):
            half += (chosen / chosen.sum(axis=1, keepdims=True)) @ centred.T
        unequal += 4 * (parts // 2) * (parts - parts // 2) / parts**2 / len(sets)
        largest = max(largest, float(np.abs(table).max()))
    first, second = halves
    variances = (first**2).sum(axis=1) * (second**2).sum(axis=1)
    varies = variances > (_ROUNDING * largest) ** 4
    if not varies.any():
        return UNDEFINED
    correlations = (first * second).sum(axis=1)[varies] / np.sqrt(variances[varies])
    r = np.clip([correlations.mean(), *_middle(correlations)], -0.99, 1)
    stepped = 2 * r / (r + np.sqrt(r**2 + unequal * (1 - r**2)))
    return Estimate(*np.maximum(stepped, -1).tolist())


def fleiss_kappa(labels: np.ndarray) -> Estimate:
    """Agreement of raters on labels beyond chance (Fleiss 1971).

    The interval is the jackknife's over items, on the scale of Fisher's z of an intraclass
    correlation. For two labels, 3 or 9 raters and kappa from 0 to .94 it covers .94 to .97 with 40
    and 300 items; the percentile interval over resampled items .88 to .95. Where the
    kappas without each item are all equal or one is undefined, as in full agreement, it is computed
    with one more item on which raters are split evenly.

    Parameters
    ----------
    labels : (items, raters), any values that can be compared.

    Returns
    -------
    at most 1; NaN where only one label is given.
    """
    _, raters = _checked(labels).shape
    names, codes = np.unique(labels, return_inverse=True)
    codes = codes.reshape(labels.shape)
    counts = (codes[:, :, np.newaxis] == np.arange(len(names))).sum(axis=1)  # (items, labels)
    kappas = _fleiss(counts)
    if len(names) < 2 or np.ptp(kappas) > _ROUNDING:
        return jackknifed(kappas[0], kappas[1:], raters)
    even = np.full((1, len(names)), raters / len(names))
    more = _fleiss(np.concatenate([counts, even]))
    found = fisher_interval(float(more[0]), jackknife_error(more[1:]), len(labels) - 1, raters)
    value = float(kappas[0])
    return Estimate(value, min(found.low, value), max(found.high, value))


def cohen_kappa(first: np.ndarray, second: np.ndarray) -> Estimate:
    """Agreement of two raters beyond chance (Cohen 1960).

    The interval is Student's on Fisher's z by the error of Fleiss, Cohen and Everitt (1969), of the
    counts with one more item spread over all cells, so that full agreement has an interval as well.
    For two labels and kappa from 0 to .94 it covers .94 to .97 with 40 and 300 items; the
    percentile interval over resampled items .71 to .95.

    Parameters
    ----------
    first, second : (items,), the labels that each rater gives.

    Returns
    -------
    -1 to 1; NaN where both give one label to all.
    """
    labels = _checked(np.column_stack([first, second]))
    names, codes = np.unique(labels, return_inverse=True)
    if len(names) < 2:
        return UNDEFINED
    left, right = codes.reshape(labels.shape).T
    size = len(names)
    counts = np.bincount(left * size + right, minlength=size**2).reshape(size, size)
    value, _ = _cohen(counts)
    smooth, error = _cohen(counts + 1 / size**2)
    found = fisher_interval(smooth, error, len(labels) - 1)
    return Estimate(value, min(found.low, value), max(found.high, value))


def share_unanimous(labels: np.ndarray) -> float:
    """Share of items that get one label from all raters."""
    _checked(labels)
    return float(np.mean((labels == labels[:, :1]).all(axis=1)))


def mean_squares(table: np.ndarray) -> dict[tuple[int, ...], float]:
    """Mean square of each effect of a fully crossed design with one value a cell.

    Parameters
    ----------
    table : an axis for each factor.

    Returns
    -------
    the axes of an effect -> its mean square, 0 where it is rounding; the effect of all axes holds
    the residual as well.
    """
    rounding = (_ROUNDING * float(np.abs(table).max())) ** 2
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
        square = float(repeats * (part**2).sum() / freedom)
        squares[effect] = square if square > rounding * repeats else 0.0
    return squares


def _checked(table: np.ndarray, factors: int = 2) -> np.ndarray:
    if table.ndim != factors or min(table.shape) < 2:
        raise ValueError(
            f"a table of {factors} factors with at least 2 levels each is needed (items, parts), "
            f"found {table.shape}"
        )
    missing = np.count_nonzero(~np.isfinite(table)) if table.dtype.kind == "f" else 0
    if missing:
        raise ValueError(f"{missing} of {table.size} values are missing or infinite")
    return table


def _effects(factors: int) -> list[tuple[int, ...]]:
    sizes = range(1, factors + 1)
    return list(chain.from_iterable(combinations(range(factors), size) for size in sizes))


def _f_quantiles(numerator: float, denominator: float) -> tuple[float, float]:
    from scipy.special import fdtri

    tail = (1 - LEVEL) / 2
    return fdtri(numerator, denominator, tail), fdtri(numerator, denominator, 1 - tail)


def _feldt(reliability: float, items: int, parts: float) -> Estimate:
    if math.isinf(parts):
        return Estimate(reliability)
    low, high = _f_quantiles(items - 1, (items - 1) * (parts - 1))
    ends = (1 - (1 - reliability) * high, 1 - (1 - reliability) * low)
    return Estimate(*(max(float(x), -1.0) for x in (reliability, *ends)))


def _middle(values: np.ndarray) -> np.ndarray:
    return np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])


def _one_factor(covariance: np.ndarray) -> np.ndarray:
    """Loadings whose products come nearest to the covariances of different parts: (parts,).

    Least squares by Levenberg and Marquardt's steps from the first principal component.
    """
    values, vectors = np.linalg.eigh(covariance)
    loadings = vectors[:, -1] * math.sqrt(values[-1])

    def missed(loadings: np.ndarray) -> np.ndarray:
        left = covariance - np.outer(loadings, loadings)
        np.fill_diagonal(left, 0.0)
        return left

    left, damping = missed(loadings), 1e-3
    loss = np.sum(left**2)
    for _ in range(200):
        length = loadings @ loadings
        curvature = np.outer(loadings, loadings)
        curvature[np.diag_indices(len(loadings))] = length * (1 + damping) - loadings**2
        moved = loadings + np.linalg.solve(curvature, left @ loadings)
        left_then = missed(moved)
        loss_then = np.sum(left_then**2)
        if loss_then < loss:
            settled = loss - loss_then < 1e-12 * loss
            loadings, left, loss, damping = moved, left_then, loss_then, damping / 10
            if settled:
                break
        elif damping > 1e3:
            break
        else:
            damping *= 10
    return loadings


def _fleiss(counts: np.ndarray) -> np.ndarray:
    """Kappa of all items, then without each: (items, labels) -> (1 + items,)."""
    raters, items = counts[0].sum(), len(counts)
    agreement = ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))
    of_items = np.append(items, np.full(items, items - 1))
    mean = np.append(agreement.sum(), agreement.sum() - agreement) / of_items
    totals = np.concatenate([counts.sum(axis=0)[np.newaxis], counts.sum(axis=0) - counts])
    chance = ((totals / (raters * of_items[:, np.newaxis])) ** 2).sum(axis=1)
    rest = 1 - chance
    return 1 - (1 - mean) / np.where(rest > _ROUNDING, rest, np.nan)


def _cohen(counts: np.ndarray) -> tuple[float, float]:
    """Kappa of a table of counts, and its standard error."""
    shares = counts / counts.sum()
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    same, chance = float(np.trace(shares)), float(rows @ columns)
    kappa = (same - chance) / (1 - chance)
    # Row a and column b: how an item of these labels moves kappa.
    by_chance = columns[:, np.newaxis] + rows - 2 * chance
    moves = (np.eye(len(counts)) - same - (1 - kappa) * by_chance) / (1 - chance)
    return kappa, math.sqrt(float((shares * moves**2).sum() / counts.sum()))
