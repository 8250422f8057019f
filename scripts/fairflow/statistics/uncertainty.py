"""What resampling says about the score of a query: its test, intervals and null band.

The null band holds scores of the same query with random words in place of its target words, after
Dobrzeniecka & Urbaniak 2024 (https://aclanthology.org/2024.cl-2.4), who show that random sets give
scores that are commonly read as bias.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairflow.statistics.bootstrap import Resampled, resample
from fairflow.statistics.intervals import (
    FEW_UNITS,
    Interval,
    percentile_interval,
    resampled_interval,
)
from fairflow.statistics.permutation import PermutationTest, columns_of_tests, permutation_tests
from fairflow.statistics.resampling_statistic import Measures, ResamplingStatistic, joined_draws
from fairflow.statistics.seeds import identity_generator


def sensitivity(
    value: float, left_out: Sequence[np.ndarray], names: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """The range of a value when any one word is left out, and the word that moves it most.

    Parameters
    ----------
    left_out : per set the values with each of its words left out; undefined ones do not count.
    names : per set the words.

    Returns
    -------
    loo_low, loo_high and influential_word, see `Uncertainty`; nothing where there is no range.
    """
    values = np.concatenate(left_out)
    words = [word for group in names for word in group]
    if math.isnan(value) or np.isnan(values).all():
        return {}
    most = words[int(np.nanargmax(np.abs(values - value)))]
    ends = {"loo_low": float(np.nanmin(values)), "loo_high": float(np.nanmax(values))}
    return ends | {"influential_word": most}


# Of random exchanges and resamples, wherever none is given.
DEFAULT_SEED = 2020


@dataclass(frozen=True)
class Statistics:
    """Settings of every test and interval, the same for all cells, as the schema has them.

    Attributes
    ----------
    exact_up_to : a test lists all exchanges when there are no more than these.
    permutations : random exchanges otherwise.
    largest_work : numbers that a test may go through; above, it draws fewer random exchanges.
    resamples : of the words, for intervals.
    interval : "bca" or "percentile". level : of intervals and null bands.
    joint_draws : resamples that are kept, to compare models in the same draws.
    random_sets : random target sets for the null band.
    random_words : words of the model that they are drawn from.
    """

    exact_up_to: int = 3_000_000
    permutations: int = 100_000
    largest_work: int = 50_000_000
    resamples: int = 5_000
    interval: str = "bca"
    level: float = 0.95
    joint_draws: int = 1_000
    random_sets: int = 1_000
    random_words: int = 400

    def __post_init__(self) -> None:
        if not 0 <= self.joint_draws <= self.resamples:
            raise ValueError(
                f"joint_draws must lie between 0 and resamples ({self.resamples}), "
                f"got {self.joint_draws!r}"
            )


def random_scores(
    statistic: ResamplingStatistic, per_word: int, sets: int, generator: np.random.Generator
) -> Measures:
    """Each measure over random target sets: (sets,).

    Parameters
    ----------
    statistic : of random words, `per_word` consecutive units in place of each target word; a random
        set takes one of them for each.
    """
    places = statistic.n_units // per_word
    chosen = generator.integers(0, per_word, (sets, places)) + np.arange(places) * per_word
    taken = np.zeros((sets, statistic.n_units), np.float32 if statistic.single else float)
    np.put_along_axis(taken, chosen, 1, axis=1)
    observed = [weights.astype(taken.dtype) for weights in statistic.observed]
    return joined_draws(
        [
            statistic.measures(
                [weights * taken[start : start + statistic.chunk] for weights in observed]
            )
            for start in range(0, sets, statistic.chunk)
        ]
    )


def null_band(value: float, scores: np.ndarray, level: float = 0.95) -> dict[str, Any]:
    """The range of the scores of random target sets, and the place of the query's own value in it.

    Returns
    -------
    null_band_low, null_band_high : ends of the central band of `level`. p_null_band : share of the
    random sets, the query itself counted as one, whose score is at least as far from their median.
    Only those that are defined.
    """
    scores = scores[~np.isnan(scores)]
    if not scores.size:
        return {}
    low, high = percentile_interval(scores, level)
    middle = float(np.quantile(scores, 0.5))
    band = {"null_band_low": low, "null_band_high": high}
    if math.isnan(value):
        return band
    as_far = np.count_nonzero(np.abs(scores - middle) >= abs(value - middle))
    return band | {"p_null_band": float((1 + as_far) / (1 + scores.size))}


@dataclass(frozen=True)
class Uncertainty:
    """The statistical columns of one measure; a number that cannot be had is NaN or None.

    Attributes
    ----------
    p_value, alternative, p_method, p_statistic, n_permutations, p_smallest, p_error, p_normal,
    null_mean, null_sd : see `fairflow.statistics.permutation.PermutationTest`; p_statistic is
        what was tested, n_permutations a number that may be beyond 64 bits. Only of the measures
        that the statistic tests, see `ResamplingStatistic.tested_measures`.
    tests : one test for each alternative, all of the same exchanges, with alternative, p_value,
        p_method, p_smallest, p_error and p_normal; the columns above are those of one of them.
    ci_low, ci_high : interval over target words; ci_low_both, ci_high_both : over target and
        attribute words, and over templates if units are crossed with them; ci_low_factors,
        ci_high_factors : over those alone, NaN without them. ci_method, ci_level, n_resamples :
        how.
    null_band_low, null_band_high, p_null_band, n_random_sets : null band of random target sets, see
        `fairflow.statistics.uncertainty`. frequency_source : where the word
        frequencies come from that random and target words share, see
        `fairflow.vectors.word_frequency`.
    loo_low, loo_high, influential_word : range when one word is left out, and the word that moves
        the value most.
    least, most : the limits of the measure, NaN of a measure without limits.
    statistics : "ok", "few_words" (an interval over fewer than 10 words of a set, which is
        rough) or "none".
    statistics_note : why numbers are missing or to be doubted.
    draws : the first joint resamples of the value, over target and attribute words if possible,
        moved and scaled as for its interval (`fairflow.statistics.bootstrap`): their mean is the
        value, and their spread that over other words. Draw b of every score is of the same words.
    """

    p_value: float = math.nan
    alternative: str | None = None
    p_method: str | None = None
    p_statistic: str | None = None
    n_permutations: float = math.nan
    p_smallest: float = math.nan
    p_error: float = math.nan
    p_normal: float = math.nan
    null_mean: float = math.nan
    null_sd: float = math.nan
    tests: list[dict[str, Any]] = field(default_factory=list)
    ci_low: float = math.nan
    ci_high: float = math.nan
    ci_low_both: float = math.nan
    ci_high_both: float = math.nan
    ci_low_factors: float = math.nan
    ci_high_factors: float = math.nan
    ci_method: str | None = None
    ci_level: float = math.nan
    n_resamples: int | None = None
    null_band_low: float = math.nan
    null_band_high: float = math.nan
    p_null_band: float = math.nan
    n_random_sets: int | None = None
    frequency_source: str | None = None
    loo_low: float = math.nan
    loo_high: float = math.nan
    influential_word: str | None = None
    least: float = math.nan
    most: float = math.nan
    statistics: str = "none"
    statistics_note: str | None = None
    draws: list[float] = field(default_factory=list)


def quantify(
    statistic: ResamplingStatistic,
    values: Mapping[str, float],
    settings: Statistics,
    seed: int,
    cell: Sequence[str],
    alternative: str | None = None,
    random_words: tuple[ResamplingStatistic, int, str | None] | str = "no random words",
) -> dict[str, Uncertainty]:
    """Tests, intervals, null band and sensitivity of every measure that the statistic gives.

    Parameters
    ----------
    values : the measures as computed.
    seed, cell : seeds of random numbers: the study's, and what identifies the cell.
    alternative : of the test; the statistic's own by default.
    random_words : a statistic of random words, their number for each target word and the source of
        their frequencies; or why they are missing.
    """
    how = settings.resamples, seed
    resampled = resample(statistic, *how)
    factors = resample(over, *how) if (over := statistic.over_factors) else None
    tests: dict[str, PermutationTest] | str = statistic.untestable or permutation_tests(
        statistic,
        identity_generator(seed, "permutations", *cell),
        exact_up_to=settings.exact_up_to,
        permutations=settings.permutations,
        largest_work=settings.largest_work,
    )
    null: Measures = {}
    if not isinstance(random_words, str):
        generator = identity_generator(seed, "random sets", *cell)
        null = random_scores(*random_words[:2], settings.random_sets, generator)
    found = _Found(statistic, settings, alternative, tests, resampled, factors, null, random_words)
    return {name: found.columns(name, values[name]) for name in resampled.draws if name in values}


@dataclass(frozen=True)
class _Found:
    """The tests and draws of a cell, from which the columns of each measure are made."""

    statistic: ResamplingStatistic
    settings: Statistics
    alternative: str | None
    tests: Mapping[str, PermutationTest] | str
    resampled: Resampled
    factors: Resampled | None
    null: Mapping[str, np.ndarray]
    random_words: tuple[ResamplingStatistic, int, str | None] | str

    def columns(self, name: str, value: float) -> Uncertainty:
        """Those of a measure."""
        statistic, settings = self.statistic, self.settings
        null, resampled = self.null, self.resampled
        how = settings.level, settings.interval
        left_out = resampled.left_out[name]
        n_targets = len(statistic.targets)
        alone = resampled_interval(value, resampled.draws[name], left_out[:n_targets], *how)
        both = Interval(reason=statistic.attributes_fixed)
        if name in resampled.draws_both:
            both = resampled_interval(value, resampled.draws_both[name], left_out, *how)
        of_factors = Interval()
        if self.factors:
            draws, without = self.factors.draws[name], self.factors.left_out[name]
            of_factors = resampled_interval(value, draws, without, *how)
        strata = [*statistic.targets, *statistic.attributes]
        moved = sensitivity(value, left_out, [stratum.names for stratum in strata])
        band = null_band(value, null[name], settings.level) if name in null else {}
        few = few_words(statistic)
        lone = not moved and not math.isnan(value)
        draws = resampled.draws_both.get(name, resampled.draws[name])
        lost = int(np.isnan(draws).sum())
        test_columns, test_notes = self._test(name)
        least, most = (end if math.isfinite(end) else math.nan for end in statistic.limits(name))
        notes = [
            *test_notes,
            alone.reason,
            both.reason,
            f"{lost} of {len(draws)} resamples have no value and are left out" if lost else None,
            f"no null band: {self.random_words}" if isinstance(self.random_words, str) else None,
            "random words give no value" if name in null and not band else None,
            "leaving out any word leaves no value" if lone else None,
            statistic.note,
            few,
        ]
        return Uncertainty(
            **test_columns,
            **band,
            **moved,
            ci_low=alone.low,
            ci_high=alone.high,
            ci_low_both=both.low,
            ci_high_both=both.high,
            ci_low_factors=of_factors.low,
            ci_high_factors=of_factors.high,
            ci_method=settings.interval,
            ci_level=settings.level,
            n_resamples=settings.resamples,
            n_random_sets=settings.random_sets if name in null else None,
            frequency_source=self.random_words[2] if name in null else None,
            least=least,
            most=most,
            statistics="few_words" if few else "ok",
            statistics_note="; ".join(dict.fromkeys(filter(None, notes))) or None,
            draws=draws[: settings.joint_draws].tolist(),
        )

    def _test(self, name: str) -> tuple[dict[str, Any], list[str]]:
        """The columns of the test of a measure, and notes on it."""
        statistic, tests = self.statistic, self.tests
        if isinstance(tests, str):
            return {}, [tests]
        if name not in statistic.tested_measures:
            return {}, [f"no test of this measure: exchanged was the {statistic.tested}"]
        test = tests[self.alternative or statistic.alternative]
        notes = []
        if not statistic.free.all() and statistic.exchanged == "labels":
            units = zip(statistic.units, statistic.free, strict=True)
            shared = {unit for unit, free in units if not free}
            notes.append(f"{len(shared)} words are in several target sets and are not exchanged")
        if math.isnan(test.p_normal):
            notes.append("p_normal: no exchange changes the statistic")
        return columns_of_tests(statistic.tested, test, tests.values()), notes


def few_words(statistic: ResamplingStatistic) -> str | None:
    """A note on intervals over few words, or None."""
    if min(len(stratum) for stratum in (*statistic.targets, *statistic.attributes)) >= FEW_UNITS:
        return None
    return f"a set has fewer than {FEW_UNITS} {statistic.unit}: intervals are rough"
