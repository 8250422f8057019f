"""The variance of a score over other words: what words do alone and together, each counted once."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from fairflow.metrics.rnd import RND
from fairflow.statistics.bootstrap import draw, left_out, resample, variances
from fairflow.statistics.intervals import degrees_of_freedom, influences, student_quantile
from fairflow.statistics.word_draws import BLOCK, half_samples

from .word_sets import Untested, numbered, stratum, words


@dataclass(frozen=True)
class Table(Untested):
    """The mean of a table of target and attribute words."""

    targets: tuple
    attributes: tuple
    table: np.ndarray

    @classmethod
    def of(cls, table):
        rows, columns = table.shape
        return cls((stratum(*numbered("t", rows)),), (stratum(*numbered("a", columns)),), table)

    def measures(self, targets, attributes=None):
        columns = np.ones((1, self.table.shape[1])) if attributes is None else attributes[0]
        sums = (targets[0] @ self.table * columns).sum(axis=1)
        counts = targets[0].sum(axis=1) * columns.sum(axis=1)
        return {"mean": sums / np.where(counts > 0, counts, np.nan)}


def of_tables(share_of_words, n=16, tables=150):
    """Mean variance found for random tables over the true one, and that of the plain bootstrap."""
    ours, plain = [], []
    for seed in range(tables):
        random = np.random.default_rng(seed)
        table = random.normal(0, 1, (n, n))
        table += math.sqrt(share_of_words) * random.normal(0, 1, (n, 1))
        table += math.sqrt(share_of_words) * random.normal(0, 1, (1, n))
        statistic = Table.of(table)
        ours.append(variances(statistic, left_out(statistic), seed)[1]["mean"])
        plain.append(draw(statistic, 250, seed)[1]["mean"].var())
    true = 2 * share_of_words / n + 1 / n**2
    return np.mean(ours) / true, np.mean(plain) / true


def test_what_two_words_do_together_counts_once_where_resampling_counts_it_thrice():
    ours, plain = of_tables(share_of_words=0)
    assert plain == pytest.approx(3 * (15 / 16) ** 2, rel=0.1)
    # Never less than half of what single words seem to do, so a little more on average.
    assert 1 <= ours <= 1.15


def test_over_targets_alone_it_is_the_squared_standard_error_of_a_mean():
    values = np.random.default_rng(1).normal(size=(12, 1))
    statistic = Table.of(values)
    alone, both = variances(statistic, left_out(statistic), seed=3)
    assert alone["mean"] == pytest.approx(float(values.var(ddof=1)) / 12, rel=1e-9)
    assert both["mean"] == pytest.approx(alone["mean"], rel=1e-9)


def test_draws_have_the_value_as_mean_and_this_variance():
    statistic = Table.of(np.random.default_rng(1).normal(size=(10, 14)))
    value = statistic.measures(statistic.observed)["mean"][0]
    resampled = resample(statistic, 500, seed=2)
    for draws, variance in zip(
        (resampled.draws, resampled.draws_both),
        variances(statistic, left_out(statistic), seed=2),
        strict=True,
    ):
        assert draws["mean"].mean() == pytest.approx(value, abs=1e-12)
        assert draws["mean"].var() == pytest.approx(variance["mean"], rel=1e-9)


def test_two_words_of_one_set_count_once_too():
    # The squared length of a mean of noise; RND takes the difference between two such means.
    n, dims, values, ours, plain = 16, 100, [], [], []
    for seed in range(100):
        random = np.random.default_rng(seed)
        sets = [random.normal(0, 1, (n, dims)) for _ in "xy"]
        sets.append(random.normal(0, 0.1, (40, dims)))
        x, y, a = (words(name, rows) for name, rows in zip("xya", sets, strict=True))
        outcome = RND().compute([x, y], [a])
        statistic = outcome.resampling()
        values.append(outcome.measures["rnd"])
        ours.append(variances(statistic, left_out(statistic), seed)[0]["rnd"])
        plain.append(draw(statistic, 250, seed)[0]["rnd"].var())
    assert math.sqrt(np.mean(plain)) > 1.5 * np.std(values)
    assert math.sqrt(np.mean(ours)) == pytest.approx(np.std(values), rel=0.2)


def test_one_set_of_n_words_has_n_minus_one_degrees_of_freedom_and_two_alike_twice_as_many():
    without = np.arange(9.0)
    assert degrees_of_freedom([without]) == pytest.approx(8)
    assert degrees_of_freedom([without, without[::-1]]) == pytest.approx(16)
    assert degrees_of_freedom([np.arange(3.0)]) == 4
    assert degrees_of_freedom([np.ones(9)]) == math.inf


@pytest.mark.parametrize("degrees", [4, 7.5, 30, 1e9])
@pytest.mark.parametrize("share", [0.9, 0.975, 0.995])
def test_student_quantiles_are_those_of_scipy(share, degrees):
    assert student_quantile(share, degrees) == pytest.approx(
        stats.t.ppf(share, degrees), rel=2e-3 if share < 0.99 else 1e-2
    )


def test_draws_stay_within_the_limits_of_a_measure():
    class Limited(Table):
        def limits(self, measure):
            return -0.1, 0.1

    statistic = Limited.of(np.random.default_rng(1).normal(size=(10, 14)))
    draws = resample(statistic, 500, seed=2).draws_both["mean"]
    assert (draws.min(), draws.max()) == (-0.1, 0.1)


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_half_samples_sum_to_nothing_and_have_the_variance_of_resamples(n):
    rows = next(half_samples(stratum(*numbered("t", n)), seed=1))
    assert rows.shape == (BLOCK, n)
    assert np.abs(rows.sum(axis=1)).max() < 1e-12
    assert (rows**2).sum(axis=1) == pytest.approx(n if n > 1 else 0)


def test_influences_sum_to_nothing_and_are_deviations_for_a_mean():
    values = np.array([1.0, 2.0, 6.0])
    without = (values.sum() - values) / 2
    assert influences(without) == pytest.approx(values - 3)
    assert influences(np.append(without, math.nan))[-1] == 0
    assert influences(np.array([0.1, 0.1, 0.1])).tolist() == [0, 0, 0]
    assert influences(np.array([0.1])).tolist() == [0]
