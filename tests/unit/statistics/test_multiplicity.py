"""Adjusted p-values, checked against printed ones, their definitions and scipy."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairflow.errors import FairflowError
from fairflow.statistics.multiplicity import adjust_families, benjamini_hochberg, holm
from fairflow.studies.distinct_tests import Sameness, measurements

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


def test_holm_adjusts_in_the_order_given():
    # The usual worked example: 4 p1, then 3 p2, 2 p3 and p4, never falling.
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def rejected_step_by_step(p, level):
    """Holm's procedure as he states it: the smallest against level / m, the next / (m - 1), ..."""
    rejected = set()
    for step, i in enumerate(np.argsort(p, kind="stable")):
        if p[i] * (len(p) - step) > level:
            break
        rejected.add(i)
    return rejected


@given(P_VALUES, st.floats(0.001, 0.999))
def test_adjusted_values_up_to_a_level_are_what_holms_steps_reject(values, level):
    p = np.array([v for v in values if not math.isnan(v)])
    assert set(np.flatnonzero(holm(p) <= level)) == rejected_step_by_step(p, level)


@given(P_VALUES)
def test_benjamini_hochberg_is_that_of_scipy_for_what_is_not_nan(values):
    p = np.array(values, dtype=float)
    known = ~np.isnan(p)
    adjusted = benjamini_hochberg(p)
    assert np.isnan(adjusted).tolist() == (~known).tolist()
    if known.any():
        np.testing.assert_allclose(adjusted[known], stats.false_discovery_control(p[known]))


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_nan_stays_where_it_is_and_does_not_count(adjust):
    adjusted = adjust(np.array([math.nan, 0.01, math.nan, 0.02]))
    assert np.isnan(adjusted).tolist() == [True, False, True, False]
    assert adjusted[[1, 3]].tolist() == adjust(np.array([0.01, 0.02])).tolist()
    assert adjust(np.array([])).tolist() == []


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_one_test_is_not_adjusted(adjust):
    assert adjust(np.array([0.03])).tolist() == [0.03]


def scores(*rows, index=None):
    """Rows of (criterion, metric, model, digest, headline, p_value)."""
    columns = ["criterion", "metric", "model", "subquery_digest", "headline", "p_value"]
    return pd.DataFrame(rows, columns=columns, index=index)


BY_MODEL = ["criterion", "metric", "model"]


def test_the_tests_of_a_family_are_adjusted_together_and_others_apart():
    table = scores(
        ("Gender", "weat", "m", "a", True, 0.01),
        ("Gender", "weat", "n", "a", True, 0.04),
        ("Gender", "weat", "m", "b", True, 0.03),
    )
    found = adjust_families(table, BY_MODEL)
    assert found["family"].tolist() == [f"Gender / weat / {model}" for model in "mnm"]
    assert found["p_holm"].tolist() == pytest.approx([0.02, 0.04, 0.03])
    assert found["p_bh"].tolist() == pytest.approx([0.02, 0.04, 0.03])
    wider = adjust_families(table, ["criterion"])
    assert wider["p_holm"].tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert adjust_families(table, [])["p_holm"].tolist() == wider["p_holm"].tolist()
    assert set(adjust_families(table, [])["family"]) == {"all"}


def test_rows_without_a_test_and_other_measures_take_no_part():
    table = scores(
        ("Gender", "weat", "m", "a", True, 0.01),
        ("Gender", "weat", "m", "b", True, math.nan),
        ("Gender", "weat", "m", "c", False, 0.02),
        index=[7, 3, 5],
    )
    found = adjust_families(table, BY_MODEL)
    assert found.index.tolist() == [7, 3, 5]
    assert found["p_holm"].isna().tolist() == [False, True, True]
    assert found.loc[7, "p_holm"] == 0.01
    assert found["family"].isna().tolist() == [False, True, True]


def test_a_test_that_stands_in_several_queries_counts_once():
    table = scores(
        ("Gender", "weat", "m", "a", True, 0.01),
        ("Gender", "weat", "m", "a", True, 0.012),  # the same test, drawn with another seed
        ("Gender", "weat", "m", "b", True, 0.5),
    )
    found = adjust_families(table, BY_MODEL)
    assert found["p_holm"].tolist() == pytest.approx([0.024, 0.024, 0.5])
    assert found["p_bh"].tolist() == pytest.approx([0.024, 0.024, 0.5])


