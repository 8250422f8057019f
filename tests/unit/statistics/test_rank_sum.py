"""Mann and Whitney's test of every two groups, against scipy's of two."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.statistics.rank_tests import least_p, rank_sum_p


def scipy_p(one, other):
    from scipy.stats import mannwhitneyu

    if len(set(one) | set(other)) == 1:
        return 1.0
    return mannwhitneyu(one, other, method="auto").pvalue


VALUES = st.lists(st.integers(-4, 4), min_size=1, max_size=12)
FINE = st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=12)


@given(st.lists(st.one_of(VALUES, FINE), min_size=2, max_size=4))
def test_every_two_groups_have_the_p_value_of_scipy(groups):
    found = rank_sum_p([np.array(group, dtype=float) for group in groups])
    for i, one in enumerate(groups):
        for j, other in enumerate(groups):
            expected = 1.0 if i == j else scipy_p(one, other)
            assert found[i, j] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 3), (4, 4), (2, 30), (8, 9)])
def test_the_least_p_is_that_of_groups_that_do_not_interleave(n, m):
    low, high = np.arange(n, dtype=float), 100.0 + np.arange(m)
    assert rank_sum_p([low, high])[0, 1] == pytest.approx(least_p(n, m))


def test_large_groups_have_the_p_value_of_scipy():
    random = np.random.default_rng(3)
    groups = [random.normal(shift, size=size) for shift, size in ((0, 40), (0.5, 9), (1, 33))]
    found = rank_sum_p(groups)
    assert found[0, 1] == pytest.approx(scipy_p(groups[0], groups[1]))
    assert found[0, 2] == pytest.approx(scipy_p(groups[0], groups[2]))
