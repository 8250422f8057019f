"""How often intervals of a difference before and after hold what other words give on average.

The model after is the one before without a direction; the difference of other words is the mean
over all the drawn sets.
"""

import math
import os

import numpy as np
import pytest

from fairflow.metrics.ect import ECT
from fairflow.metrics.mac import MAC
from fairflow.metrics.rnd import RND
from fairflow.metrics.same import SAME
from fairflow.metrics.sc_weat import SCWEAT
from fairflow.metrics.weat import WEAT
from fairflow.statistics.paired_difference import DIFFERENCE, SIZE, pair, paired_difference
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import WordVectors

SIMULATIONS = int(os.environ.get("SIMULATIONS", "200"))
# What so few simulations may be off by: three standard errors.
LUCK = 3 * math.sqrt(0.05 * 0.95 / SIMULATIONS)
SETTINGS = Statistics(resamples=500, joint_draws=0)
DIMS, WORDS = 50, 16
# metric, measure, numbers of target and attribute sets.
METRICS = {
    "weat": (WEAT(), "weat", 2, 2),
    "effect size": (WEAT(), "effect_size", 2, 2),
    "rnd": (RND(), "rnd", 2, 1),
    "mac": (MAC(), "mac", 2, 2),
}


def population(metric, changed, seed):
    """Word sets around means that differ, before and after; `changed` is the direction's share."""
    *_, n_targets, n_attributes = METRICS[metric]
    fixed = np.random.default_rng(1)
    direction = np.eye(DIMS)[0]
    common = fixed.normal(0, 1, DIMS) / math.sqrt(DIMS)
    random = np.random.default_rng([2, seed])
    sets = []
    for number in range(n_targets + n_attributes):
        shift = 0.5 * (-1) ** number * direction + 0.1 * fixed.normal(0, 1, DIMS)
        rows = common + shift + random.normal(0, 1, (WORDS, DIMS)) / math.sqrt(DIMS)
        names = tuple(f"{number} {word}" for word in range(WORDS))
        after = rows - changed * np.outer(rows @ direction, direction)
        sets.append([WordVectors(str(number), names, names, r, names) for r in (rows, after)])
    before, after = zip(*sets, strict=True)
    return [(of_model[:n_targets], of_model[n_targets:]) for of_model in (before, after)]


def differences(metric, changed):
    made, measure, *_ = METRICS[metric]
    for seed in range(SIMULATIONS):
        outcomes = [made.compute(*sets) for sets in population(metric, changed, seed)]
        statistic = pair(*(outcome.resampling() for outcome in outcomes), measure)
        values = [outcome.measures[measure] for outcome in outcomes]
        yield paired_difference(statistic, *values, SETTINGS, seed)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("changed", [0.3, 1.0])
def test_intervals_of_a_difference_hold_as_often_as_they_say(metric, changed):
    found = list(differences(metric, changed))
    for name in (DIFFERENCE, SIZE):
        truth = np.mean([one[name] for one in found])
        held = np.mean([one[f"{name}_low"] <= truth <= one[f"{name}_high"] for one in found])
        print(f"{metric}, {changed}, {name}: {held:.3f}")
        assert 0.93 - LUCK <= held <= 0.97 + LUCK


# Metrics that are compared before and after, and how the sets of a model differ.
STRENGTHS = {"none": 0.0, "strong": 0.25}
COMPARED = METRICS | {
    "rnd, cosines": (RND(), "rnd", 2, 1),
    "ect": (ECT(), "ect", 2, 1),
    "same": (SAME(), "same", 2, 2),
    "single": (SCWEAT(), "sc_weat", 1, 2),
}
PARAMETERS = {"rnd, cosines": {"distance": "cos"}}


@pytest.mark.parametrize("words", [16, 25])
@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("metric", COMPARED)
def test_where_nothing_changes_on_average_few_p_values_are_small(metric, strength, words):
    """Both models are drawn alike, word by word."""
    made, measure, n_targets, n_attributes = COMPARED[metric]
    small = []
    for seed in range(SIMULATIONS):
        random = np.random.default_rng([3, seed, words])
        sets = []
        for number in range(n_targets + n_attributes):
            names = tuple(f"{number} {word}" for word in range(words))
            shift = STRENGTHS[strength] * (-1) ** number * np.eye(DIMS)[0] * math.sqrt(DIMS)
            rows = shift + random.normal(0, 1, (2, words, DIMS))
            sets.append([WordVectors(str(number), names, names, r, names) for r in rows])
        outcomes = [
            made.compute(of[:n_targets], of[n_targets:], **PARAMETERS.get(metric, {}))
            for of in zip(*sets, strict=True)
        ]
        statistic = pair(*(outcome.resampling() for outcome in outcomes), measure)
        values = [outcome.measures[measure] for outcome in outcomes]
        small.append(paired_difference(statistic, *values, SETTINGS, seed)["p_value"] < 0.05)
    print(f"{metric}, {strength}, {words} words: p < 0.05 in {np.mean(small):.3f}")
    assert np.mean(small) <= 0.055 + LUCK