def test_equal_words_on_two_models_are_two_tests():
    table = scores(
        ("Gender", "weat", "m", "a", True, 0.01), ("Gender", "weat", "n", "a", True, 0.02)
    )
    assert adjust_families(table, ["metric"])["p_holm"].tolist() == pytest.approx([0.02, 0.02])


# WEAT's sum and its effect size exchange one statistic; a twin has the vectors of its model.
SAME = Sameness(
    statistics={"weat": "weat", "effect size": "weat"},
    vectors={"twin": "m"},
    scaling={"rnd": True},
)


def repeated(**columns):
    """Two tests, a and b, each told by two variants on a model and on its twin."""
    return scores(
        *(
            ("Gender", metric, model, digest, True, p)
            for metric in ("weat", "effect size")
            for model in ("m", "twin")
            for digest, p in (("a", 0.01), ("b", 0.03))
        )
    ).assign(**columns)


def test_a_test_told_by_several_variants_and_a_twin_counts_once():
    found = adjust_families(repeated(), BY_MODEL, SAME)
    assert found["measurement"].nunique() == 2
    assert set(found["family"]) == {"Gender / weat, effect size / m, twin"}
    assert found["p_holm"].tolist() == pytest.approx([0.02, 0.03] * 4)
    assert found["p_bh"].tolist() == pytest.approx([0.02, 0.03] * 4)
    # As one family of all, too.
    assert adjust_families(repeated(), [], SAME)["p_holm"].tolist() == pytest.approx(
        [0.02, 0.03] * 4
    )


def test_without_that_knowledge_they_would_count_eight_times():
    assert adjust_families(repeated(), ["criterion"])["p_holm"].iloc[0] == pytest.approx(0.08)


def test_one_sided_and_two_sided_readings_of_a_test_are_one_member_of_its_family():
    table = scores(
        ("Gender", "weat", "m", "a", True, 0.01),
        ("Gender", "weat", "m", "b", True, 0.03),
        ("Gender", "effect size", "m", "a", True, 0.02),
        ("Gender", "effect size", "m", "b", True, 0.06),
        ("Gender", "rnd", "m", "a", True, 0.5),
    ).assign(p_side=["right", "right", "two-sided", "two-sided", "two-sided"])
    found = adjust_families(table, ["criterion"], SAME)
    # Three tests, not five; the right-sided ones are adjusted with the one test of rnd.
    assert found["p_holm"].tolist() == pytest.approx([0.03, 0.06, 0.06, 0.12, 0.5])
    assert found["measurement"].nunique() == 3


@pytest.mark.parametrize(
    ("change", "distinct"),
    [
        ({}, 1),
        ({"model": ["m", "twin"]}, 1),
        ({"model": ["m", "other"]}, 2),
        ({"metric": ["weat", "effect size"]}, 1),
        ({"metric": ["rnd", "rnd"], "model": ["m", "twin"]}, 2),  # length counts
        ({"lost_words": [["Billy"], []], "model": ["m", "twin"]}, 2),  # a part of the vectors
        ({"lost_words": [np.array(["Billy"]), ["Billy"]]}, 1),
        ({"respelt_words": [[{"word": "Jew", "form": "jew"}], []]}, 2),
        ({"p_statistic": ["difference", "ratio"]}, 2),
        ({"p_side": ["right", "two-sided"]}, 1),
        ({"p_value": [0.1, 0.2]}, 1),  # drawn with two seeds
    ],
)
def test_rows_of_the_same_vectors_words_and_statistic_are_one_measurement(change, distinct):
    table = scores(*[("Gender", "weat", "m", "a", True, 0.1)] * 2).assign(**change)
    assert measurements(table, SAME).nunique() == distinct


def test_a_study_without_any_test_has_empty_columns():
    found = adjust_families(scores(("Gender", "weat", "m", "a", True, math.nan)), BY_MODEL)
    assert found[["family", "p_holm", "p_bh"]].isna().all().all()
    assert found["measurement"].notna().all()


def test_an_unknown_column_is_refused_with_the_nearest_one():
    with pytest.raises(FairflowError, match=r"families: .*'metrik'\. Did you mean 'metric'"):
        adjust_families(scores(("G", "weat", "m", "a", True, 0.1)), ["metrik"])
