"""WEAT: statistic and effect size of two target and two attribute sets."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow import WEAT, Query
from fairflow.errors import DegenerateError
from fairflow.queries.lookup import Lookup

SEEDS = st.integers(0, 10_000)
SETS = ["w0", "w1", "w2"], ["w3", "w4"], ["w5", "w6"], ["w7", "w8", "w9"]


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(
        east=[1, 0], north=[0, 1], steep=[3, 4], flat=[4, 3], far=[5, 0], up=[0, 2], zero=[0, 0]
    )


# s(w) = cos(w, east) - cos(w, north): steep 3/5 - 4/5 = -0.2, flat 0.2, far 1, up -1.
QUERY = Query([["steep", "far"], ["flat", "up"]], [["east"], ["north"]])


def test_statistic_is_the_difference_of_summed_associations(model):
    # (-0.2 + 1) - (0.2 - 1)
    assert WEAT().run_query(QUERY, model)["weat"] == pytest.approx(1.6, abs=1e-12)


def test_effect_size_divides_the_difference_of_means_by_the_sample_sd(model):
    # Means 0.4 and -0.4; the four s sum to 0 and their squares to 2.08.
    expected = 0.8 / math.sqrt(2.08 / 3)
    assert WEAT().run_query(QUERY, model)["effect_size"] == pytest.approx(expected, abs=1e-12)


def test_effect_size_is_the_result_when_asked_for(model):
    result = WEAT().run_query(QUERY, model, return_effect_size=True)
    assert result["result"] == result["effect_size"] != result["weat"]


def test_a_word_value_is_the_association_of_that_word(model):
    outcome = WEAT().evaluate(model.look_up(QUERY, Lookup()))
    found = {(value.set, value.word): value.value for value in outcome.words}
    assert found == pytest.approx(
        {
            ("Target set 0", "steep"): -0.2,
            ("Target set 0", "far"): 1.0,
            ("Target set 1", "flat"): 0.2,
            ("Target set 1", "up"): -1.0,
        }
    )


def test_effect_size_of_equal_associations_is_nan_with_a_reason(model):
    query = Query([["far"], ["east"]], [["east"], ["north"]])
    outcome = WEAT().evaluate(model.look_up(query, Lookup()))
    assert outcome.measures["weat"] == 0
    assert math.isnan(outcome.measures["effect_size"])
    assert "sd is 0" in outcome.reasons["effect_size"]


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_vector_that_is_not_finite_is_refused_by_name(model_of, bad):
    model = model_of(a=[1, 0], b=[0, 1], broken=[bad, 1])
    with pytest.raises(DegenerateError, match="broken"):
        WEAT().run_query(Query([["a"], ["broken"]], [["a"], ["b"]]), model)


def test_another_convention_is_refused(model):
    with pytest.raises(ValueError, match="'paper', 'wefe', 'both', got 'sample'"):
        WEAT().run_query(QUERY, model, convention="sample")


@given(SEEDS)
def test_swapping_targets_or_attributes_changes_the_sign(random_model, seed):
    model, (x, y, a, b) = random_model(seed), SETS
    keys = ("weat", "effect_size")
    straight = WEAT().run_query(Query([x, y], [a, b]), model)
    for swapped in (Query([y, x], [a, b]), Query([x, y], [b, a])):
        result = WEAT().run_query(swapped, model)
        assert [result[k] for k in keys] == pytest.approx([-straight[k] for k in keys], abs=1e-12)


@pytest.mark.parametrize(
    "parameters", [{}, {"convention": "wefe"}, {"convention": "wefe", "return_effect_size": True}]
)
def test_parameters_declared_without_effect_on_the_test_have_none(model, parameters):
    assert set(parameters) <= set(WEAT.without_effect_on_test)
    query = Query([["steep", "far", "east"], ["flat", "up"]], [["east"], ["north"]])
    one_sided = {"calculate_p_value": True, "p_value_test_type": "right-sided"}
    p = WEAT().run_query(query, model, **one_sided, **parameters)["p_value"]
    # Of the 10 choices of three of -0.2, 1, 1, 0.2, -1 only 0.2 + 1 + 1 exceeds -0.2 + 1 + 1.
    assert p == pytest.approx(0.2, abs=1e-12)
