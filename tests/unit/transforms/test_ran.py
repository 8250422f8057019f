"""RAN moves listed words to the least value of its objective, which has one solution."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairflow.transforms.ran import RAN, least_objective, nearest_words, objective
from fairflow.vectors.word_rows import word_rows

PAIRS = [["she", "he"]]
PLANE = {"she": [1, 0, 0], "he": [-1, 0, 0], "nurse": [3, 4, 0], "far": [0, 0, 2]}
NOBODY = np.empty((0, 3))
AXES = np.eye(3)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def test_without_neighbours_the_part_along_the_direction_shrinks_by_twice_the_weights_ratio():
    # l2 / 2 w - l3 b = (.6, .8) / 2 - .1 (1, 0) = (.2, .4): its direction is the solution.
    word = np.array([0.6, 0.8, 0])
    found = least_objective(NOBODY, AXES[0], word, (1, 1, 0.1))
    assert found == pytest.approx(np.array([1, 2, 0]) / np.sqrt(5))


def test_a_heavy_third_weight_takes_the_direction_out_and_no_more():
    word = np.array([0.6, 0.8, 0])
    assert least_objective(NOBODY, AXES[0], word, (1, 1, 9)) == pytest.approx([0, 1, 0])


def test_neighbours_are_turned_away_from_by_their_share_of_the_first_weight():
    word = unit(np.array([0, 1.0, 1.0]))
    found = least_objective(AXES[1:2], AXES[0], word, (0.1, 1, 1))
    left = word / 2 - [0, 0.1, 0]
    assert found == pytest.approx(left / np.linalg.norm(left))


def test_the_objective_has_three_terms():
    word, near = np.array([0.6, 0.8, 0]), AXES[1:]
    # .5 (.8 + 0) / 2 + .25 (1 - 1) / 2 + 2 (.6)
    assert objective(word, near, AXES[0], word, (0.5, 0.25, 2)) == pytest.approx(0.2 + 1.2)
    # Of any length, and with the word at a cosine of .8.
    assert objective(np.array([0, 7, 0]), NOBODY, AXES[0], word, (1, 2, 1)) == pytest.approx(0.2)


def test_listed_words_are_moved_and_all_get_unit_length():
    derivation = RAN(PAIRS, ["nurse", "doctor"], weights=(1, 1, 9)).fit(PLANE)
    derived = derivation.transform(PLANE)
    assert derived["nurse"] == pytest.approx([0, 1, 0])
    assert derived["far"].tolist() == [0, 0, 1]
    facts = derivation.facts
    assert facts["words_missing"] == {"words": ["doctor"]}
    assert (facts["words_listed"], facts["words_changed"]) == (["nurse"], 1)
    assert facts["objective_after"] < facts["objective_before"]


def test_only_neighbours_above_the_threshold_are_repelled():
    # With an indirect bias of .015 and of -.25; those of he, she and far are no numbers.
    model = PLANE | {"maid": [3, 3, 1], "clinic": [0, 5, 1]}
    found = {
        threshold: RAN(PAIRS, ["nurse"], threshold=threshold).fit(model).facts
        for threshold in (-100, 0.01, 2)
    }
    assert [facts["neighbours_repelled"] for facts in found.values()] == [2, 1, 0]


@pytest.mark.parametrize(
    ("recipe", "weights"),
    [
        ("kumar2020", [0.125, 0.75, 0.125]),
        ("authors", [0.125, 0.75, 0.75]),
        ("wefe-1.0", [0.33] * 3),
    ],
)
def test_a_recipe_is_three_weights_of_which_the_authors_code_uses_the_second_twice(recipe, weights):
    assert RAN(PAIRS, ["nurse"], recipe=recipe).fit(PLANE).facts["weights"] == weights


@given(st.integers(0, 10_000))
def test_no_direction_is_better_than_the_solution(seed):
    generator = np.random.default_rng(seed)
    word, direction = unit(generator.standard_normal((2, 6)))
    repelled = unit(generator.standard_normal((generator.integers(0, 12), 6)))
    weights = tuple(generator.uniform(0.05, 1, 3))
    found = least_objective(repelled, direction, word, weights)
    least = objective(found, repelled, direction, word, weights)
    assume(least < weights[1] / 2)
    near = unit(found + 1e-3 * generator.standard_normal((50, 6)))
    others = [*near, *unit(generator.standard_normal((50, 6))), word]
    assert all(objective(x, repelled, direction, word, weights) >= least - 1e-9 for x in others)


@given(st.integers(0, 10_000))
def test_rotated_vectors_give_the_rotated_result_and_the_order_of_pairs_none(seed):
    generator = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(20)]
    vectors = generator.standard_normal((20, 5))
    turn = np.linalg.qr(generator.standard_normal((5, 5)))[0]
    pairs = [["w0", "w1"], ["w2", "w3"]]
    plain = RAN(pairs, ["w9", "w8"], neighbours=4).fit((words, vectors))
    other = RAN(pairs[::-1], ["w8", "w9"], neighbours=4).fit((words, vectors @ turn))
    for word in ("w8", "w9"):
        assert plain.rows[word] @ turn == pytest.approx(other.rows[word], abs=1e-5)


@given(st.integers(0, 1000))
def test_neighbours_are_those_of_the_largest_cosines_whatever_the_blocks(seed):
    generator = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(60)]
    vectors = generator.standard_normal((60, 4))
    vectors[5] = 0
    directions = unit(vectors[:3])
    cosines = unit(np.where(vectors == 0, np.nan, vectors)) @ directions.T
    for row, near in enumerate(
        nearest_words(word_rows((words, vectors)), words[:3], directions, 7)
    ):
        others = [word for word in np.argsort(-cosines[:, row]) if word not in (row, 5)]
        assert {words[other] for other in others[:7]} <= set(near)
        assert words[row] not in near
        assert words[5] not in near
