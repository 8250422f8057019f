"""Half-sibling regression subtracts what definitional words predict of the others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.transforms.half_sibling_regression import HalfSiblingRegression

MODEL = {"he": [3, 0, 0], "she": [0, 1, 0], "nurse": [8, 6, 5]}


def test_each_axis_shrinks_by_alpha_over_its_square_and_alpha():
    derived = HalfSiblingRegression(["he", "she"], alpha=1).fit(MODEL).transform(MODEL)
    assert derived["nurse"] == pytest.approx([8 / (9 + 1), 6 / (1 + 1), 5])


def test_definitional_words_stay_as_they_are():
    derived = HalfSiblingRegression(["he", "she"], alpha=1).fit(MODEL).transform(MODEL)
    assert [derived[word].tolist() for word in ("he", "she")] == [[3, 0, 0], [0, 1, 0]]


def test_the_record_tells_the_shrinkage_and_whether_lengths_say_anything():
    facts = HalfSiblingRegression([["he"], ["she", "man"]], alpha=1).fit(MODEL).facts
    assert facts["shrinkage"] == pytest.approx([1, 0.5, 0.1])
    assert facts["unit_length"] is False
    assert facts["words_missing"] == {"definitional": ["man"]}
    assert facts["words_changed"] == 1
    assert HalfSiblingRegression(["she"]).fit(MODEL).facts["unit_length"] is True


@given(st.integers(0, 10_000), st.floats(0.01, 100))
def test_it_is_the_ridge_regression_of_each_word_whatever_the_order_of_the_list(seed, alpha):
    generator = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(12)]
    vectors = generator.standard_normal((12, 5)).astype(np.float32)
    listed = words[:4]
    derivation = HalfSiblingRegression(listed, alpha=alpha).fit((words, vectors))
    left, rest = vectors[:4].T.astype(float), vectors[4:].T.astype(float)
    weights = np.linalg.solve(left.T @ left + alpha * np.eye(4), left.T @ rest)
    derived = derivation.apply(words, vectors)
    assert np.allclose(derived[4:].T, rest - left @ weights, atol=1e-5)
    other = HalfSiblingRegression(listed[::-1], alpha=alpha).fit((words, vectors))
    assert np.allclose(other.apply(words, vectors), derived, atol=1e-6)
