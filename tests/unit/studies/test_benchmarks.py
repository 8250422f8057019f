"""Word similarity and analogies: what is covered, and what is right."""

import numpy as np
import pytest

from fairflow.studies.benchmarks import analogy_answers, similarity_answers
from fairflow.vectors.word_embedding_model import word_rows

MODEL = {"cat": [2.0, 0.0], "Dog": [3.0, 4.0], "NASA": [0.0, 1.0], "zero": [0.0, 0.0]}
# king - man + woman is nearest to king itself, then to queen.
WORDS = ["man", "woman", "king", "queen", "Queen", "apple"]
VECTORS = np.array(
    [[1, 0, 0], [0, 1, 0], [0.8, 0, 0.6], [0, 0.8, 0.6], [0.6, 0.8, 0], [0, 0, 1]],
    dtype=np.float32,
)


def test_pairs_are_compared_whose_words_are_there_in_some_case():
    pairs = [("cat", "dog"), ("cat", "cow"), ("nasa", "Cat"), ("zero", "cat")]
    answers = similarity_answers(word_rows(MODEL), pairs, [7.0, 8.0, 1.0, 2.0])
    assert answers.items.tolist() == [0, 2]
    assert answers.expected.tolist() == [7, 1]
    assert answers.given == pytest.approx([0.6, 0])


def test_the_three_words_of_a_question_are_no_answers():
    answers = analogy_answers(WORDS, VECTORS, [("man", "king", "woman", "queen")])
    assert answers.given.tolist() == [1]


def test_a_wrong_answer_counts_and_a_question_with_an_unknown_word_does_not():
    questions = [("Man", "King", "Woman", "Apple"), ("man", "boy", "woman", "girl")]
    answers = analogy_answers(WORDS, VECTORS, questions)
    assert answers.items.tolist() == [0]
    assert answers.given.tolist() == [0]
