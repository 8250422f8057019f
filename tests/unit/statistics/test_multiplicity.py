"""Adjusted p-values, checked against printed ones, their definitions and scipy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairflow.statistics.rank_tests import benjamini_hochberg, holm


def rejected_step_by_step(p, level):
    """Holm's procedure as he states it: the smallest against level / m, the next / (m - 1), ..."""
    rejected = set()
    for step, i in enumerate(np.argsort(p, kind="stable")):
        if p[i] * (len(p) - step) > level:
            break
        rejected.add(i)
    return rejected


# The example of Benjamini & Hochberg (1995): thrombolysis after infarction, 15 comparisons.
PRINTED = """
.0001 .0004 .0019 .0095 .0201 .0278 .0298 .0344 .0459 .3240 .4262 .5719 .6528 .7590 1.0000
"""
THROMBOLYSIS = np.array(PRINTED.split(), dtype=float)
P_VALUES = st.lists(st.floats(0, 1) | st.sampled_from([0.01, 0.05, math.nan]), max_size=12)


def test_benjamini_and_hochberg_reject_the_four_comparisons_that_they_print():
    adjusted = benjamini_hochberg(THROMBOLYSIS)
    assert (adjusted <= 0.05).sum() == 4
    assert adjusted[:4] == pytest.approx([0.0015, 0.003, 0.0095, 0.035625])


def test_holm_rejects_only_three_of_the_same_comparisons():
    adjusted = holm(THROMBOLYSIS)
    assert (adjusted <= 0.05).sum() == 3
    assert adjusted[:4] == pytest.approx([0.0015, 0.0056, 0.0247, 0.114])


@given(P_VALUES)
def test_benjamini_hochberg_is_that_of_scipy_for_what_is_not_nan(values):
    p = np.array(values, dtype=float)
    known = ~np.isnan(p)
    adjusted = benjamini_hochberg(p)
    assert np.isnan(adjusted).tolist() == (~known).tolist()
    if known.any():
        np.testing.assert_allclose(adjusted[known], stats.false_discovery_control(p[known]))


def test_holm_adjusts_in_the_order_given():
    # The usual worked example: 4 p1, then 3 p2, 2 p3 and p4, never falling.
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert [*holm(np.array([0.6, 0.9]))] == [1, 1]


@given(P_VALUES, st.floats(0.001, 0.999))
def test_adjusted_values_up_to_a_level_are_what_holms_steps_reject(values, level):
    p = np.array([v for v in values if not math.isnan(v)])
    assert set(np.flatnonzero(holm(p) <= level)) == rejected_step_by_step(p, level)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_nan_stays_where_it_is_and_does_not_count(adjust):
    adjusted = adjust(np.array([math.nan, 0.01, math.nan, 0.02]))
    assert np.isnan(adjusted).tolist() == [True, False, True, False]
    assert adjusted[[1, 3]].tolist() == adjust(np.array([0.01, 0.02])).tolist()
    assert adjust(np.array([])).tolist() == []
