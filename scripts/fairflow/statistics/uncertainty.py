"""Everything that resampling says about one (sub-)query: the statistical columns of its rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairflow.statistics.bootstrap import FEW_WORDS, Interval, Resampled, interval, resample
from fairflow.statistics.kernel import Kernel
from fairflow.statistics.permutation import PermutationTest, permutation_tests
from fairflow.statistics.random_sets import NullBand, null_band, random_scores
from fairflow.statistics.seeds import identity_generator
from fairflow.statistics.sensitivity import Sensitivity, sensitivity
from fairflow.statistics.settings import Statistics


@dataclass(frozen=True)
class Uncertainty:
    """The statistical columns of one measure; a number that cannot be had is NaN or None.

    Attributes
    ----------
    p_value, p_side, p_method, p_statistic, n_permutations, p_smallest, p_error, p_normal,
    null_mean, null_sd : see `fairflow.statistics.permutation.PermutationTest`; p_statistic is
        what was tested, n_permutations a number that may be beyond 64 bits. Only of the measures
        that the statistic tests, see `Kernel.tested_measures`.
    tests : p_side, p_value, p_method, p_smallest, p_error and p_normal of the test of each side,
        all of the same exchanges; those above are of one of them.
    ci_low, ci_high : interval over target words; ci_low_both, ci_high_both : over target and
        attribute words, and over templates if units are crossed with them; ci_low_factors,
        ci_high_factors : over those alone, NaN without them. ci_method, ci_level, n_resamples :
        how.
    random_low, random_high, p_random, n_random : null band of random target sets, see
        `fairflow.statistics.random_sets`. random_source : what told that random words are as
        frequent as the target words, see `fairflow.vectors.word_frequency`.
    loo_low, loo_high, influential_word : range when one word is left out, and the word that moves
        the value most.
    statistics : "ok", "few_words" (an interval over fewer than 10 words of a set, which is
        rough) or "none".
    statistics_note : why numbers are missing or to be doubted.
    draws : the first joint resamples of the value, over target and attribute words if possible,
        moved and scaled as for its interval (`fairflow.statistics.bootstrap`): their mean is the
        value, and their spread that over other words. Draw b of every score is of the same words.
    """

    p_value: float = math.nan
    p_side: str | None = None
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
    random_low: float = math.nan
    random_high: float = math.nan
    p_random: float = math.nan
    n_random: int | None = None
    random_source: str | None = None
    loo_low: float = math.nan
    loo_high: float = math.nan
    influential_word: str | None = None
    statistics: str = "none"
    statistics_note: str | None = None
    draws: list[float] = field(default_factory=list)


def quantify(
    kernel: Kernel,
    values: Mapping[str, float],
    settings: Statistics,
    seed: int,
    cell: Sequence[str],
    side: str | None = None,
    random_words: tuple[Kernel, int, str | None] | str = "no random words",
) -> dict[str, Uncertainty]:
    """Tests, intervals, null band and sensitivity of every measure that the kernel gives.

    Parameters
    ----------
    values : the measures as computed.
    seed, cell : seeds of random numbers: the study's, and what identifies the cell.
    side : of the test; the kernel's own by default.
    random_words : a kernel of random words, how many stand for each target word and what tells
        their frequency; or why there are none.
    """
    tests = _tests(kernel, settings, seed, cell)
    of_side = tests if isinstance(tests, str) else (side or kernel.side, tests)
    resampled = resample(kernel, settings.resamples, seed)
    factors = kernel.over_factors and resample(kernel.over_factors, settings.resamples, seed)
    null: dict[str, np.ndarray] = {}
    if not isinstance(random_words, str):
        generator = identity_generator(seed, "random sets", *cell)
        null = random_scores(*random_words[:2], settings.random_sets, generator)
    return {
        name: _columns(
            kernel,
            values[name],
            name,
            _test_of(kernel, name, of_side),
            resampled,
            factors,
            null,
            settings,
            random_words,
        )
        for name in resampled.draws
        if name in values
    }


# A side, and the test of each; or why there is none.
_Tests = tuple[str, Mapping[str, PermutationTest]] | str


def _tests(
    kernel: Kernel, settings: Statistics, seed: int, cell: Sequence[str]
) -> dict[str, PermutationTest] | str:
    return kernel.untestable or permutation_tests(
        kernel,
        identity_generator(seed, "permutations", *cell),
        exact_up_to=settings.exact_up_to,
        permutations=settings.permutations,
        largest_work=settings.largest_work,
    )


def _test_of(kernel: Kernel, measure: str, tests: _Tests) -> _Tests:
    """The tests, if they are of this measure, or why there is none."""
    if isinstance(tests, str) or measure in kernel.tested_measures:
        return tests
    return f"no test of this measure: exchanged was the {kernel.tested}"


def _columns(
    kernel: Kernel,
    value: float,
    name: str,
    tests: _Tests,
    resampled: Resampled,
    factors: Resampled | None,
    null: Mapping[str, np.ndarray],
    settings: Statistics,
    random_words: Any,
) -> Uncertainty:
    how = settings.level, settings.interval
    left_out = resampled.left_out[name]
    n_targets = len(kernel.targets)
    alone = interval(value, resampled.draws[name], left_out[:n_targets], *how)
    both = Interval(reason=kernel.attributes_fixed)
    if name in resampled.draws_both:
        both = interval(value, resampled.draws_both[name], left_out, *how)
    of_factors = Interval()
    if factors:
        of_factors = interval(value, factors.draws[name], factors.left_out[name], *how)
    strata = [*kernel.targets, *kernel.attributes]
    moved = sensitivity(value, left_out, [stratum.names for stratum in strata])
    band = null_band(value, null[name], settings.level) if name in null else NullBand()
    few = few_words(kernel)
    lone = math.isnan(moved.low) and not math.isnan(value)
    notes = [
        *_test_notes(kernel, tests),
        alone.reason,
        both.reason,
        _undefined_resamples(resampled, name),
        f"no null band: {random_words}" if isinstance(random_words, str) else None,
        "random words give no value" if name in null and math.isnan(band.low) else None,
        "leaving out any word leaves no value" if lone else None,
        f"a set has fewer than {FEW_WORDS} {kernel.unit}: intervals are rough" if few else None,
    ]
    kept = resampled.draws_both.get(name, resampled.draws[name])[: settings.joint_draws]
    return Uncertainty(
        **_test_columns(kernel, tests),
        ci_low=alone.low,
        ci_high=alone.high,
        ci_low_both=both.low,
        ci_high_both=both.high,
        ci_low_factors=of_factors.low,
        ci_high_factors=of_factors.high,
        ci_method=settings.interval,
        ci_level=settings.level,
        n_resamples=settings.resamples,
        random_low=band.low,
        random_high=band.high,
        p_random=band.p_random,
        n_random=settings.random_sets if name in null else None,
        random_source=random_words[2] if name in null else None,
        **_sensitivity_columns(moved),
        statistics="few_words" if few else "ok",
        statistics_note="; ".join(dict.fromkeys(filter(None, notes))) or None,
        draws=kept.tolist(),
    )


def few_words(kernel: Kernel) -> str | None:
    """What to say of intervals over so few words, or None."""
    if min(len(stratum) for stratum in (*kernel.targets, *kernel.attributes)) >= FEW_WORDS:
        return None
    return f"a set has fewer than {FEW_WORDS} {kernel.unit}: intervals are rough"


def _test_notes(kernel: Kernel, tests: _Tests) -> list[str]:
    if isinstance(tests, str):
        return [tests]
    side, of_sides = tests
    notes = []
    if not kernel.free.all() and kernel.exchanged == "labels":
        shared = {name for name, free in zip(kernel.units, kernel.free, strict=True) if not free}
        notes.append(f"{len(shared)} words stand in several target sets and are not exchanged")
    if math.isnan(of_sides[side].p_normal):
        notes.append("p_normal: no exchange changes the statistic")
    return notes


def _undefined_resamples(resampled: Resampled, name: str) -> str | None:
    draws = resampled.draws_both.get(name, resampled.draws[name])
    count = int(np.isnan(draws).sum())
    return f"{count} of {len(draws)} resamples have no value and are left out" if count else None


def _sensitivity_columns(sensitivity: Sensitivity) -> dict[str, Any]:
    return {
        "loo_low": sensitivity.low,
        "loo_high": sensitivity.high,
        "influential_word": sensitivity.word,
    }


def _test_columns(kernel: Kernel, tests: _Tests) -> dict[str, Any]:
    if isinstance(tests, str):
        return {}
    side, of_sides = tests
    test = of_sides[side]
    return {
        **_of_side(test),
        "p_statistic": kernel.tested,
        "n_permutations": float(test.n_permutations),
        "null_mean": test.null_mean,
        "null_sd": test.null_sd,
        "tests": [_of_side(one) for one in of_sides.values()],
    }


def _of_side(test: PermutationTest) -> dict[str, Any]:
    """The columns that depend on the side."""
    return {
        "p_side": test.side,
        "p_value": test.p_value,
        "p_method": test.method,
        "p_smallest": test.smallest,
        "p_error": test.error,
        "p_normal": test.p_normal,
    }
