"""Multiclass hard debias takes a subspace out of words and makes groups even within it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.errors import FairflowError
from fairflow.transforms.multiclass_hard_debias import MulticlassHardDebias

# Three groups at the corners of a triangle in the first two axes.
CORNERS = [[1, 0], [-0.5, np.sqrt(0.75)], [-0.5, -np.sqrt(0.75)]]
GROUPS = ["jew", "christian", "muslim"]
SPACE = {word: [0.6 * x, 0.6 * y, 0.8, 0] for word, (x, y) in zip(GROUPS, CORNERS, strict=True)} | {
    "greedy": [2, 1, 0, 3],
    "pious": [0, 0, 5, 0],
    "priest": [1, 0, 1, 0],
}


def debiased(model=SPACE, definitional=(GROUPS,), **rest):
    rest = {"equalise": []} | rest if rest.get("recipe") != "manzini2019" else rest
    derived = MulticlassHardDebias(definitional, **rest).fit(model).transform(model)
    return {word: row.tolist() for word, row in derived.items()}


def test_words_lose_all_directions_in_which_the_groups_differ():
    found = debiased()
    assert found["greedy"] == pytest.approx([0, 0, 0, 1])
    assert found["pious"] == pytest.approx([0, 0, 1, 0])


def test_the_words_of_a_set_are_made_even():
    words = ["greedy", "pious", "priest"]
    found = debiased(equalise=[words])
    lengths = [np.hypot(*found[word][:2]) for word in words]
    assert lengths == pytest.approx([lengths[0]] * 3)
    assert found["greedy"][2:] == pytest.approx(found["pious"][2:])
    assert [np.linalg.norm(found[word]) for word in words] == pytest.approx([1, 1, 1])


def test_wefe_equalises_the_original_vectors_so_that_the_last_set_of_a_word_counts():
    last = debiased(equalise=[["priest", "pious"]])["priest"]
    assert debiased(equalise=[["greedy", "priest"], ["priest", "pious"]])["priest"] == last


def test_manzini_neutralises_the_words_given_and_equalises_the_groups():
    model = SPACE | {"jew": [0.6, 0, 0, 0.8]}
    found = debiased(model, recipe="manzini2019", neutralise=["greedy"])
    assert found["greedy"][:2] != pytest.approx(SPACE["greedy"][:2])
    assert found["priest"] == pytest.approx([np.sqrt(0.5), 0, np.sqrt(0.5), 0])
    basis = MulticlassHardDebias([GROUPS], equalise=[]).fit(model).remove
    within = [np.linalg.norm(basis @ found[word]) for word in GROUPS]
    assert within == pytest.approx([within[0]] * 3)


def test_manzini_equalises_a_word_of_two_sets_as_the_first_left_it():
    sets = [GROUPS, ["jew", "priest"]]
    transform = MulticlassHardDebias(sets, neutralise=[], recipe="manzini2019")
    derivation = transform.fit(SPACE)
    assert derivation.facts["words_equalised_twice"] == ["jew"]
    found = derivation.transform(SPACE)
    beside = found["jew"] - derivation.remove.T @ (derivation.remove @ found["jew"])
    other = found["priest"] - derivation.remove.T @ (derivation.remove @ found["priest"])
    assert beside == pytest.approx(other, abs=1e-6)


def test_fewer_components_than_there_are_leave_the_others():
    one, all_ = (
        MulticlassHardDebias([GROUPS, ["priest", "pious"]], equalise=[], components=k).fit(SPACE)
        for k in (1, None)
    )
    assert (len(one.remove), len(all_.remove)) == (1, 3)
    assert len(one.facts["explained_variance"]) == 3
    with pytest.raises(FairflowError, match="differ in 3 directions, not 4; set components to 3"):
        MulticlassHardDebias([GROUPS, ["priest", "pious"]], [], components=4).fit(SPACE)


def test_of_an_incomplete_set_manzini_takes_what_is_there_and_wefe_nothing():
    sets = [GROUPS, ["priest", "pious", "buddhist"], ["a", "pious"]]
    some = MulticlassHardDebias(sets, neutralise=[], recipe="manzini2019").fit(SPACE).facts
    lost = ["buddhist", "a"]
    assert some["words_missing"] == {"definitional": lost, "equalise": lost}
    assert some["words_listed"] == sorted([*GROUPS, "priest", "pious"])
    none = MulticlassHardDebias(sets, [["greedy", "a", "priest"], ["greedy", "pious"]]).fit(SPACE)
    assert none.facts["words_listed"] == ["greedy", "pious"]
    assert none.facts["sets_dropped"] == [*sets[1:], ["greedy", "a", "priest"]]
    assert none.facts["words_missing"] == {"definitional": lost, "equalise": ["a"]}
    with pytest.raises(FairflowError, match="no entry has all words in the model"):
        MulticlassHardDebias(sets[1:], []).fit(SPACE)


@given(st.integers(0, 10_000))
def test_twice_is_once_and_rotated_vectors_give_the_rotated_result(seed):
    generator = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(14)]
    vectors = generator.standard_normal((14, 6))
    turn = np.linalg.qr(generator.standard_normal((6, 6)))[0]
    lists = ([words[:3], words[3:6]], [words[6:9]])
    derivation = MulticlassHardDebias(*lists).fit((words, vectors))
    once = derivation.apply(words, vectors)
    assert np.allclose(np.linalg.norm(once, axis=1), 1, atol=1e-6)
    assert np.allclose(once[9:] @ derivation.remove.T, 0, atol=1e-6)
    assert np.allclose(derivation.apply(words, once), once, atol=1e-6)
    turned = MulticlassHardDebias(*lists).fit((words, vectors @ turn)).apply(words, vectors @ turn)
    assert np.allclose(once @ turn, turned, atol=1e-5)
