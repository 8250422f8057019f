"""Power before anything is measured: the smallest effect that a permutation test finds.

Two sets of words get normal scores, those of the first shifted upwards; a test of all exchanges of
the words between the sets compares their means. The smallest effect is the shift that is
significant at `ALPHA` with probability `POWER`, as WEAT's d: difference of the means over the
sample standard deviation of all words, at most about 2.

`simulated_shift` finds it; `smallest_effects.csv` holds the shifts that it gave for pairs
of `SIZES`, written by `write_table` with 40,000 data sets each and seed 0.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fairflow.statistics.permutation import every_labelling, number_of_labellings, random_labellings

ALPHA = 0.05
POWER = 0.8
TABLE = Path(__file__).with_name("smallest_effects.csv")
SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 25, 32, 50, 100, 250)
ALTERNATIVES = ("one-sided", "two-sided")
# Exchanges of one data set, and data sets that share random ones.
_EXCHANGES = 2_000
_BLOCK = 250


class SmallestEffect(NamedTuple):
    """The smallest d that a test can be expected to find; NaN with a reason if it finds none."""

    value: float
    reason: str = ""


def smallest_effect(first: int, second: int, alternative: str = "two-sided") -> SmallestEffect:
    """WEAT's d that a permutation test of sets of these sizes finds with probability `POWER`.

    From the table. Between its sizes the noncentrality (the shift over its standard error) is
    interpolated over the reciprocals of both sizes; beyond its largest size it hardly changes.

    Parameters
    ----------
    first, second : numbers of words. alternative : "two-sided", or any other for one side.
    """
    side = ALTERNATIVES[alternative == "two-sided"]
    if min(first, second) < 2:
        return SmallestEffect(math.nan, "a set has fewer than 2 words")
    least = _least_p(first, second, side)
    if not least < ALPHA:
        return SmallestEffect(
            math.nan, f"too few exchanges of {first} and {second} words: p is at least {least:.2g}"
        )
    grid = _noncentralities()[side]
    over = -1 / np.array(SIZES)
    of_second = [np.interp(-1 / second, over, row) for row in grid]
    shift = float(np.interp(-1 / first, over, of_second)) * math.sqrt(1 / first + 1 / second)
    return SmallestEffect(effect_of_shift(shift, first, second))


def effect_of_shift(shift: float, first: int, second: int) -> float:
    """WEAT's d of two sets whose means differ by some standard deviations of a set."""
    words = first + second
    between = first * second / words * shift**2
    return shift / math.sqrt((words - 2 + between) / (words - 1))


def simulated_shift(
    first: int, second: int, samples: int, generator: np.random.Generator
) -> dict[str, float]:
    """The shift that is found with probability `POWER`: "one-sided" and "two-sided" -> shift.

    With the observed scores shifted by s, an exchange that leaves a share c of the shift (from -1
    to 1) reaches the observed difference D of means as long as D' + c s >= D + s: up to
    s = (D' - D) / (1 - c), or on the other side up to -(D' + D) / (1 + c). So one set of exchanges
    gives the shift from which on a data set is significant; the result is the quantile of these.

    Returns
    -------
    in standard deviations within a set; infinite where no p < `ALPHA` is possible.
    """
    sizes = first, second
    number = number_of_labellings(sizes)
    every = number <= _EXCHANGES
    found: dict[str, list[np.ndarray]] = {side: [] for side in ALTERNATIVES}
    for start in range(0, samples, _BLOCK):
        labels = (
            every_labelling(sizes) if every else random_labellings(sizes, _EXCHANGES - 1, generator)
        )
        contrast = np.where(labels == 0, 1 / first, -1 / second)  # (exchanges, words)
        if every:
            contrast = contrast[(labels[:, :first] != 0).any(axis=1)]
        kept = contrast[:, :first].sum(axis=1)[:, np.newaxis]
        scores = generator.standard_normal((first + second, min(_BLOCK, samples - start)))
        observed = scores[:first].mean(axis=0) - scores[first:].mean(axis=0)
        exchanged = contrast @ scores
        reach = _reached(exchanged - observed, 1 - kept)
        other = _reached(-exchanged - observed, 1 + kept)
        # Of all exchanges, the observed one among them, at most this number may be as extreme.
        extreme = math.ceil(ALPHA * (len(contrast) + 1) - 1e-9) - 1
        found["one-sided"].append(_largest(reach, extreme))
        found["two-sided"].append(_largest(np.maximum(reach, other), extreme))
    return {
        side: float(np.quantile(np.concatenate(shifts), POWER, method="higher"))
        for side, shifts in found.items()
    }


def write_table(path: Path, samples: int, seed: int, sizes: Sequence[int] = SIZES) -> None:
    """Simulate every pair of sizes and write the table: minutes of work, once."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["first", "second", *ALTERNATIVES])
        for first in sizes:
            for second in (size for size in sizes if size >= first):
                generator = np.random.default_rng([seed, first, second])
                shifts = simulated_shift(first, second, samples, generator)
                rows.writerow([first, second, *(f"{shifts[side]:.4f}" for side in ALTERNATIVES)])


def _reached(ahead: np.ndarray, lost: np.ndarray) -> np.ndarray:
    """The shift up to which exchanges that lose this share of it stay ahead: (exchanges, data)."""
    return np.where(lost > 1e-9, ahead / np.where(lost > 1e-9, lost, 1), np.inf)


def _largest(reach: np.ndarray, extreme: int) -> np.ndarray:
    """The shift above which fewer than `extreme` exchanges are as extreme: (data sets,)."""
    if extreme < 1:
        return np.full(reach.shape[1], np.inf)
    return np.partition(reach, -extreme, axis=0)[-extreme].copy()


def _least_p(first: int, second: int, side: str) -> float:
    both = side == "two-sided" and first == second
    return (2 if both else 1) / number_of_labellings((first, second))


@cache
def _noncentralities() -> dict[str, np.ndarray]:
    """Alternative -> shift over its standard error, (sizes of the first, of the second)."""
    grids = {side: np.empty((len(SIZES), len(SIZES))) for side in ALTERNATIVES}
    with TABLE.open(newline="") as file:
        for row in csv.DictReader(file):
            first, second = int(row["first"]), int(row["second"])
            at = SIZES.index(first), SIZES.index(second)
            error = math.sqrt(1 / first + 1 / second)
            for side, grid in grids.items():
                grid[at] = grid[at[::-1]] = float(row[side]) / error
    return grids
