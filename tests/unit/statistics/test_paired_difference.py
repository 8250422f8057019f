"""A measure in two models: the difference over the same resampled words."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairflow.metrics.rnd import RND
from fairflow.metrics.rnsb import RNSB
from fairflow.metrics.weat import WEAT
from fairflow.statistics.bootstrap import resample
from fairflow.statistics.intervals import STUDENT, resampled_interval
from fairflow.statistics.paired_difference import (
    EVERY_SET,
    TARGETS,
    PairedStatistic,
    p_of_zero,
    pair,
    paired_difference,
)
from fairflow.statistics.resampling_statistic import weighted_means
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import WordVectors

from .word_sets import Untested, numbered, stratum, words

FEW = Statistics(resamples=200, joint_draws=0)


SETTINGS = Statistics(resamples=2000)


@dataclass(frozen=True)
class Means(Untested):
    """The mean of a number of each word."""

    numbers: np.ndarray
    attributes = ()

    @property
    def targets(self):
        return [stratum(*numbered("w", len(self.numbers)))]

    def measures(self, targets, attributes=None):
        return {"mean": weighted_means(self.numbers[np.newaxis], targets[0])}


def of_means(before, after, settings=SETTINGS, seed=1):
    before, after = np.array(before, dtype=float), np.array(after, dtype=float)
    statistic = pair(Means(before), Means(after), "mean")
    return paired_difference(statistic, before.mean(), after.mean(), settings, seed)


def sets(random, n, dims=6):
    x, y, a, b = (words(name, random.normal(size=(n, dims))) for name in "xyab")
    return [x, y], [a, b]


def moved(of_sets, step):
    return [WordVectors(s.name, s.words, s.form_of, step(s.vectors), s.asked) for s in of_sets]


def test_the_difference_is_of_the_same_words_not_of_two_samples():
    # Words differ by hundreds, models by about 1: whoever resampled them apart would see nothing.
    random = np.random.default_rng(1)
    before = random.normal(0, 300, 40)
    after = before + random.normal(1, 0.5, 40)
    found = of_means(before, after)
    error = np.std(after - before, ddof=1) / math.sqrt(40)
    assert found["difference"] == pytest.approx((after - before).mean())
    assert found["difference_high"] - found["difference_low"] == pytest.approx(
        2 * 2.02 * error, rel=0.1
    )
    assert found["before_low"] < found["after"] < found["before_high"]
    assert found["p_value"] == pytest.approx(2 / 2001)


def test_by_hand_of_four_words():
    found = of_means([4, 4, 8, 8], [1, 3, 2, 6])
    assert found["before"] == 6
    assert found["after"] == 3
    assert found["difference"] == found["absolute_difference"] == -3
    # Differences of the words: -3, -1, -6, -2, all below 0: so is every resample.
    assert found["difference_high"] < 0
    # Student's t is 3 over the root of 14 / 3 / 4; so few words count as having four degrees.
    expected = 2 * stats.t.sf(3 / math.sqrt(14 / 12), 4)
    assert (found["resampled"], found["p_value"]) == (TARGETS, pytest.approx(expected, rel=0.01))


def test_what_rounding_does_is_no_difference():
    random = np.random.default_rng(3)
    targets, attributes = sets(random, 8)
    single = [moved(group, lambda v: v.astype(np.float32) / 3) for group in (targets, attributes)]
    before, after = WEAT().compute(targets, attributes), WEAT().compute(*single)
    statistic = pair(before.resampling(), after.resampling(), "weat")
    found = paired_difference(
        statistic, before.measures["weat"], after.measures["weat"], SETTINGS, 1
    )
    assert 0 < abs(found["difference"]) < 1e-6
    assert found["difference_low"] <= found["difference"] <= found["difference_high"]
    assert found["p_value"] == 1
    assert "nothing but rounding differs" in found["note"]


def test_the_values_have_the_intervals_that_the_scores_of_each_model_have():
    targets, attributes = sets(np.random.default_rng(4), 12)
    outcome = WEAT().compute(targets, attributes)
    turned = WEAT().compute(targets, attributes[::-1])
    statistic = pair(outcome.resampling(), outcome.resampling(), "weat")
    assert isinstance(statistic, PairedStatistic)
    found = paired_difference(statistic, *[outcome.measures["weat"]] * 2, SETTINGS, 7)
    alone = resample(outcome.resampling(), SETTINGS.resamples, 7)
    ends = resampled_interval(
        outcome.measures["weat"], alone.draws_both["weat"], alone.left_out["weat"]
    )
    assert found["resampled"] == EVERY_SET
    assert (found["before_low"], found["before_high"]) == pytest.approx((ends.low, ends.high))
    # Attribute sets in the other order are other words in their place.
    assert "same units" in pair(outcome.resampling(), turned.resampling(), "weat")


def test_the_p_value_is_where_students_interval_reaches_zero():
    before = np.random.default_rng(5).normal(0, 1, 20)
    after = before + np.random.default_rng(6).normal(0.1, 1, 20)
    statistic = pair(Means(before), Means(after), "mean")
    value = after.mean() - before.mean()
    resampled = resample(statistic, 2000, 1)
    draws, left_out = resampled.draws["difference"], resampled.left_out["difference"]
    p = p_of_zero(value, draws, left_out)
    assert 0.01 < p < 0.99
    just_out, just_in = (
        resampled_interval(value, draws, left_out, 1 - q, STUDENT) for q in (p + 1e-6, p - 1e-6)
    )
    assert just_out.low > 0
    assert just_in.low <= 0


@pytest.mark.parametrize("seed", range(4))
def test_of_means_the_p_value_is_that_of_the_paired_t_test(seed):
    random = np.random.default_rng(seed)
    before = random.exponential(1, 24)
    after = before + random.exponential(1, 24) - 0.7
    found = of_means(before, after)
    expected = stats.ttest_rel(after, before).pvalue
    assert found["p_value"] == pytest.approx(max(expected, 2 / 2001), rel=0.02)


def test_a_change_of_sign_is_a_difference_and_no_reduction():
    numbers = np.linspace(1, 2, 20)
    found = of_means(numbers, -np.roll(numbers, 7))
    assert found["difference"] == pytest.approx(-3)
    assert found["difference_high"] < 0
    assert found["absolute_difference"] == pytest.approx(0)
    assert found["absolute_difference_low"] <= 0 <= found["absolute_difference_high"]


@given(st.integers(0, 2**32 - 1), st.sampled_from(["weat", "rnd", "rnsb"]))
def test_a_model_beside_itself_differs_by_nothing(seed, name):
    targets, attributes = sets(np.random.default_rng(seed), 5)
    metric, parameters, measure = {
        "weat": (WEAT(), {}, "effect_size"),
        "rnd": (RND(), {}, "rnd"),
        "rnsb": (RNSB(), {"holdout": False}, "rnsb"),
    }[name]
    outcome = metric.compute(targets, attributes[: metric.metric_template[1]], **parameters)
    value = outcome.measures[measure]
    statistic = pair(outcome.resampling(), outcome.resampling(), measure)
    found = paired_difference(statistic, value, value, FEW, seed)
    assert {value for name, value in found.items() if "difference" in name} == {0}
    assert found["p_value"] == 1
