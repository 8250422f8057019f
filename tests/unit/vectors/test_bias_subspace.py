"""Directions of sets of words: principal components of what is left without the means of sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.errors import FairflowError
from fairflow.vectors.directions import SHUFFLES, bias_subspace, indirect_bias, shuffled_shares

# Two pairs along the first axis, 2 and 4 apart, and one along the second, 2 apart.
PAIRS = [
    np.array([[1.0, 5, 0], [-1, 5, 0]]),
    np.array([[2.0, 0, 1], [-2, 0, 1]]),
    np.array([[3.0, 1, 2], [3, -1, 2]]),
]


def test_components_explain_what_is_left_without_the_means():
    found = bias_subspace(PAIRS, None)
    assert found.basis == pytest.approx(np.array([[1, 0, 0], [0, 1, 0]]))
    # Squares: 2 (1 + 4) along the first axis, 2 along the second.
    assert found.explained == pytest.approx([10 / 12, 2 / 12])
    assert found.facts["directions"] == [pytest.approx([1, 0, 0]), pytest.approx([0, 1, 0])]


def test_the_first_words_lie_on_the_positive_side_however_the_pairs_are_ordered():
    turned = [pair[::-1] for pair in PAIRS]
    assert bias_subspace(turned).basis == pytest.approx(np.array([[-1, 0, 0]]))
    # The first pair has no part along the first axis: the next one decides.
    assert bias_subspace(PAIRS[::-1]).basis == pytest.approx(np.array([[1, 0, 0]]))


def test_more_components_than_there_are_directions_are_refused():
    with pytest.raises(FairflowError, match="its 3 entries differ in 2 directions, not 3; set"):
        bias_subspace(PAIRS, 3)
    same = [np.ones((2, 3)), np.zeros((2, 3))]
    with pytest.raises(FairflowError, match=r"sets: the words of its 2 entries do not differ$"):
        bias_subspace(same, name="sets")


def test_rounding_of_single_precision_is_no_direction():
    noisy = [pair + 1e-8 * np.arange(6).reshape(2, 3) for pair in PAIRS]
    assert len(bias_subspace(noisy, None).explained) == 2


def test_shuffled_pairs_of_one_difference_explain_less():
    generator = np.random.default_rng(0)
    places = generator.standard_normal((20, 15))
    pairs = [np.stack([place + 3 * np.eye(15)[0], place]) for place in places]
    null = shuffled_shares(pairs)
    assert null.shape == (SHUFFLES,)
    assert bias_subspace(pairs).explained[0] == pytest.approx(1)
    assert 0.1 < null.mean() < np.quantile(null, 0.95) < 0.6
    assert shuffled_shares(pairs).tolist() == null.tolist()


def test_without_two_full_sets_there_is_nothing_to_shuffle():
    assert shuffled_shares(PAIRS[:1]) is None
    assert shuffled_shares([np.eye(3), PAIRS[0]]) is None


def test_where_all_pairings_are_alike_the_null_is_what_the_pairs_explain():
    pairs = [np.array([[x, 1.0], [x, -1]]) for x in (0, 0, 0)]
    assert shuffled_shares(pairs) == pytest.approx(np.ones(SHUFFLES))


def test_the_indirect_bias_is_the_share_of_a_similarity_that_the_direction_makes():
    word, other = np.array([0.6, 0.8, 0]), np.array([0.6, 0, 0.8])
    # Similar by .36, all of it along the direction; nothing of (0, .8, 0) and itself is.
    found = indirect_bias(np.stack([other, np.eye(3)[1], np.eye(3)[2]]), word, np.eye(3)[0])
    assert found[:2] == pytest.approx([1, -0.25])
    assert not np.isfinite(found[2])


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_the_basis_is_orthonormal_and_turns_with_the_vectors(seed, size):
    generator = np.random.default_rng(seed)
    sets = [generator.standard_normal((size, 7)) for _ in range(3)]
    turn = np.linalg.qr(generator.standard_normal((7, 7)))[0]
    plain = bias_subspace(sets, 2)
    assert plain.basis @ plain.basis.T == pytest.approx(np.eye(2), abs=1e-9)
    assert plain.explained.sum() == pytest.approx(1)
    turned = [rows @ turn for rows in sets]
    assert bias_subspace(turned, 2).basis == pytest.approx(plain.basis @ turn, abs=1e-6)
    assert shuffled_shares(turned) == pytest.approx(shuffled_shares(sets))
