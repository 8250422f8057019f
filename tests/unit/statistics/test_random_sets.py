"""The null band: scores of random words in the place of the target words."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from fairflow.metrics.ripa import RIPA
from fairflow.metrics.weat import WEAT
from fairflow.statistics.uncertainty import null_band, random_scores

from .word_sets import sets_of, words


def scores_of(statistic, per_word, sets=500, seed=1):
    return random_scores(statistic, per_word, sets, np.random.default_rng(seed))


def test_a_random_set_takes_one_random_word_for_each_target_word():
    targets, attributes = sets_of((2, 1)), sets_of((3, 4), seed=1)
    # Two random words for each of 2 + 1 target words.
    others = sets_of((4, 2), seed=2)
    outcome = WEAT().compute(targets, attributes)
    found = scores_of(outcome.resampling(others), 2)
    expected = []
    for i, j, k in product((0, 1), (2, 3), (0, 1)):
        chosen = [words("x", others[0].vectors[[i, j]]), words("y", others[1].vectors[[k]])]
        expected.append(WEAT().compute(chosen, attributes).measures)
    for name, values in found.items():
        possible = np.array([measures[name] for measures in expected])
        distances = np.abs(values[:, np.newaxis] - possible)
        assert distances.min(axis=1).max() < 1e-9
        # Each of the eight sets is drawn about as often as another.
        counts = np.bincount(distances.argmin(axis=1), minlength=8)
        assert stats.chisquare(counts).pvalue > 1e-3


def test_the_random_words_of_a_pair_stay_paired():
    targets, (attribute,) = sets_of((2, 2)), sets_of((4,), seed=1)
    others = sets_of((6, 6), seed=2)
    statistic = RIPA().compute(targets, [attribute]).resampling(others)
    found = scores_of(statistic, 3)["ripa"]
    possible = np.array(
        [
            RIPA().compute([words("", o.vectors[[i, 3 + j]]) for o in others], [attribute]).result
            for i, j in product(range(3), range(3))
        ]
    )
    assert np.abs(found[:, np.newaxis] - possible).min(axis=1).max() < 1e-9
    assert len(np.unique(found.round(9))) == 9


def test_the_band_is_the_central_part_of_the_scores():
    scores = np.arange(1001.0)
    found = null_band(900, scores, level=0.9)
    assert (found["null_band_low"], found["null_band_high"]) == pytest.approx((50, 950))
    # From 900 and 100 outwards there are 101 scores each, and the query itself.
    assert found["p_null_band"] == pytest.approx((1 + 202) / 1002)


def test_p_random_is_uniform_for_a_query_that_is_a_random_one_too():
    random = np.random.default_rng(3)
    found = [null_band(*_split(random.normal(size=200)))["p_null_band"] for _ in range(1_000)]
    assert stats.kstest(found, "uniform").pvalue > 0.01


def _split(values):
    return values[0], values[1:]


def test_undefined_scores_do_not_count_and_none_leave_no_band():
    scores = np.array([1.0, math.nan, 3.0, math.nan, 2.0])
    assert null_band(2.0, scores) == null_band(2.0, np.array([1.0, 3.0, 2.0]))
    assert null_band(2.0, np.array([math.nan])) == {}
