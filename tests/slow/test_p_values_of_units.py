"""How p-values are distributed under a null with clustered items: by unit uniform, by item not."""

import numpy as np
import pytest

from fairflow.metrics.weat import WEATStatistic
from fairflow.statistics.counts import reassigned
from fairflow.statistics.grouped_statistic import grouped
from fairflow.statistics.permutation import permutation_test
from fairflow.statistics.resampling_statistic import ResamplingStatistic, Stratum

SIMULATIONS = 1_000
# Of 1,000 uniform numbers the largest distance of shares exceeds this once in a hundred times.
KOLMOGOROV = 1.63 / SIMULATIONS**0.5
TEMPLATES = 4


def stratum(prefix, n, inner=TEMPLATES):
    names = tuple(f"{prefix}{i} in {j}" for i in range(n) for j in range(inner))
    return Stratum(names, np.arange(n * inner), names)


def by_word(base):
    texts = [text for s in (*base.targets, *base.attributes) for text in s.words]
    levels = {text: text.split(" in ")[1] for text in texts if text[0] in "xy"}
    return grouped(base, {text: text.split(" in ")[0] for text in texts}, [levels])


def sentences(random, words, spread_of_templates, noise):
    """WEAT of sentences whose words are drawn alike for both sets, in templates that shift them."""
    values = np.repeat(random.normal(0, 1, 2 * words), TEMPLATES)
    values += np.tile(random.normal(0, spread_of_templates, TEMPLATES), 2 * words)
    values += random.normal(0, noise, len(values))
    return WEATStatistic(
        [stratum("x", words), stratum("y", words)],
        [stratum("a", 1, 1), stratum("b", 1, 1)],
        [values[:, np.newaxis], np.zeros((len(values), 1))],
        1,
    )


class Signs(ResamplingStatistic):
    """The mean of values whose signs are exchanged."""

    attributes = ()
    exchanged = "signs"
    tested = "mean"
    tested_measures = ("mean",)

    def __init__(self, values, targets):
        self.values, self.targets = values, [targets]

    def measures(self, targets, attributes=None):
        return {"mean": targets[0] @ self.values / targets[0].sum(axis=1)}

    def test_statistic(self, targets):
        return targets[0] @ self.values / len(self.values)


def items(random, units, skewed):
    """Items of units that lean to either side alike, six to a unit."""
    own = random.exponential(1, units) if skewed else np.abs(random.normal(0, 1, units))
    values = np.repeat(own * random.choice([-1, 1], units), 6) + random.normal(0, 0.3, 6 * units)
    return Signs(values, stratum("u", units, 6))


def distance(p, levels):
    """How far the shares of p-values below some levels are from these."""
    return np.abs((p[:, np.newaxis] <= levels + 1e-9).mean(axis=0) - levels).max()


@pytest.mark.parametrize("words", [4, 6, 8])
@pytest.mark.parametrize("of_templates", [0.0, 2.0])
def test_by_word_p_is_uniform_whatever_the_templates_add(words, of_templates):
    random = np.random.default_rng([words, int(of_templates)])
    found = np.array(
        [
            permutation_test(by_word(sentences(random, words, of_templates, 0.5)), random).p_value
            for _ in range(SIMULATIONS)
        ]
    )
    # A p-value is a number of the C(2 n, n) exchanges; levels are such numbers.
    number = {4: 70, 6: 924, 8: 12_870}[words]
    levels = np.arange(1, 11) * (number // 10) / number
    assert distance(found, levels) < KOLMOGOROV


@pytest.mark.parametrize("units", [8, 12])
@pytest.mark.parametrize("skewed", [False, True])
def test_by_unit_p_of_signs_is_uniform(units, skewed):
    random = np.random.default_rng([units, skewed])
    found = []
    for _ in range(SIMULATIONS):
        base = items(random, units, skewed)
        statistic = grouped(base, {name: name.split(" in ")[0] for name in base.targets[0].words})
        found.append(permutation_test(statistic, random).p_value)
    levels = np.arange(1, 9) / 8
    assert distance(np.array(found), levels) < KOLMOGOROV


def test_by_sentence_and_by_item_far_too_many_are_small():
    random = np.random.default_rng(1)
    statistics = [sentences(random, 4, 0, 0.3) for _ in range(100)]
    statistics += [items(random, 8, False) for _ in range(100)]
    p = np.array([permutation_test(k, random, permutations=2_000).p_value for k in statistics])
    assert (p[:100] <= 0.05).mean() > 0.15
    assert (p[100:] <= 0.05).mean() > 0.15


@pytest.mark.parametrize("groups", [2, 4])
def test_unbiased_counts_of_clusters_are_judged_unbiased(groups):
    """Each of 40 units speaks of one group, some at length."""
    random = np.random.default_rng(groups)
    even = np.full(groups, 1 / groups)

    def distances(totals):
        return np.abs(totals / totals.sum(axis=1, keepdims=True) - even).sum(axis=1)

    found = []
    for _ in range(SIMULATIONS):
        lengths = random.integers(1, 9, 40)
        counts = np.zeros((40, 1, groups))
        counts[np.arange(40), 0, random.integers(0, groups, 40)] = lengths
        draws = distances(reassigned(counts, even, random, 400)[:, 0])
        own = distances(counts.sum(axis=0))[0]
        found.append((np.count_nonzero(draws >= own - 1e-12) + 1) / 401)
    # Distances are discrete: p is at most as often small as it says, and nearly as often.
    levels = np.arange(1, 10) / 10
    shares = (np.array(found)[:, np.newaxis] <= levels).mean(axis=0)
    assert (shares - levels).max() < KOLMOGOROV
    assert (levels - shares).max() < 0.15
