"""Permutation tests against brute force, their null distribution and their symmetries."""

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairflow.metrics.ect import ECT
from fairflow.metrics.ripa import RIPA
from fairflow.metrics.rnd import RND
from fairflow.metrics.rnsb import RNSBStatistic
from fairflow.metrics.weat import WEAT
from fairflow.statistics.permutation import ALTERNATIVES, Exchange, exchange_p, permutation_test
from fairflow.statistics.resampling_statistic import ResamplingStatistic, weighted_means
from fairflow.vectors.query_vectors import WordVectors

from .word_sets import sets_of, stratum, words


@dataclass(frozen=True)
class Difference(ResamplingStatistic):
    """Difference of the means of given values; `additive` says whether the test may know it."""

    values: tuple
    strata: tuple
    additive: bool = True
    attributes: tuple = field(default=())

    tested = "difference of means"
    alternative = "greater"

    @property
    def targets(self):
        return self.strata

    def measures(self, targets, attributes=None):
        return {"difference": self.test_statistic(targets)}

    def test_statistic(self, targets):
        values = np.array(self.values, dtype=float)[np.newaxis]
        return weighted_means(values, targets[0]) - weighted_means(values, targets[1])

    @property
    def contributions(self):
        return np.array(self.values, dtype=float) if self.additive else None


def difference(first, second, additive=True, names=None):
    names = names or ([f"x{i}" for i in range(len(first))], [f"y{i}" for i in range(len(second))])
    return Difference((*first, *second), (stratum(*names[0]), stratum(*names[1])), additive)


def run(statistic, alternative="greater", seed=0, **options):
    return permutation_test(statistic, np.random.default_rng(seed), alternative, **options)


def extreme(null, observed, alternative, centre=None, rounding=0):
    """Share of statistics at least as extreme as the observed one, but for some rounding."""
    centre = sum(null) / len(null) if centre is None else centre
    distance = {
        "greater": lambda x: x - centre,
        "less": lambda x: centre - x,
        "two-sided": lambda x: abs(x - centre),
    }[alternative]
    return sum(distance(x) >= distance(observed) - rounding for x in null) / len(null)


def mean_differences(first, second):
    """Of every partition, as fractions; the observed one is the first."""
    pool = [Fraction(value) for value in (*first, *second)]
    total = sum(pool)
    return [
        sum(chosen) / len(first) - (total - sum(chosen)) / len(second)
        for chosen in combinations(pool, len(first))
    ]


# Few distinct whole numbers, so that ties are common.
SMALL = st.lists(st.integers(-2, 2), min_size=1, max_size=3)


@given(SMALL, SMALL, st.sampled_from(ALTERNATIVES), st.booleans())
def test_the_exact_p_is_that_of_brute_force_with_ties_and_unequal_sets(
    first, second, alternative, additive
):
    null = mean_differences(first, second)
    found = run(difference(first, second, additive), alternative)
    assert found.p_value == pytest.approx(extreme(null, null[0], alternative), rel=1e-12)
    assert found.method == "exact"
    assert found.error == 0
    assert found.n_permutations == len(null) == math.comb(len(first) + len(second), len(first))
    assert found.null_mean == pytest.approx(float(sum(null) / len(null)), abs=1e-12)
    assert found.null_sd == pytest.approx(float(np.std(np.array(null, float))), abs=1e-12)


@given(
    st.lists(st.integers(-3, 3), min_size=2, max_size=6), st.sampled_from(ALTERNATIVES), st.data()
)
def test_words_of_both_sets_stay_in_each(values, alternative, data):
    # The units of the first set are x0, x1, ..., those of the second y0, y1, ... and "both".
    n = data.draw(st.integers(1, len(values) - 1))
    first, second = values[:n], values[n:]
    shared = data.draw(st.lists(st.integers(-3, 3), min_size=1, max_size=2))
    names = (
        [f"x{i}" for i in range(len(first))] + [f"both{i}" for i in range(len(shared))],
        [f"y{i}" for i in range(len(second))] + [f"both{i}" for i in range(len(shared))],
    )
    total, fixed = sum(values), sum(shared)
    null = [
        Fraction(sum(chosen) + fixed, len(first) + len(shared))
        - Fraction(total - sum(chosen) + fixed, len(second) + len(shared))
        for chosen in combinations(values, len(first))
    ]
    for additive in (True, False):
        found = run(difference(first + shared, second + shared, additive, names), alternative)
        # The mean over the exchanges is not 0 here: distances are from it.
        assert found.p_value == pytest.approx(extreme(null, null[0], alternative), rel=1e-12)
        assert found.n_permutations == len(null)
        assert found.null_mean == pytest.approx(float(sum(null) / len(null)), abs=1e-12)


