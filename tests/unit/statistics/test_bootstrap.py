"""Intervals over words: what is drawn, and the limits of scipy for the same draws."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from fairflow.metrics.ect import ECT
from fairflow.metrics.rnd import RND
from fairflow.metrics.weat import WEAT
from fairflow.statistics.bootstrap import draw, left_out, resample
from fairflow.statistics.intervals import degrees_of_freedom, resampled_interval, student_quantile

from .word_sets import Mean, Untested, sets_of, stratum, words


@dataclass(frozen=True)
class Counts(Untested):
    """How often each word is drawn: a measure for each unit of targets and attributes."""

    targets: tuple
    attributes: tuple = ()

    def measures(self, targets, attributes=None):
        drawn = {name: sum(targets)[:, i] for i, name in enumerate(self.units)}
        ones = [np.ones((1, len(own))) for own in self.attributes]
        for own, weights in zip(self.attributes, attributes or ones, strict=True):
            drawn |= {name: weights[:, i] for i, name in enumerate(own.names)}
        return drawn


LETTERS = tuple("abcdefgh")
FIRST, SECOND = stratum(*LETTERS[:5]), stratum(*LETTERS[5:])


def drawn(statistic, number=600, seed=1):
    return draw(statistic, number, seed)[0]


def test_every_word_is_drawn_as_often_as_another():
    counts = drawn(Counts((FIRST,)), 20_000)
    for name in FIRST.names:
        # Binomial, 5 of 1/5 each: mean 1, variance 4/5.
        assert counts[name].mean() == pytest.approx(1, abs=4 * math.sqrt(0.8 / 20_000))
        assert counts[name].var() == pytest.approx(0.8, rel=0.05)


def test_a_set_is_drawn_alike_whatever_stands_beside_it():
    alone, beside = drawn(Counts((FIRST,))), drawn(Counts((SECOND, FIRST)))
    _, attribute = draw(Counts((SECOND,), (FIRST,)), 600, seed=1)
    for name in FIRST.names:
        assert (alone[name] == beside[name]).all()
        assert (alone[name] == attribute[name]).all()


def test_a_lost_word_is_replaced_by_one_that_the_model_holds():
    whole = drawn(Counts((FIRST,)), 5_000)
    lossy = drawn(Counts((stratum(*LETTERS[:5], lost="b"),)), 5_000)
    assert set(lossy) == set("acde")
    assert (sum(lossy.values()) == 4).all()
    for name in "acde":
        assert lossy[name].mean() == pytest.approx(1, abs=4 * math.sqrt(0.75 / 5_000))
    # In the fourth place and before it, the words drawn are those of the whole set but for b:
    # a resample without b differs only by its fifth word.
    same = whole["b"] == 0
    difference = sum(np.abs(whole[name] - lossy[name])[same] for name in "acde")
    assert (difference == 1).all()


def test_each_word_is_left_out_once_of_its_own_set():
    without = left_out(Counts((FIRST, SECOND), (stratum("p", "q"),)))
    assert without["b"][0].tolist() == [1, 0, 1, 1, 1]
    assert without["b"][1].tolist() == [1, 1, 1]
    assert without["q"][2].tolist() == [1, 0]


METRICS = {
    "weat": (WEAT(), "weat", (9, 7, 5, 6)),
    "effect size": (WEAT(), "effect_size", (12, 12, 5, 6)),
    "rnd": (RND(), "rnd", (10, 8, 12)),
    "ect": (ECT(), "ect", (8, 8, 9)),
}


class Drawn:
    """Draws in the form in which scipy continues a bootstrap."""

    def __init__(self, draws):
        self.bootstrap_distribution = draws


def wider(level, without):
    """The level at which normal quantiles are Student's at this one."""
    return 2 * stats.norm.cdf(student_quantile((1 + level) / 2, degrees_of_freedom(without))) - 1


def scipy_interval(samples, statistic, draws, method, level):
    found = stats.bootstrap(
        samples,
        statistic,
        n_resamples=0,
        vectorized=False,
        confidence_level=level,
        method=method,
        bootstrap_result=Drawn(draws),
    )
    return tuple(found.confidence_interval)


def test_the_quantile_of_student_is_exact_to_three_decimals_from_four_degrees_on():
    for share, degrees in ((0.9, 4), (0.975, 4), (0.975, 5), (0.025, 12), (0.975, 100)):
        exact = stats.t.ppf(share, degrees)
        assert student_quantile(share, degrees) == pytest.approx(exact, abs=1e-3)


