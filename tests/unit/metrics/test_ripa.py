"""RIPA: how attribute words lie along the directions between paired target words."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow import RIPA, Query
from fairflow.errors import DegenerateError

SEEDS = st.integers(0, 10_000)
SETS = ["w0", "w1", "w2"], ["w3", "w4", "w5"], ["w6", "w7", "w8"]
# x1 - y1 = (3, 4), of length 5; x2 - y2 = (1, 0).
QUERY = Query([["x1", "x2"], ["y1", "y2"]], [["along", "across"]])


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(
        x1=[4, 4], y1=[1, 0], x2=[2, 1], y2=[1, 1], x3=[7, -3], twin=[2, 1],
        along=[5, 0], across=[0, 5], zero=[0, 0],
    )  # fmt: skip


def test_ripa_is_the_mean_inner_product_with_the_unit_difference_of_each_pair(model):
    # along: 3 and 5, mean 4, sd 1; across: 4 and 0, mean 2, sd 2.
    result = RIPA().run_query(QUERY, model)
    assert result["ripa"] == pytest.approx(3, abs=1e-12)
    values = result["word_values"]
    assert values["along"] == pytest.approx({"mean": 4, "std": 1}, abs=1e-12)
    assert values["across"] == pytest.approx({"mean": 2, "std": 2}, abs=1e-12)


def test_normalized_vectors_are_subtracted_after_their_division(model):
    # x1 = (1, 1)/sqrt 2, y1 = (1, 0): their difference dotted with (1, 0) over its length.
    half = math.sqrt(0.5)
    expected = (half - 1) / math.hypot(half - 1, half)
    query = Query([["x1"], ["y1"]], [["along"]])
    result = RIPA().run_query(query, model, normalize=True)
    assert result["ripa"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["x1", "lost", "x2"], ["y1", "x3", "y2"]),
        (["x1", "x3", "x2"], ["y1", "lost", "y2"]),
        (["lost", "x1", "x3", "x2"], ["x3", "y1", "gone", "y2"]),
    ],
)
def test_a_pair_that_lost_a_word_is_left_out_and_the_others_stay_together(model, first, second):
    query = Query([first, second], [["along", "across"]])
    result = RIPA().run_query(query, model, lost_vocabulary_threshold=0.5)
    complete = RIPA().run_query(QUERY, model)
    assert result["ripa"] == pytest.approx(complete["ripa"], abs=1e-12)


def test_a_query_without_a_complete_pair_is_refused(model):
    query = Query([["x1", "lost"], ["gone", "y2"]], [["along"]])
    with pytest.raises(DegenerateError, match="no pair of target words was found whole"):
        RIPA().run_query(query, model, lost_vocabulary_threshold=0.5)


def test_a_pair_of_equal_vectors_is_refused_by_name(model):
    query = Query([["x1", "x2"], ["y1", "twin"]], [["along"]])
    with pytest.raises(DegenerateError, match=r"both words of a pair .* same vector: x2$"):
        RIPA().run_query(query, model)


@given(SEEDS)
def test_swapping_targets_changes_the_sign(random_model, seed):
    model, (x, y, a) = random_model(seed), SETS
    straight = RIPA().run_query(Query([x, y], [a]), model)["ripa"]
    swapped = RIPA().run_query(Query([y, x], [a]), model)["ripa"]
    assert swapped == pytest.approx(-straight, abs=1e-12)


@given(SEEDS, st.sampled_from([0.125, 2.0, 16.0]))
def test_ripa_grows_with_the_length_of_the_vectors_unless_they_are_normalised(
    random_model, seed, scale
):
    model, longer, query = (
        random_model(seed),
        random_model(seed, scale),
        Query(list(SETS[:2]), [SETS[2]]),
    )
    plain = RIPA().run_query(query, model)["ripa"]
    assert RIPA().run_query(query, longer)["ripa"] == pytest.approx(scale * plain, abs=1e-9)
    unit = [RIPA().run_query(query, m, normalize=True)["ripa"] for m in (model, longer)]
    assert unit[0] == pytest.approx(unit[1], abs=1e-12)


@given(SEEDS, st.permutations(range(3)), st.permutations(SETS[2]))
def test_the_order_of_pairs_and_of_attribute_words_does_not_matter(
    random_model, seed, order, attribute
):
    model = random_model(seed)
    plain = RIPA().run_query(Query(list(SETS[:2]), [SETS[2]]), model)["ripa"]
    pairs = [[words[i] for i in order] for words in SETS[:2]]
    shuffled = RIPA().run_query(Query(pairs, [attribute]), model)["ripa"]
    assert shuffled == pytest.approx(plain, abs=1e-12)


def test_a_repeated_word_keeps_its_pairs(model_of):
    model = model_of(a=[1, 0], b=[0, 2], c=[0, 1], d=[3, 0], far=[1, 1])
    repeated = Query([["a", "a", "b"], ["c", "d", "d"]], [["far"]])
    apart = model_of(a=[1, 0], a2=[1, 0], b=[0, 2], c=[0, 1], d=[3, 0], d2=[3, 0], far=[1, 1])
    spelt = Query([["a", "a2", "b"], ["c", "d", "d2"]], [["far"]])
    result = RIPA().run_query(repeated, model)
    assert result["ripa"] == RIPA().run_query(spelt, apart)["ripa"]
    assert result["n_pairs"] == 3


@pytest.mark.parametrize("sets", [(["x1", "x2", "x3"], ["y1", "y2"]), (["x1"], ["y1", "y2"])])
def test_words_without_a_partner_are_left_out(model, sets):
    shorter = min(map(len, sets))
    paired = [words[:shorter] for words in sets]
    expected = RIPA().run_query(Query(paired, [["along", "across"]]), model)["ripa"]
    assert RIPA().run_query(Query(list(sets), [["along", "across"]]), model)["ripa"] == expected
