"""How far a score spreads over other words of the same kind.

A score of words is a sum of what each word does alone and of what two words do together: a target
and an attribute word in a table of similarities, two words of a set in the length of their mean.
Resampling counts the variance of what two do together three times, whether they stand in two sets
(Owen 2007, https://doi.org/10.1214/07-AOAS122) or in one (Arcones & Gine 1992,
https://doi.org/10.1214/aos/1176348650), and leaving out one word at a time counts it twice (Efron &
Stein 1981, https://doi.org/10.1214/aos/1176345462). Here both parts are measured, by mirrored
pairs of small changes of the weights: what turns its sign with the change is due to single words,
what does not is due to two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist

import numpy as np

from fairflow.statistics.kernel import Kernel, Stratum
from fairflow.statistics.word_draws import BLOCK, HalfSamples

# Pairs of changed weights; a variance from them is off by about 6 %, a spread by 3 %.
PAIRS = 500
# Weights are 1 + and - this: small, so that ratios and square roots are near their tangents.
CHANGE = 0.25
# Values whose difference is a smaller share of them are equal.
ROUNDING = 1e-12
# Student's distribution of fewer degrees reaches beyond what so few words can show.
FEWEST_DEGREES = 4.0


def variances(
    kernel: Kernel, left_out: dict[str, list[np.ndarray]], seed: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Variance of each measure over other target words, and over other words of all sets.

    The first part of the pairs has the variance V1 + 2 V2 of what words do alone and two together,
    the second V2. Their difference V1 + V2 is at least half the first.

    Parameters
    ----------
    left_out : measure -> per set the values with each of its units left out.
    """
    blocks = list(_changes(kernel, seed))
    rows = [np.concatenate(changes) for changes in zip(*(b[0] for b in blocks), strict=True)]
    strata = [*kernel.targets, *kernel.attributes]
    by_sets: list[dict[str, float]] = []
    for kind, used in enumerate((len(kernel.targets), len(strata))):
        parts = [block[1][kind] for block in blocks]
        by_sets.append(
            {
                name: _variance(
                    np.concatenate([part[name] for part in parts], axis=1),
                    *_prediction(strata[:used], rows, left_out[name]),
                )
                for name in parts[0]
            }
        )
    return by_sets[0], by_sets[1]


def _changes(
    kernel: Kernel, seed: int
) -> Iterator[tuple[list[np.ndarray], tuple[dict[str, np.ndarray], dict[str, np.ndarray]]]]:
    """Changes of each set's weights, and the two parts of what they do to the measures.

    Of the targets alone, and of all sets: measure -> (2, changes), the part that turns its sign
    with the change and the part that does not, as if the change were as large as a resample's.
    """
    halves = [HalfSamples(stratum, seed) for stratum in (*kernel.targets, *kernel.attributes)]
    n_targets = len(kernel.targets)
    for _ in range(PAIRS // BLOCK):
        block = [half.block() for half in halves]
        for start in range(0, BLOCK, kernel.chunk):
            rows = [change[start : start + kernel.chunk] for change in block]
            more, less = (
                kernel.measures_alone_and_both(
                    kernel.spread([1 + step * change for change in rows[:n_targets]]),
                    [1 + step * change for change in rows[n_targets:]],
                )
                for step in (CHANGE, -CHANGE)
            )
            alone, both = (
                {
                    name: np.stack(
                        [(up[name] - down[name]) / CHANGE, (up[name] + down[name]) / CHANGE**2]
                    )
                    / 2
                    for name in up
                }
                for up, down in zip(more, less, strict=True)
            )
            yield rows, (alone, both)


def _prediction(
    strata: Sequence[Stratum], rows: Sequence[np.ndarray], left_out: Sequence[np.ndarray]
) -> tuple[np.ndarray, float]:
    """What the influences of single words make of the changes, and its variance over all changes.

    Sets of the same words change alike.
    """
    influence_of: dict[tuple[str, ...], np.ndarray] = {}
    change_of: dict[tuple[str, ...], np.ndarray] = {}
    for stratum, change, values in zip(strata, rows, left_out, strict=False):
        influence_of[stratum.words] = influence_of.get(stratum.words, 0) + influences(values)
        change_of[stratum.words] = change
    predicted = sum(
        change @ influence_of[words] / change.shape[1] for words, change in change_of.items()
    )
    return predicted, sum(map(_variance_of_mean, influence_of.values()))


def _variance(parts: np.ndarray, predicted: np.ndarray, exact: float) -> float:
    """V1 + V2 of a measure: (2, changes), (changes,) -> a variance, NaN where it is undefined.

    That of the first part is the prediction's, which is known, times the ratio that the changes
    show: so it hardly depends on which changes were drawn.
    """
    defined = ~np.isnan(parts).any(axis=0)
    if not defined.any():
        return math.nan
    odd, even = parts[:, defined]
    first = float(np.mean(odd**2))
    of_predicted = float(np.mean(predicted[defined] ** 2))
    if of_predicted > 0:
        first *= exact / of_predicted
    return max(first - float(np.var(even)), first / 2)


def influences(left_out: np.ndarray) -> np.ndarray:
    """How much each unit of a set moves the value: (units,), 0 where it cannot be said."""
    defined = ~np.isnan(left_out)
    n = int(defined.sum())
    if n < 2:
        return np.zeros(len(left_out))
    moved = left_out[defined].mean() - left_out
    felt = np.abs(moved) > ROUNDING * np.abs(left_out[defined]).max()  # never where undefined
    return np.where(felt, (n - 1) * moved, 0.0)


def _variance_of_mean(values: np.ndarray) -> float:
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
        variance = _variance_of_mean(influences(defined))
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
