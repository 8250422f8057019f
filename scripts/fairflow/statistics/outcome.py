"""The outcome of a metric on a query, and a result dictionary with test and interval."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.statistics.bootstrap import resample
from fairflow.statistics.intervals import resampled_interval
from fairflow.statistics.permutation import METHODS, PermutationTest, permutation_test
from fairflow.statistics.seeds import identity_generator
from fairflow.statistics.uncertainty import DEFAULT_SEED, few_words

if TYPE_CHECKING:
    from fairflow.statistics.resampling_statistic import ResamplingStatistic


class WordValue(NamedTuple):
    """A value that belongs to one word of one set, and what each random split gave, if any did."""

    set: str
    word: str
    measure: str
    value: float
    splits: Sequence[float] = ()


@dataclass(frozen=True)
class OwnTest:
    """A test that a metric makes itself, whose null hypothesis is no exchange of words.

    Attributes
    ----------
    measures : the tested ones. statistic : what was permuted. test : the result.
    """

    measures: tuple[str, ...]
    statistic: str
    test: PermutationTest


@dataclass(frozen=True)
class Outcome:
    """What a metric says about a query.

    Attributes
    ----------
    result : the measure that the metric is known for.
    measures : name -> value; NaN where `reasons` says why.
    details : further entries of the documented result dictionary.
    words : the values of single words, an iterable for one pass: thousands of them are made only
        if somebody wants them.
    reasons : measure -> why it is NaN.
    status : "ok", or why nothing could be computed: "lost_vocabulary", "shared_words",
        "degenerate".
    resampling : gives the statistic that p-values and intervals need, for the query's own target
        sets or for others in their place; None for a metric that has no statistic.
    own_test : of a metric that tests itself, without the statistic.
    splits : measure -> its value on each random split of the attribute words, for a metric that
        is a mean over such splits.

    Examples
    --------
    >>> from fairflow import Outcome
    >>> Outcome(0.25, {"distance": 0.25}).status
    'ok'

    See also
    --------
    fairflow.BaseMetric : its `compute` returns this.
    """

    result: float
    measures: dict[str, float]
    details: dict[str, Any] = field(default_factory=dict)
    words: Iterable[WordValue] = ()
    reasons: dict[str, str] = field(default_factory=dict)
    status: str = "ok"
    resampling: Callable[..., ResamplingStatistic] | None = None
    own_test: OwnTest | None = None
    splits: Mapping[str, Sequence[float]] = field(default_factory=dict)


def of_these_words(statistic: ResamplingStatistic, why: str) -> Callable[..., ResamplingStatistic]:
    """`Outcome.resampling` of a metric whose words cannot be replaced at random, and why."""

    def resampling(others: object = None) -> ResamplingStatistic:
        if others is not None:
            raise DegenerateError(why)
        return statistic

    return resampling


logger = logging.getLogger(__name__)

# The workflow also reads random words of similar frequency.
NO_BAND = "no null band: run_query reads the words of the query alone"
# Of an interval, wherever none is given.
DEFAULT_LEVEL = 0.95
TEST_TYPES = {"right-sided": "greater", "left-sided": "less", "two-sided": "two-sided"}


def requested_statistics(
    outcome: Outcome,
    digest: str,
    calculate_p_value: bool = False,
    p_value_test_type: str | None = None,
    p_value_method: str = "auto",
    p_value_iterations: int = 100_000,
    p_value_verbose: bool = False,
    calculate_intervals: bool = False,
    interval_level: float = DEFAULT_LEVEL,
    interval_resamples: int = 5_000,
    interval_method: str = "bca",
    statistics_seed: int = DEFAULT_SEED,
) -> dict[str, Any]:
    """The requested entries of `p_value_of` and `intervals_of`.

    Parameters
    ----------
    digest : of the query. p_value_... : the arguments of `p_value_of`. interval_... : those of
        `intervals_of`.
    statistics_seed : of random permutations and resamples; with that of a workflow's configuration
        both give the same p-values and intervals.
    """
    entries: dict[str, Any] = {}
    if calculate_p_value:
        how = (p_value_test_type, p_value_method, p_value_iterations, p_value_verbose)
        entries |= p_value_of(outcome, *how, statistics_seed, digest)
    if calculate_intervals:
        resampling = (interval_level, interval_resamples, interval_method)
        entries |= intervals_of(outcome, *resampling, statistics_seed)
    return entries


def p_value_of(
    outcome: Outcome,
    test_type: str | None,
    method: str,
    iterations: int,
    verbose: bool,
    seed: int,
    digest: str,
) -> dict[str, Any]:
    """The entries p_value and permutation_test of a result dictionary.

    `permutation_test` holds the statistic tested, the measures whose p-value it is and the fields
    of `fairflow.statistics.permutation.PermutationTest`; or, under "reason", why p_value is NaN.

    Parameters
    ----------
    test_type : "right-sided", "left-sided", "two-sided", or None for the metric's usual one, as
        in the workflow: two-sided wherever both signs of a score mean association. A test that a
        metric makes itself has one alternative.
    method : "auto" (exact where that is feasible), "exact" or "approximate".
    iterations : random permutations. verbose : log what was tested.
    seed, digest : of random permutations; the digest is the query's.

    Raises
    ------
    ValueError : an unknown test type or method, fewer than one iteration, or too many
        permutations for "exact".
    TypeError : iterations is no whole number, or verbose neither True nor False.
    """
    _check(test_type, method, iterations, verbose)
    own = outcome.own_test
    if own is None:
        if (missing := _no_test(outcome)) or outcome.resampling is None:
            return {"p_value": math.nan, "permutation_test": {"reason": missing}}
        statistic = outcome.resampling()
        test = permutation_test(
            statistic,
            identity_generator(seed, "permutations", digest),
            TEST_TYPES[test_type] if test_type else None,
            method=method,
            permutations=iterations,
        )
        if verbose:
            logger.warning("%s: %s", statistic.tested, test)
        own = OwnTest(statistic.tested_measures, statistic.tested, test)
    found = {"statistic": own.statistic, "measures": list(own.measures)}
    return {"p_value": own.test.p_value, "permutation_test": found | asdict(own.test)}


def intervals_of(
    outcome: Outcome, level: float, resamples: int, method: str, seed: int
) -> dict[str, Any]:
    """The entries intervals, statistics and statistics_note of a result dictionary.

    For each measure the ends of its interval when target words are resampled ("targets"), and
    when attribute words are too ("targets_and_attributes"); NaN if there is no interval, see
    `fairflow.statistics.intervals.resampled_interval`. `statistics` is "ok", "few_words" or "none",
    as in the workflow's tables; the note, which is logged, says why, and why ends are missing.
    """
    nothing = (math.nan, math.nan)
    empty = {"targets": nothing, "targets_and_attributes": nothing}
    by_measure = {name: dict(empty) for name in outcome.measures}
    if outcome.status != "ok" or outcome.resampling is None:
        return {"intervals": by_measure, "statistics": "none", "statistics_note": _no_test(outcome)}
    statistic = outcome.resampling()
    resampled = resample(statistic, resamples, seed)
    notes: list[str | None] = []
    for kind, draws, sets in (
        ("targets", resampled.draws, len(statistic.targets)),
        ("targets_and_attributes", resampled.draws_both, None),
    ):
        for name, values in draws.items():
            left_out = resampled.left_out[name][:sets]
            ends = resampled_interval(outcome.measures[name], values, left_out, level, method)
            by_measure[name][kind] = (ends.low, ends.high)
            notes.append(ends.reason and f"{name}, {kind}: {ends.reason}")
    few = few_words(statistic)
    if few:
        logger.warning("%s", few)
    notes += [None if resampled.draws_both else statistic.attributes_fixed, few, NO_BAND]
    return {
        "intervals": by_measure,
        "statistics": "few_words" if few else "ok",
        "statistics_note": "; ".join(dict.fromkeys(filter(None, notes))),
    }


def _no_test(outcome: Outcome) -> str | None:
    """Why there is nothing to test, or None."""
    if outcome.status != "ok":
        return next(iter(outcome.reasons.values()), outcome.status)
    if outcome.resampling is None:
        return "the metric has no statistic for resampling"
    return outcome.resampling().untestable


def _check(test_type: Any, method: Any, iterations: Any, verbose: Any) -> None:
    if test_type not in (None, *TEST_TYPES):
        choices = ", ".join(TEST_TYPES)
        raise ValueError(f"p_value_test_type must be one of {choices}, got {test_type!r}")
    if method not in METHODS:
        raise ValueError(f"p_value_method must be one of {', '.join(METHODS)}, got {method!r}")
    if isinstance(iterations, bool) or not isinstance(iterations, (int, np.integer)):
        raise TypeError(f"p_value_iterations must be a whole number, got {iterations!r}")
    if iterations < 1:
        raise ValueError(f"p_value_iterations must be at least 1, got {iterations!r}")
    if not isinstance(verbose, bool):
        raise TypeError(f"p_value_verbose must be True or False, got {verbose!r}")


@dataclass(frozen=True)
class Reading:
    """What the values of a measure say.

    Attributes
    ----------
    fair : the value of a model without bias, on the scale of the tables; None if no value is fair.
    above : what values above the fair one say; "" where the sign says nothing.
    says : without `above` what the fair value says, and where no value is fair any value.
    of_pairs : values above the fair one say that the first targets go with the first attributes and
        the second with the second.
    published_shift : from the scale of the tables to the one on which values are published.
    """

    fair: float | None = None
    above: str = ""
    says: str = ""
    of_pairs: bool = False
    published_shift: float = 0

    def text(self, shift: float = 0) -> str:
        """A few words for an axis, on the scale that is shifted by a number; may be empty."""
        if self.fair is None:
            return self.says
        fair = f"{self.fair + shift:g}"
        return f"above {fair}: {self.above}" if self.above else f"{fair}: {self.says}"

    @property
    def facts(self) -> dict[str, Any]:
        """All of it as plain values, with the text."""
        return asdict(self) | {"text": self.text()}


def published_name(label: str, shift: float) -> str:
    """The label of a metric without the shift of its values: 'ss' of 'ss - 50'."""
    return label.replace(f" - {shift:g}", "", 1)
