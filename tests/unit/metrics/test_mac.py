"""MAC: mean cosine distance of target words to attribute sets."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow import MAC, Query
from fairflow.scores.word_variant import WordVariant

SEEDS = st.integers(0, 10_000)
SETS = ["w0", "w1", "w2"], ["w3", "w4"], ["w5", "w6"], ["w7", "w8", "w9"]
QUERY = Query(
    [["east"], ["steep", "north"]], [["east", "steep"], ["north"]], ["T", "U"], ["A", "B"]
)


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(east=[1, 0], north=[0, 2], steep=[3, 4], west=[-7, 0], zero=[0, 0])


def test_each_word_has_its_mean_distance_to_each_attribute_set(model):
    # 1 - cos: east-steep 0.4, east-north 1, steep-north 0.2.
    found = MAC().run_query(QUERY, model)["targets_eval"]
    assert found["T"]["east"] == pytest.approx({"A": 0.2, "B": 1.0}, abs=1e-12)
    assert found["U"]["steep"] == pytest.approx({"A": 0.2, "B": 0.2}, abs=1e-12)
    assert found["U"]["north"] == pytest.approx({"A": 0.6, "B": 0.0}, abs=1e-12)
    assert (list(found), list(found["U"])) == (["T", "U"], ["steep", "north"])


def test_every_pair_of_word_and_attribute_set_weighs_the_same(model):
    # A mean over target sets first would give (0.6 + 0.25) / 2.
    expected = (0.2 + 1.0 + 0.2 + 0.2 + 0.6 + 0.0) / 6
    assert MAC().run_query(QUERY, model)["mac"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("word", "expected"), [("east", 0), ("north", 1), ("west", 2)])
def test_the_distance_is_0_along_1_across_and_2_against(model, word, expected):
    assert MAC().run_query(Query([["east"]], [[word]]), model)["mac"] == expected


def test_the_difference_of_two_target_sets_is_that_of_their_means_and_cannot_be_ranked(model):
    result = MAC().run_query(Query([["east"], ["north"]], [["north"]]), model)
    # 1 - cos is 1 for orthogonal words and 0 for a word with itself.
    assert result["mac_difference"] == pytest.approx(1)
    assert math.isnan(MAC().run_query(Query([["east"]], [["north"]]), model)["mac_difference"])
    (problem,) = WordVariant("mac", "mac", "mac_difference").problems()
    assert problem.endswith("has no measure 'mac_difference': mac")


@given(SEEDS)
def test_mac_lies_between_0_and_2(random_model, seed):
    model = random_model(seed, dims=2)
    assert 0 <= MAC().run_query(Query([["w0"]], [["w1"]]), model)["mac"] <= 2
    # Rounding must not push a word's distance to itself below 0.
    assert 0 <= MAC().run_query(Query([["w0"]], [["w0"]]), model)["mac"] <= 1e-14
