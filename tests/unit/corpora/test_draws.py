"""What draws say of a value: its interval, the null band, and shares of its variance."""

import math

import numpy as np
import pytest
from scipy import stats

from fairflow.corpora.draws import UNLIMITED, Drawn, DrawnEstimate, spread

DRAWS = np.random.default_rng(1).normal(0.7, 0.2, 200)
SIZE = (-2.0, 2.0)
KEY = ("pmi", "weat", "q", "q")


def over(value, draws, units, limits=UNLIMITED):
    return spread(
        [(1.0, Drawn(KEY, value, units, documents=draws, limits=limits).over_documents())]
    )


@pytest.mark.parametrize(("units", "draws"), [(12, 200), (200, 20), (50, 200)])
def test_an_interval_is_students_around_the_value_not_around_the_draws(units, draws):
    some = DRAWS[:draws]
    found = over(1.0, some, units)
    error = np.std(some, ddof=1) * math.sqrt(units / (units - 1))
    student = stats.t(min(units, draws) - 1, 1.0, error)
    assert found.standard_error == pytest.approx(error)
    assert found[1:3] == pytest.approx(student.interval(0.95))
    assert found.p_value == pytest.approx(2 * student.cdf(0.0))


def test_the_interval_excludes_0_where_the_test_finds_a_difference():
    for value in np.linspace(-1, 1, 41):
        found = over(value, DRAWS, 30)
        assert (found.low > 0 or found.high < 0) == (found.p_value < 0.05)


@pytest.mark.parametrize("value", [-1.99, -0.5, 0.0, 1.2, 1.99])
def test_no_end_is_beyond_the_limits_of_the_measure(value):
    drawn = np.clip(np.random.default_rng(3).normal(value, 0.8, 200), *SIZE)
    found = over(value, drawn, 9, SIZE)
    assert -2 < found.low < value < found.high < 2
    assert (found.p_value < 0.05) == (found.low * found.high > 0)
    other = DrawnEstimate.of(-value, -drawn, 9, SIZE)
    difference = spread([(1.0, DrawnEstimate.of(value, drawn, 9, SIZE)), (-1.0, other)])
    assert -4 < difference.low < 2 * value < difference.high < 4
    # At a limit there is nothing but a cut.
    at = over(2.0, drawn, 9, SIZE)
    assert at.low < at.high == 2


def test_differences_add_the_squares_of_the_distances_to_the_ends():
    one, other = (
        Drawn(KEY, value, units, documents=some).over_documents()
        for value, some, units in ((1.0, DRAWS, 12), (0.4, DRAWS[:80], 30))
    )
    found, ends = (
        spread([(1.0, one), (-1.0, other)]),
        (over(1.0, DRAWS, 12), over(0.4, DRAWS[:80], 30)),
    )
    below = math.hypot(1.0 - ends[0].low, ends[1].high - 0.4)
    assert found[:2] == pytest.approx((math.hypot(one.error, other.error), 0.6 - below))


NOISE = np.random.default_rng(5).normal(0.37, 0.1, 20)


def excess(value=0.8, embedding="pmi", **draws):
    drawn = {"documents": DRAWS, "shuffled": NOISE} | draws
    key = (embedding, "weat", "q", "q")
    return Drawn(key, value, drawn.pop("units", 50), **drawn).columns(0.95)


def test_a_value_of_vectors_is_judged_against_the_mean_of_shuffled_texts_with_its_variance():
    found = excess()
    assert (found["null_mean"], found["excess"]) == (NOISE.mean(), 0.8 - NOISE.mean())
    own, null = over(0.8, DRAWS, 50), stats.sem(NOISE) * stats.t(19).ppf(0.975)
    half = math.hypot(own.high - 0.8, null)
    assert found["excess_high"] - found["excess"] == pytest.approx(half)
    assert (found["excess_p"] < 0.05) == (found["excess"] > half)
    assert excess(0.37 + half)["excess_p"] == pytest.approx(0.05, abs=0.02)


def columns(embedding="sgns", **draws):
    draws = {"without_association": 0.0} | draws
    drawn = Drawn((embedding, "weat", "q", "q"), 0.0, 1_000_000, **draws)
    return drawn.columns(0.95)


def null_band(shuffled):
    found = columns(shuffled=shuffled)
    return found["null_low"], found["null_high"]


def test_a_null_band_holds_95_of_100_values_of_one_more_shuffled_sample():
    drawn = np.random.default_rng(2).normal(3, 2, (4_000, 6))
    bands = np.array([null_band(row[:5]) for row in drawn])
    inside = (bands[:, 0] <= drawn[:, 5]) & (drawn[:, 5] <= bands[:, 1])
    assert 0.93 < inside.mean() < 0.97
    assert all(map(math.isnan, null_band(drawn[0, :1])))


def test_shares_are_those_of_planted_variances():
    random = np.random.default_rng(3)
    seeds, documents, words = (random.normal(0, sd, 20_000) for sd in (1, 2, 2))
    # Draws of documents have other seeds.
    found = columns(seeds=seeds, documents=documents + random.permutation(seeds), words=words)
    shares = [found[f"share_{part}"] for part in ("documents", "seeds", "words")]
    assert shares == pytest.approx([4 / 9, 1 / 9, 4 / 9], abs=0.01)
    assert sum(shares) == pytest.approx(1)
    assert found["reason"] == ""


def test_a_smaller_value_than_the_smallest_effect_cannot_be_told_from_0():
    found = columns("pmi", documents=DRAWS, words=DRAWS)
    small, large = (
        over(found["smallest_effect"] * part, DRAWS, 1_000_000) for part in (0.99, 1.01)
    )
    assert small.low < 0 < large.low


def test_documents_that_are_all_equal_have_an_interval_of_no_width():
    found = over(0.3, np.full(50, 0.3), 8)
    assert found[:3] == (0.0, 0.3, 0.3)
    assert math.isnan(found.p_value)


def test_the_error_is_at_least_that_of_shuffled_texts():
    wide = 0.37 + 9 * (NOISE - 0.37)
    found, n = excess(shuffled=wide), len(NOISE)
    half = stats.t(n - 1).ppf(0.975) * wide.std(ddof=1) * math.sqrt(1 + 1 / n)
    assert (found["excess_high"] - found["excess_low"]) / 2 == pytest.approx(half)


def test_over_all_three_variances_are_added():
    found = columns("pmi", documents=DRAWS[:100], words=DRAWS[100:])
    total = math.hypot(DRAWS[:100].std(ddof=1), DRAWS[100:].std(ddof=1))
    assert found["high_all"] == pytest.approx(stats.t(99).ppf(0.975) * total)
    assert found["low_all"] == -found["high_all"]
