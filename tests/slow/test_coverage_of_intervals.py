"""How often 95 % intervals hold the true value, when words are drawn from known populations."""

import math

import numpy as np
import pytest

from fairflow.metrics.weat import WEATKernel
from fairflow.statistics.bootstrap import interval, resample
from fairflow.statistics.kernel import Stratum

SIMULATIONS = 1_000
RESAMPLES = 800
# The populations of associations: their means differ by this, their sd is 1.
DIFFERENCE = 0.8
# The sd of both together: that within each, and that between them.
EFFECT_SIZE = DIFFERENCE / math.sqrt(1 + DIFFERENCE**2 / 4)


def stratum(name, n):
    names = tuple(f"{name}{i}" for i in range(n))
    return Stratum(names, np.arange(n), names)


def kernel_of(values, n):
    """WEAT of words with these associations: beside the one attribute word, and none."""
    return WEATKernel(
        targets=[stratum("x", n), stratum("y", n)],
        attributes=[stratum("a", 1), stratum("b", 1)],
        similarities=[values[:, np.newaxis], np.zeros((2 * n, 1))],
        ddof=1,
    )


def draw(random, n, skewed):
    """Associations of 2 n words; skewed ones are shifted exponentials of the same mean and sd."""
    noise = random.exponential(1, 2 * n) - 1 if skewed else random.normal(0, 1, 2 * n)
    return noise + np.repeat([DIFFERENCE, 0], n)


def coverage(n, skewed):
    """Share of the simulations whose interval holds the true value, per measure."""
    random = np.random.default_rng([n, skewed])
    # The statistic is a sum over n words of each set: n times the difference of their means.
    true = {"weat": n * DIFFERENCE, "effect_size": EFFECT_SIZE}
    held = dict.fromkeys(true, 0)
    for seed in range(SIMULATIONS):
        kernel = kernel_of(draw(random, n, skewed), n)
        values = kernel.measures(kernel.observed)
        resampled = resample(kernel, RESAMPLES, seed)
        for name, wanted in true.items():
            found = interval(
                float(values[name][0]), resampled.draws[name], resampled.left_out[name][:2]
            )
            held[name] += found.low <= wanted <= found.high
    return {name: count / SIMULATIONS for name, count in held.items()}


@pytest.mark.parametrize("n", [16, 25, 50])
@pytest.mark.parametrize("skewed", [False, True])
def test_from_sixteen_words_on_intervals_hold_the_true_value_about_as_often_as_they_say(n, skewed):
    for share in coverage(n, skewed).values():
        assert 0.90 <= share <= 0.97


def test_over_fewer_than_ten_words_they_hold_it_less_often_which_is_why_they_are_marked():
    assert all(0.90 <= share <= 0.97 for share in coverage(8, skewed=False).values())
    assert all(0.85 <= share < 0.90 for share in coverage(8, skewed=True).values())