def repartitions(targets):
    """Every partition of the words of two sets into sets of the same sizes."""
    names = [word for target in targets for word in target.words]
    rows = np.concatenate([target.vectors for target in targets])
    everyone = range(len(rows))
    for chosen in combinations(everyone, len(targets[0].words)):
        rest = [i for i in everyone if i not in chosen]
        yield [
            WordVectors(
                "", tuple(names[i] for i in part), tuple(names[i] for i in part), rows[part]
            )
            for part in (list(chosen), rest)
        ]


def turned(targets):
    """Every way to assign the two words of each pair to the two sets."""
    first, second = targets
    for signs in product((False, True), repeat=len(first.words)):
        flip = np.array(signs)[:, np.newaxis]
        yield [
            replace(first, vectors=np.where(flip, second.vectors, first.vectors)),
            replace(second, vectors=np.where(flip, first.vectors, second.vectors)),
        ]


METRICS = {
    "weat": (WEAT(), {}, "effect_size", (3, 3, 4, 3), repartitions),
    "rnd": (RND(), {}, "rnd", (3, 3, 5), repartitions),
    "rnd, unequal sets": (RND(), {}, "rnd", (2, 4, 5), repartitions),
    "rnd of cosines": (RND(), {"distance": "cos"}, "rnd", (3, 2, 5), repartitions),
    "ect": (ECT(), {}, "ect", (3, 3, 4), repartitions),
    "ect, unequal sets": (ECT(), {}, "ect", (4, 2, 4), repartitions),
    "ripa": (RIPA(), {}, "ripa", (6, 6, 4), turned),
}