@pytest.mark.parametrize("case", METRICS)
@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize("level", [0.95, 0.8])
@pytest.mark.parametrize("attributes_too", [False, True])
def test_limits_are_those_of_scipy_for_the_same_draws(case, method, level, attributes_too):
    metric, measure, sizes = METRICS[case]
    sets = sets_of(sizes)
    outcome = metric.compute(sets[:2], sets[2:])
    resampled = resample(outcome.resampling(), 700, seed=4)
    draws = (resampled.draws_both if attributes_too else resampled.draws)[measure]
    chosen = sets if attributes_too else sets[:2]

    def statistic(*rows):
        picked = [words(s.name, s.vectors[list(i)]) for s, i in zip(chosen, rows, strict=True)]
        picked += sets[len(chosen) :]
        return metric.compute(picked[:2], picked[2:]).measures[measure]

    samples = [range(len(s.words)) for s in chosen]
    without = resampled.left_out[measure][: len(chosen)]
    value = outcome.measures[measure]
    if case == "ect":
        # scipy compares with ==, which rounding makes a matter of luck for values as few as ranks.
        value, draws = round(value, 9), np.round(draws, 9)
        statistic_as_is = statistic

        def statistic(*rows):
            return round(statistic_as_is(*rows), 9)

    found = resampled_interval(value, draws, without, level, method)
    expected = scipy_interval(samples, statistic, draws, method, wider(level, without))
    # scipy leaves equal draws where they are.
    off = 0.01 if case == "ect" else 1e-9
    assert (found.low, found.high) == pytest.approx(expected, abs=off)
    assert found.reason is None


def test_limits_agree_with_an_independent_bootstrap_of_scipy():
    sets = sets_of((20, 20, 6, 6), seed=2)
    outcome = WEAT().compute(sets[:2], sets[2:])
    statistic = outcome.resampling()
    s = statistic.contributions
    draws, without = drawn(statistic, 20_000, seed=5), left_out(statistic)["effect_size"][:2]
    found = resampled_interval(outcome.measures["effect_size"], draws["effect_size"], without)

    def effect_size(first, second, axis=-1):
        pooled = np.concatenate([first, second], axis=axis)
        return (first.mean(axis=axis) - second.mean(axis=axis)) / pooled.std(axis=axis, ddof=1)

    expected = stats.bootstrap(
        (s[:20], s[20:]),
        effect_size,
        n_resamples=20_000,
        confidence_level=wider(0.95, without),
        random_state=np.random.default_rng(6),
    )
    limits = expected.confidence_interval
    assert (found.low, found.high) == pytest.approx(tuple(limits), abs=0.03)
    assert draws["effect_size"].std() == pytest.approx(expected.standard_error, rel=0.03)


def test_the_interval_of_a_share_does_not_hang_on_one_word_and_lies_about_where_wilson_has_it():
    statistic = Mean((stratum(*map(str, range(120))),), 100.0 * (np.arange(120) < 66))
    found = [resample(statistic, 5_000, seed) for seed in range(8)]
    ends = [resampled_interval(55.0, one.draws["mean"], one.left_out["mean"]) for one in found]
    ends = np.array([(one.low, one.high) for one in ends])
    of_one_word = 100 / 120
    wilson = stats.binomtest(66, 120).proportion_ci(method="wilson")
    assert np.ptp(ends, axis=0).max() < of_one_word
    assert np.abs(ends - 100 * np.array(wilson)).max() < of_one_word


@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize(
    ("value", "draws", "reason"),
    [
        (math.nan, [1.0, 2.0], "the value itself is undefined"),
        (1.0, [1.0] * 9, "resampling the words does not change the value"),
        (0.3, [0.1 + 0.2, 0.3, 0.3], "resampling the words does not change the value"),
        (1.0, [math.nan] * 9, "resampling the words does not change the value"),
    ],
)
def test_an_interval_that_cannot_be_had_says_why(value, draws, reason, method):
    found = resampled_interval(value, np.array(draws), [np.array([1.0, 2.0])], method=method)
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert found.reason == reason


def test_each_set_is_resampled_to_its_own_size():
    counts = drawn(Counts((FIRST, SECOND)))
    assert (sum(counts[name] for name in LETTERS[:5]) == 5).all()
    assert (sum(counts[name] for name in LETTERS[5:]) == 3).all()


def test_draws_do_not_depend_on_how_many_are_evaluated_together(monkeypatch):
    together = drawn(Counts((FIRST,)))
    monkeypatch.setattr(Counts, "chunk", 7)
    for name, values in drawn(Counts((FIRST,))).items():
        assert (values == together[name]).all()
