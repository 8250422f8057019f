"""Measures of counts: log odds ratios, the least number of counts, a null of unbiased counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from fairflow.statistics.intervals import share_of_none
from fairflow.statistics.permutation import PermutationTest, columns_of_tests

if TYPE_CHECKING:
    from fairflow.statistics.uncertainty import Uncertainty

# With fewer counts a value is not ranked: 20 unbiased counts of two groups differ from an even
# split by .09 on average, 10 by .12 and 1 always by .5.
MINIMUM_COUNTS = 20
FEW_COUNTS = "few_counts"
# The number of draws of unbiased counts.
DRAWS = 10_000

Null = Callable[[np.random.Generator, int], dict[str, np.ndarray]]


@dataclass(frozen=True)
class Counts:
    """The counts behind measures.

    Attributes
    ----------
    number : of counts behind each of the measures. what : what was counted, and where.
    minimum : below it the measures are `few_counts`.
    further : other counts that the scores show, by name.
    null : draws of the measures from unbiased counts of that number; None where a measure has no
        such counterpart. drawn : what the null draws, in words.
    """

    number: float
    what: str
    minimum: int = MINIMUM_COUNTS
    further: Mapping[str, float] = field(default_factory=dict)
    null: Null | None = None
    drawn: str = ""

    @property
    def few(self) -> str | None:
        """A note on too few counts, or None."""
        if self.number >= self.minimum:
            return None
        return f"{self.what}: {self.number:g}; a ranking needs {self.minimum}"


def reassigned(
    counts: np.ndarray, shares: np.ndarray, generator: np.random.Generator, number: int
) -> np.ndarray:
    """Unbiased counts of the same numbers: each block goes to a group drawn by its share.

    A block holds the counts of one group in one unit, which are no independent findings and stay
    together. Where every block is a single count this is the multinomial distribution.

    Parameters
    ----------
    counts : (units, targets, groups). shares : (groups,) what is unbiased, summing to 1.

    Returns
    -------
    (number, targets, groups)
    """
    _, targets, groups = counts.shape
    blocks = counts.transpose(0, 2, 1).reshape(-1, targets)  # (units * groups, targets)
    blocks = blocks[blocks.any(axis=1)]
    drawn = generator.choice(groups, (number, len(blocks)), p=shares)
    return np.stack([(drawn == group) @ blocks for group in range(groups)], axis=2)


def with_null(
    uncertainty: Uncertainty, value: float, draws: np.ndarray, what: str, replaced: str | None
) -> Uncertainty:
    """The columns of a test against unbiased counts: how often would these give as much?

    Parameters
    ----------
    draws : of the measure; NaN where it is undefined.
    replaced : the sentence in the note that said why there was no test.
    """
    draws = draws[~np.isnan(draws)]
    if not len(draws) or math.isnan(value):
        return uncertainty
    reached = int(np.count_nonzero(draws >= value - 1e-12)) + 1
    p_value = reached / (len(draws) + 1)
    error = math.sqrt(p_value * (1 - p_value) / (len(draws) + 1))
    how = "unbiased counts", "greater", len(draws), 1 / (len(draws) + 1), error
    test = PermutationTest(p_value, *how, float(draws.mean()), float(draws.std()))
    note = _without(uncertainty.statistics_note, replaced)
    return replace(uncertainty, **columns_of_tests(what, test, ()), statistics_note=note)


def with_end_interval(
    uncertainty: Uncertainty, value: float, ends: Sequence[float], n_units: int, level: float
) -> Uncertainty:
    """An interval where no unit, or every one, has what is counted: the bootstrap gives none.

    That of `share_of_none` in n units, as what belongs to one unit may agree: it reaches from an
    end of the scale over that share of it.

    Parameters
    ----------
    ends : of the measure's scale.
    """
    low, high = ends
    at_low, at_high = (math.isclose(value, end, rel_tol=1e-12, abs_tol=1e-12) for end in ends)
    if not (at_low or at_high) or not math.isnan(uncertainty.ci_low) or not n_units:
        return uncertainty
    width = (high - low) * share_of_none(n_units, level)
    note = f"every unit of {n_units} gives the same: the interval is that of Clopper and Pearson"
    rest = _without(uncertainty.statistics_note, "resampling the words does not change the value")
    return replace(
        uncertainty,
        ci_low=low if at_low else high - width,
        ci_high=low + width if at_low else high,
        ci_method="clopper-pearson",
        statistics_note="; ".join(filter(None, (note, rest))),
    )


def _without(note: str | None, sentence: str | None) -> str | None:
    kept = [part for part in (note or "").split("; ") if part and part != sentence]
    return "; ".join(kept) or None


def log_odds(counts: np.ndarray) -> tuple[float, float, str]:
    """The log odds ratio of four counts, its standard error, and why they are NaN, else "".

    Parameters
    ----------
    counts : (4,) in the order a, b, c, d.
    """
    if not np.all(counts):
        first, second = (("first", "second")[n] for n in divmod(int(np.argmin(counts)), 2))
        reason = f"the {first} targets have no co-occurrence with the {second} attributes"
        return np.nan, np.nan, reason
    return float(log_odds_ratios(counts)), float(np.sqrt((1 / counts).sum())), ""


def log_odds_ratios(counts: np.ndarray) -> np.ndarray:
    """Log odds ratios of draws: (..., 4) -> (...).

    Where a count is 0, 1/2 is added to all four (Haldane 1956,
    https://doi.org/10.1111/j.1469-1809.1955.tb01285.x; Anscombe 1956,
    https://doi.org/10.1093/biomet/43.3-4.461).
    """
    counts = counts + 0.5 * (counts == 0).any(axis=-1, keepdims=True)
    # Of proportional counts this is 0 without a rounding error, which an interval could exclude.
    first, second = counts[..., 0] / counts[..., 1], counts[..., 2] / counts[..., 3]
    return np.log(first) - np.log(second)
