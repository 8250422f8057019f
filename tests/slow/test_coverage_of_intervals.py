"""How often 95 % intervals hold the score that other words of the same kind give on average.

Words are drawn from made-up populations of vectors and from lexicons of a real model; the score of
other words is the mean over all the drawn sets.
"""

import math
import os

import numpy as np
import pytest

from fairflow.metrics.ect import ECT
from fairflow.metrics.mac import MAC
from fairflow.metrics.ripa import RIPA
from fairflow.metrics.rnd import RND
from fairflow.metrics.weat import WEAT
from fairflow.statistics.bootstrap import resample
from fairflow.statistics.intervals import resampled_interval
from fairflow.vectors.query_vectors import WordVectors
from fairflow.wefe.datasets.datasets import load_bingliu
from fairflow.wefe.utils import load_test_model

# A tenth of an hour; SIMULATIONS=1000 in the environment takes half an hour, and is sharper.
SIMULATIONS = int(os.environ.get("SIMULATIONS", "200"))
# What so few simulations may be off by: three standard errors.
LUCK = 3 * math.sqrt(0.05 * 0.95 / SIMULATIONS)
RESAMPLES = 500
DIMS = 50
# metric, parameters, numbers of target and attribute sets. An effect size of WEFE and a sum of RND
# are multiples of these.
METRICS = {
    "weat": (WEAT(), {}, 2, 2),
    "mac": (MAC(), {}, 2, 2),
    "mac of many sets": (MAC(), {}, 4, 3),
    "rnd": (RND(), {}, 2, 1),
    "rnd of cosines": (RND(), {"distance": "cos"}, 2, 1),
    "ripa": (RIPA(), {}, 2, 1),
    "ect": (ECT(), {}, 2, 1),
}
EVERY_METRIC = pytest.mark.parametrize("metric", METRICS)


class MadeUp:
    """Vectors around a mean of each set, either normal or exponential; pairs have much in common.

    apart : how far the means of the sets lie from each other. Near each other, what a target and an
    attribute word do together is most of what a score varies by.
    """

    def __init__(self, n_targets, n_attributes, apart, skewed, paired):
        random = np.random.default_rng(1)
        common = random.normal(0, 1, DIMS) / math.sqrt(DIMS)
        shift = 3 * apart / math.sqrt(DIMS)
        self._targets = common + shift * random.normal(0, 1, (n_targets, DIMS))
        self._attributes = common + shift * random.normal(0, 1, (n_attributes, DIMS))
        scale = np.arange(1, DIMS + 1) ** -0.3
        self._scale = scale / np.sqrt((scale**2).sum())
        self._skewed, self._paired = skewed, paired

    def _noise(self, random, n):
        shape = (n, DIMS)
        rows = random.exponential(1, shape) - 1 if self._skewed else random.normal(0, 1, shape)
        return rows * self._scale

    def draw(self, random, n):
        common = 0.8 * self._noise(random, n) if self._paired else 0
        share = 0.6 if self._paired else 1
        targets = [mean + common + share * self._noise(random, n) for mean in self._targets]
        return targets, [mean + self._noise(random, n) for mean in self._attributes]


class Real:
    """Words of lexicons: positive and negative ones, and others of the model."""

    def __init__(self, targets, attributes, paired):
        self._targets, self._attributes, self._paired = targets, attributes, paired

    def draw(self, random, n):
        smallest = min(map(len, self._targets))
        together = random.integers(0, smallest, n)
        targets = [
            rows[together if self._paired else random.integers(0, len(rows), n)]
            for rows in self._targets
        ]
        return targets, [rows[random.integers(0, len(rows), n)] for rows in self._attributes]


def words(name, rows):
    names = tuple(f"{name}{i}" for i in range(len(rows)))
    return WordVectors(name, names, names, rows, names)


def shares(metric, population, n):
    """Per measure the share of the intervals that hold, and of those that lie above and below."""
    made, parameters, *_ = METRICS[metric]
    values, ends = {}, {}
    for seed in range(SIMULATIONS):
        targets, attributes = population.draw(np.random.default_rng([n, seed]), n)
        outcome = made.compute(
            [words(f"t{i}", rows) for i, rows in enumerate(targets)],
            [words(f"a{i}", rows) for i, rows in enumerate(attributes)],
            **parameters,
        )
        resampled = resample(outcome.resampling(), RESAMPLES, seed)
        for name, draws in resampled.draws_both.items():
            found = resampled_interval(outcome.measures[name], draws, resampled.left_out[name])
            values.setdefault(name, []).append(outcome.measures[name])
            ends.setdefault(name, []).append((found.low, found.high))
    for name, of_measure in values.items():
        low, high = np.transpose(ends[name])
        above, below = np.mean(low > np.mean(of_measure)), np.mean(high < np.mean(of_measure))
        print(f"{metric}, {name}, {n}: {1 - above - below:.3f}, {above:.3f}, {below:.3f}")
        yield 1 - above - below, above, below


def assert_as_promised(found):
    for held, above, below in found:
        assert 0.93 - LUCK <= held <= 0.97 + LUCK
        assert max(above, below) <= 0.045 + LUCK


@EVERY_METRIC
@pytest.mark.parametrize(
    ("n", "apart", "skewed"), [(16, 0.5, True), (16, 0.15, False), (40, 0.5, True)]
)
def test_from_sixteen_words_on_intervals_hold_as_often_as_they_say(metric, n, apart, skewed):
    *_, n_targets, n_attributes = METRICS[metric]
    population = MadeUp(n_targets, n_attributes, apart, skewed, metric == "ripa")
    assert_as_promised(shares(metric, population, n))


@pytest.fixture(scope="session")
def lexicons(tmp_path_factory):
    """The vectors of positive words, of negative ones, and of other words in lower case."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        model, lists = load_test_model(), list(load_bingliu().values())
    charged = {word for words_ in lists for word in words_}
    lists.append([word for word in model.wv.words() if word not in charged and word.islower()])
    random = np.random.default_rng(1)
    return [
        random.permutation(np.array([model[word] for word in words_ if word in model], dtype=float))
        for words_ in lists
    ]


def halves(rows):
    return rows[: len(rows) // 2], rows[len(rows) // 2 :]


@EVERY_METRIC
@pytest.mark.parametrize("effect", ["none", "strong"])
def test_so_they_do_on_words_of_a_real_model(metric, effect, lexicons):
    positive, negative, others = lexicons
    # Without an effect, target sets of one list and attribute sets of another: then what two words
    # do together is all that a score varies by.
    targets, attributes = [*halves(others)], [*halves(positive)]
    if effect == "strong":
        (positive, good), (negative, bad) = halves(positive), halves(negative)
        targets, attributes = [positive, negative], [good, bad]
    *_, n_targets, n_attributes = METRICS[metric]
    population = Real((targets * 2)[:n_targets], (attributes * 2)[:n_attributes], metric == "ripa")
    assert_as_promised(shares(metric, population, 16))


@EVERY_METRIC
def test_over_eight_words_they_hold_nearly_as_often(metric):
    *_, n_targets, n_attributes = METRICS[metric]
    population = MadeUp(n_targets, n_attributes, 0.5, True, metric == "ripa")
    assert all(0.9 - LUCK <= held <= 0.98 + LUCK for held, _, _ in shares(metric, population, 8))
