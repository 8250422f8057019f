"""MAC: mean cosine distance of target words to attribute sets."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow import MAC, Query
from fairflow.errors import DegenerateError
from fairflow.scores.word_cell import WordVariant

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


def test_result_has_the_documented_keys(model):
    result = MAC().run_query(QUERY, model)
    assert list(result)[:-3] == ["query_name", "result", "mac", "mac_difference", "targets_eval"]
    assert result["result"] == result["mac"]


def test_a_query_that_lost_too_many_words_is_nan_with_the_same_keys(model):
    result = MAC().run_query(Query([["east", "lost"]], [["north"]]), model)
    assert list(result)[:-3] == ["query_name", "result", "mac", "mac_difference", "targets_eval"]
    assert math.isnan(result["result"])
    assert math.isnan(result["mac"])
    assert result["targets_eval"] == {}


def test_the_difference_of_two_target_sets_is_that_of_their_means_and_cannot_be_ranked(model):
    result = MAC().run_query(Query([["east"], ["north"]], [["north"]]), model)
    # 1 - cos is 1 for orthogonal words and 0 for a word with itself.
    assert result["mac_difference"] == pytest.approx(1)
    assert math.isnan(MAC().run_query(Query([["east"]], [["north"]]), model)["mac_difference"])
    (problem,) = WordVariant("mac", "mac", "mac_difference").problems()
    assert problem.endswith("has no measure 'mac_difference': mac")


def test_an_undefined_result_does_not_share_its_dictionary_with_the_next(model):
    query = Query([["lost"]], [["north"]])
    MAC().run_query(query, model)["targets_eval"]["T"] = "changed by the caller"
    assert MAC().run_query(query, model)["targets_eval"] == {}


def test_a_zero_vector_is_refused_by_name(model):
    with pytest.raises(DegenerateError, match=r"vectors: zero$"):
        MAC().run_query(Query([["east"]], [["north", "zero"]]), model, zero_vectors="error")


def test_a_set_of_which_no_word_was_found_has_no_score_whatever_the_threshold(model):
    query = Query([["lost"], ["east"]], [["north"]], ["Lost", "Here"])
    with pytest.raises(DegenerateError, match=r"no word was found of Lost$"):
        MAC().run_query(query, model, lost_vocabulary_threshold=1.0)


def test_an_unknown_parameter_is_refused_with_the_nearest_name(model):
    with pytest.raises(TypeError, match=r"'normalise'.*'normalize'"):
        MAC().run_query(QUERY, model, normalise=True)


def test_a_query_without_attribute_set_is_refused(model):
    with pytest.raises(ValueError, match="MAC takes n attribute sets, the query has 0"):
        MAC().run_query(Query([["east"]], []), model)


@given(SEEDS, st.floats(1e-3, 1e3), st.booleans())
def test_the_length_of_the_vectors_does_not_matter(random_model, seed, scale, normalize):
    query = Query(list(SETS[:2]), list(SETS[2:]))
    plain = MAC().run_query(query, random_model(seed))["mac"]
    scaled = MAC().run_query(query, random_model(seed, scale), normalize=normalize)["mac"]
    # The scaled vectors are rounded to float32 anew.
    assert scaled == pytest.approx(plain, abs=1e-6)


@given(SEEDS, st.data())
def test_the_order_of_words_and_of_sets_does_not_matter(random_model, seed, data):
    model = random_model(seed)
    x, y, a, b = (data.draw(st.permutations(words)) for words in SETS)
    plain = MAC().run_query(Query(list(SETS[:2]), list(SETS[2:])), model)["mac"]
    assert MAC().run_query(Query([y, x], [b, a]), model)["mac"] == pytest.approx(plain, abs=1e-12)


@given(SEEDS)
def test_mac_lies_between_0_and_2(random_model, seed):
    model = random_model(seed, dims=2)
    assert 0 <= MAC().run_query(Query([["w0"]], [["w1"]]), model)["mac"] <= 2
    # Rounding must not push a word's distance to itself below 0.
    assert 0 <= MAC().run_query(Query([["w0"]], [["w0"]]), model)["mac"] <= 1e-14
