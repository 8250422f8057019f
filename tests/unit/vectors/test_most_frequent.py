"""The first words of a model, and those of them that are plain."""

import numpy as np
import pytest

from fairflow.vectors.vocabulary import first_words, is_plain
from fairflow.vectors.word_embedding_model import word_rows

MODEL = {"the": [3.0, 4.0], "zero": [0.0, 0.0], "cat": [0.0, 2.0], "dog": [1.0, 0.0]}


@pytest.mark.parametrize("word", ["cat", "hot_dog", "été", "nineteen_characters", "_"])
def test_a_word_in_lower_case_is_plain_and_so_is_a_phrase(word):
    assert is_plain(word)


@pytest.mark.parametrize("word", ["Cat", "it's", "b2b", "e-mail", "twenty_characters_ab", "½a2"])
def test_capitals_digits_punctuation_and_long_words_are_not(word):
    assert not is_plain(word)


def test_the_first_words_have_directions_and_one_without_is_left_out():
    first = first_words(word_rows(MODEL), 3)
    assert first.words == ("the", "cat")
    assert first.directions == pytest.approx(np.array([[0.6, 0.8], [0, 1]]))
    assert first.directions.dtype == np.float32


def test_the_same_words_of_another_model_are_those_that_it_has():
    first = first_words(word_rows(MODEL), 10)
    other = first.among(word_rows({"dog": [0.0, 5.0], "the": [0.0, 0.0], "cow": [1.0, 1.0]}))
    assert other.words == ("dog",)
    assert other.directions.tolist() == [[0, 1]]
