"""The smallest effect that a test finds: the table against simulation and against other tests."""

import math

import numpy as np
import pytest
from scipy.stats import nct, t

from fairflow.statistics.exact_sum_test import upper_tail
from fairflow.statistics.smallest_effect import (
    effect_of_shift,
    simulated_shift,
    smallest_effect,
    write_table,
)


@pytest.mark.parametrize(
    ("first", "second"), [(3, 4), (4, 4), (8, 8), (2, 6), (5, 32), (11, 18), (25, 60)]
)
def test_the_table_holds_and_interpolates_what_simulation_gives(first, second):
    shifts = simulated_shift(first, second, 4_000, np.random.default_rng(5))
    for side, alternative in (("one-sided", "greater"), ("two-sided", "two-sided")):
        found = smallest_effect(first, second, alternative)
        assert found.value == pytest.approx(effect_of_shift(shifts[side], first, second), rel=0.03)
        assert found.reason == ""


def test_large_sets_find_what_the_test_of_student_finds():
    for first, second in ((60, 60), (20, 400), (3000, 5000)):
        freedom, error = first + second - 2, math.sqrt(1 / first + 1 / second)
        critical = t.ppf(0.975, freedom)
        shifts = np.linspace(2, 4, 2001)
        noncentral = shifts[np.searchsorted(nct.sf(critical, freedom, shifts), 0.8)]
        expected = effect_of_shift(noncentral * error, first, second)
        assert smallest_effect(first, second).value == pytest.approx(expected, rel=0.02)


def test_the_exact_test_finds_it_with_the_power_that_is_named():
    n, random = 6, np.random.default_rng(3)
    shift = math.sqrt(2 / n) * 3.1  # 3.1 standard errors
    effect = smallest_effect(n, n).value
    assert effect_of_shift(shift, n, n) == pytest.approx(effect, abs=0.02)
    found = 0
    for _ in range(400):
        values = random.normal(size=2 * n)
        values[:n] += shift
        above = abs(values[:n].sum() - values.mean() * n)
        # As many choices of words lie as far below.
        found += 2 * upper_tail(values, n, values.mean() * n + above, 1e-9).p < 0.05
    assert found / 400 == pytest.approx(0.8, abs=0.06)


def test_the_effect_is_the_d_of_sets_with_that_shift():
    random = np.random.default_rng(0)
    ratios = []
    for _ in range(2_000):
        first, second = random.normal(size=40) + 0.9, random.normal(size=25)
        spread = np.concatenate([first, second]).std(ddof=1)
        ratios.append((first.mean() - second.mean()) / spread)
    assert effect_of_shift(0.9, 40, 25) == pytest.approx(np.mean(ratios), abs=0.02)
    # No d is larger than that of two sets without any spread.
    apart = np.repeat([1.0, -1.0], 8)
    assert effect_of_shift(1e9, 8, 8) == pytest.approx(2 / apart.std(ddof=1))


@pytest.mark.parametrize(
    ("sizes", "alternative", "reason"),
    [
        ((3, 3), "greater", "p is at least 0.05"),
        ((3, 3), "two-sided", "p is at least 0.1"),
        ((2, 4), "less", "p is at least 0.067"),
        ((1, 400), "two-sided", "fewer than 2 words"),
    ],
)
def test_too_few_exchanges_find_nothing(sizes, alternative, reason):
    found = smallest_effect(*sizes, alternative)
    assert math.isnan(found.value)
    assert reason in found.reason


def test_more_words_find_smaller_effects_and_the_order_of_sets_is_free():
    for alternative in ("greater", "two-sided"):
        values = [smallest_effect(n, n, alternative).value for n in range(4, 700)]
        assert (np.diff(values) < 0).all()
    assert smallest_effect(8, 30) == smallest_effect(30, 8)
    assert smallest_effect(8, 8, "less") == smallest_effect(8, 8, "greater")


def test_the_table_is_written_by_the_simulation(tmp_path):
    write_table(tmp_path / "table.csv", samples=300, seed=1, sizes=(3, 4, 5))
    rows = (tmp_path / "table.csv").read_text().splitlines()
    assert rows[:2] == ["first,second,one-sided,two-sided", "3,3,inf,inf"]
    shifts = simulated_shift(3, 5, 300, np.random.default_rng([1, 3, 5]))
    assert rows[3] == f"3,5,{shifts['one-sided']:.4f},{shifts['two-sided']:.4f}"