@pytest.mark.parametrize("case", METRICS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_p_of_a_metric_is_that_of_the_metric_computed_on_every_exchange(case, alternative):
    metric, parameters, measure, sizes, exchanges = METRICS[case]
    for seed in range(5):
        sets = sets_of(sizes, seed, dims=3)
        targets, attributes = sets[:2], sets[2:]
        outcome = metric.compute(targets, attributes, **parameters)
        null = np.array(
            [
                metric.compute(t, attributes, **parameters).measures[measure]
                for t in exchanges(targets)
            ]
        )
        # Sets of one size, and signs, are symmetric about 0; rounding must not break ties.
        observed = outcome.measures[measure]
        centre = 0 if case in ("weat", "rnd", "ripa") else None
        expected = extreme(null, observed, alternative, centre, 1e-9)
        found = run(outcome.resampling(), alternative)
        assert found.p_value == pytest.approx(expected, rel=1e-12)
        assert found.method == "exact"
        assert found.n_permutations == len(null)


@pytest.mark.parametrize("sizes", [(2, 2, 2), (1, 2, 3), (2, 3), (1, 1, 1, 2)])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_p_of_several_target_sets_is_that_of_every_dealing_of_their_words(sizes, alternative):
    p = np.random.default_rng(len(sizes)).uniform(0.05, 0.95, sum(sizes))
    names = [[f"set{s}word{i}" for i in range(size)] for s, size in enumerate(sizes)]
    statistic = RNSBStatistic([stratum(*n) for n in names], p[np.newaxis], np.ones(1))
    labels = [s for s, size in enumerate(sizes) for _ in range(size)]

    def divergence(dealt):
        means = [p[np.array(dealt) == number].mean() for number in range(len(sizes))]
        return float(stats.entropy(means, np.ones(len(sizes))))

    null = np.array([divergence(dealt) for dealt in set(permutations(labels))])
    found = run(statistic, alternative)
    expected = extreme(null, divergence(labels), alternative, rounding=1e-12)
    assert found.p_value == pytest.approx(expected)
    assert found.n_permutations == len(null)


def random_statistics(number, additive, sizes=(5, 5)):
    random = np.random.default_rng(number)
    for _ in range(number):
        yield difference(*(random.standard_normal(size) for size in sizes), additive)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_exact_p_values_are_uniform_under_the_null(alternative):
    random = np.random.default_rng(1)
    p_values = np.array(
        [run(statistic, alternative).p_value for statistic in random_statistics(2_000, True)]
    )
    # They are multiples of 1/252, or of 2/252; spread over the steps they are uniform.
    step = (2 if alternative == "two-sided" else 1) / 252
    assert p_values.min() >= step * (1 - 1e-9)
    spread = p_values - step * random.random(len(p_values))
    assert stats.kstest(spread, "uniform").pvalue > 0.01


@pytest.mark.parametrize(("sizes", "alternative"), [((5, 5), "greater"), ((3, 6), "less")])
def test_monte_carlo_p_values_are_uniform_under_the_null(sizes, alternative):
    random = np.random.default_rng(2)
    options = {"method": "approximate", "permutations": 199}
    p_values = np.array(
        [
            run(statistic, alternative, seed, **options).p_value
            for seed, statistic in enumerate(random_statistics(2_000, False, sizes))
        ]
    )
    # Ties with the observed partition, one of few, make p a little larger: never too small.
    assert p_values.min() >= 1 / 200
    spread = p_values - random.random(len(p_values)) / 200
    assert stats.kstest(spread, "uniform").statistic < 0.04
    for level in (0.01, 0.05, 0.1):
        rejected = np.mean(p_values <= level)
        assert rejected <= level + 3 * math.sqrt(level * (1 - level) / len(p_values))


def test_the_error_of_a_two_sided_p_counts_that_its_centre_is_drawn_too():
    statistic = difference([0.9, -0.3, 0.6, 1.1, -1.0], [0.2, 0.4, -1.3, 0.0, 0.1, 0.3], False)
    options = {"method": "approximate", "permutations": 500}
    found = [run(statistic, "two-sided", seed, **options) for seed in range(400)]
    spread = np.std([test.p_value for test in found])
    assert spread == pytest.approx(np.mean([test.error for test in found]), rel=0.15)
    p = np.mean([test.p_value for test in found])
    assert spread > 1.2 * math.sqrt(p * (1 - p) / 500)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_monte_carlo_agrees_with_exact_within_its_standard_error(alternative):
    for seed, statistic in enumerate(random_statistics(20, False, (6, 5))):
        exact = run(statistic, alternative)
        drawn = run(statistic, alternative, seed, method="approximate", permutations=4_000)
        assert (drawn.method, drawn.n_permutations) == ("monte carlo", 4_000)
        p = drawn.p_value
        assert abs(p - exact.p_value) < 4 * drawn.error + 1 / 4_001
        if alternative != "two-sided":
            assert drawn.error == pytest.approx(math.sqrt(p * (1 - p) / 4_001))
        assert drawn.null_sd == pytest.approx(exact.null_sd, rel=0.05)
        assert drawn.p_normal == pytest.approx(exact.p_normal, abs=0.03)


@given(SMALL, SMALL, st.sampled_from(ALTERNATIVES))
def test_p_normal_is_the_tail_of_a_normal_with_the_mean_and_sd_of_the_partitions(
    first, second, alternative
):
    null = np.array(mean_differences(first, second), dtype=float)
    found = run(difference(first, second), alternative)
    if null.std() < 1e-9:
        assert math.isnan(found.p_normal)
        return
    z = (null[0] - null.mean()) / null.std()
    expected = {"greater": stats.norm.sf(z), "less": stats.norm.cdf(z)}
    expected["two-sided"] = 2 * stats.norm.sf(abs(z))
    assert found.p_normal == pytest.approx(expected[alternative], rel=1e-9)


def test_large_sets_are_tested_exactly_within_a_stated_error():
    random = np.random.default_rng(4)
    statistic = difference(random.normal(0.5, 1, 25), random.normal(0, 1, 25))
    binned = run(statistic)
    assert binned.method == "binned"
    assert binned.n_permutations == math.comb(50, 25)
    assert 0 < binned.error < 1e-2 * binned.p_value
    drawn = run(statistic, method="approximate", permutations=100_000)
    assert abs(drawn.p_value - binned.p_value) < 4 * drawn.error
    assert drawn.null_sd == pytest.approx(binned.null_sd, rel=0.02)


@given(SMALL, SMALL, st.sampled_from(ALTERNATIVES))
def test_the_quick_p_of_few_values_is_that_of_brute_force(first, second, alternative):
    null = mean_differences(first, second)
    found = exchange_p(np.array(first, float), np.array(second, float), alternative)
    assert found == pytest.approx(extreme(null, null[0], alternative), rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("shift", [0.0, 0.5, 0.9])
def test_the_quick_p_of_many_values_is_close_to_the_exact_one(shift, alternative):
    generator = np.random.default_rng(3)
    first, second = generator.normal(shift, size=15), generator.normal(size=20)
    exact = run(difference(first, second), alternative).p_value
    assert exchange_p(first, second, alternative) == pytest.approx(exact, abs=0.02)


@given(SMALL, SMALL)
def test_swapping_the_target_sets_gives_the_complement(first, second):
    null = mean_differences(first, second)
    ties = sum(value == null[0] for value in null) / len(null)
    right = run(difference(first, second)).p_value
    swapped = run(difference(second, first)).p_value
    assert swapped == run(difference(first, second), "less").p_value
    assert right + swapped - ties == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_random_exchanges_leave_words_of_both_sets_in_each_too(alternative):
    names = [["x0", "x1", "both"], ["y0", "y1", "y2", "y3", "both"]]
    statistic = difference([3.0, 1.0, 9.0], [2.0, 0.0, 1.0, 0.5, 9.0], names=names)
    exact = run(statistic, alternative)
    drawn = run(statistic, alternative, method="approximate", permutations=20_000)
    assert abs(drawn.p_value - exact.p_value) < 4 * drawn.error
    assert drawn.null_mean == pytest.approx(exact.null_mean, abs=0.05)


def test_random_exchanges_are_as_many_as_requested_however_many_are_drawn_at_once(monkeypatch):
    monkeypatch.setattr("fairflow.statistics.permutation.DRAWN_AT_ONCE", 64)
    exchange = Exchange(difference([3.0, 1.0, 2.5], [2.0, 0.0, 1.0]))
    assert exchange.drawn(150, np.random.default_rng(0)).shape == (150,)


def test_a_monte_carlo_p_counts_the_observed_exchange_too():
    # 10 + 10 words far apart: no random exchange of 999 comes near.
    statistic = difference(range(100, 110), range(10), additive=False)
    found = run(statistic, method="approximate", permutations=999)
    assert found.p_value == found.smallest == 1 / 1_000


def test_equal_values_have_p_of_one_however_they_are_tested():
    for additive, method in product((True, False), ("auto", "approximate")):
        statistic = difference([0.1, 0.1, 0.1], [0.1] * 4, additive)
        for alternative in ALTERNATIVES:
            found = run(statistic, alternative, method=method, permutations=50)
            assert found.p_value == 1
            assert math.isnan(found.p_normal)


def test_exchanges_without_a_statistic_count_as_extreme():
    # Exchanged, a and -a meet in one set, whose mean then has no direction.
    x = words("x", [[1.0, 0.0], [0.0, 1.0]])
    y = words("y", [[-1.0, 0.0], [0.0, 2.0]])
    attribute = words("a", [[1.0, 0.2], [0.3, 1.0], [2.0, -1.0]])
    statistic = RND().compute([x, y], [attribute], distance="cos").resampling()
    for alternative in ALTERNATIVES:
        found = run(statistic, alternative)
        assert found.n_permutations == 6
        assert found.p_value >= 3 / 6
        assert math.isfinite(found.null_mean)
        assert math.isfinite(found.null_sd)


def test_the_most_extreme_partition_has_the_smallest_p():
    one = difference([7, 8, 9], [1, 2, 3])
    assert run(one).p_value == run(one).smallest == 1 / 20
    assert run(one, "two-sided").p_value == run(one, "two-sided").smallest == 2 / 20
    unequal = difference([8, 9], [1, 2, 3])
    assert run(unequal).p_value == run(unequal).smallest == 1 / 10
    assert run(unequal, "two-sided").smallest == 1 / 10
