"""How far do the parts of a score agree? Reliability of a mean over words, pairs or raters.

A table holds what each item (a target word, say) gets from each part (a base pair, an attribute
word): items in rows, parts in columns. A missing value is an error. Intervals are of level .95 over
items; none needs resamples of them. A coefficient below -1 is given as -1: it says no more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fairflow.statistics.intervals import (
    UNDEFINED,
    Estimate,
    feldt_interval,
    fisher_interval,
    jackknife_error,
    jackknifed,
)

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
    between, rest = mean_squares(table)
    if not between > 0:
        return UNDEFINED
    return feldt_interval(1 - rest / between, items, parts)


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
    errors = [mean_squares(_checked(table))[1] / table.shape[1] for table in sets]
    weights = sum(e**2 / (table.shape[1] - 1) for e, table in zip(errors, sets, strict=True))
    parts = 1 + sum(errors) ** 2 / weights if weights > 0 else math.inf
    return feldt_interval(1 - sum(errors) / total, items, parts)


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


def mean_squares(table: np.ndarray) -> tuple[float, float]:
    """Mean squares between items and of the rest, (items, parts); 0 where it is rounding."""
    items, parts = table.shape
    rounding = (_ROUNDING * float(np.abs(table).max())) ** 2
    mean = table.mean()
    of_item = table.mean(axis=1, keepdims=True) - mean
    of_part = table.mean(axis=0, keepdims=True) - mean
    rest = table - (mean + of_item + of_part)
    between = float(parts * (of_item**2).sum() / (items - 1))
    within = float((rest**2).sum() / ((items - 1) * (parts - 1)))
    return between if between > rounding * parts else 0.0, within if within > rounding else 0.0


def _checked(table: np.ndarray) -> np.ndarray:
    if table.ndim != 2 or min(table.shape) < 2:
        raise ValueError(f"at least 2 items and 2 parts are needed, found {table.shape}")
    missing = np.count_nonzero(~np.isfinite(table)) if table.dtype.kind == "f" else 0
    if missing:
        raise ValueError(f"{missing} of {table.size} values are missing or infinite")
    return table


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
