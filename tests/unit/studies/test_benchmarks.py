"""Word similarity and analogies: what is covered, and what is right."""

import numpy as np
import pytest

from fairflow.errors import FairflowError
from fairflow.studies.benchmarks import (
    ANALOGIES,
    SIMILARITY,
    analogy_answers,
    read_benchmark,
    similarity_answers,
)
from fairflow.vectors.word_rows import word_rows

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


PAIRS = (
    "# comment\ntiger\tcat\t7.35\n\ncushion\t\tpillow\t\t3.84\nviolence\tviolent video games\t0.9\n"
)
QUESTIONS = ": family\nboy girl brother sister\n: other\nhe she his her\n"


def written(tmp_path, text):
    path = tmp_path / "file"
    path.write_bytes(text.encode("utf-8"))
    return path


def test_pairs_may_have_several_tabs_and_terms_several_words(tmp_path):
    benchmark = read_benchmark(written(tmp_path, PAIRS), SIMILARITY, "utf-8")
    assert benchmark.items == (
        ("tiger", "cat"),
        ("cushion", "pillow"),
        ("violence", "violent video games"),
    )
    assert benchmark.scores == (7.35, 3.84, 0.9)


def test_questions_stand_under_headings(tmp_path):
    benchmark = read_benchmark(written(tmp_path, QUESTIONS), ANALOGIES, "utf-8")
    assert benchmark.items == (("boy", "girl", "brother", "sister"), ("he", "she", "his", "her"))
    assert benchmark.scores == ()


@pytest.mark.parametrize(
    ("kind", "text", "fault"),
    [
        (SIMILARITY, "a\tb\t1\na\tb\n", "line 2: expected two words and a number between tabs"),
        (SIMILARITY, "a\tb\tmuch\n", "line 1: expected two words and a number between tabs"),
        (ANALOGIES, ": all\na b c\n", "line 2: expected four words, found 'a b c'"),
        (ANALOGIES, ": all\n", "holds no item of a benchmark of analogies"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path, kind, text, fault):
    with pytest.raises(FairflowError, match=fault):
        read_benchmark(written(tmp_path, text), kind, "utf-8")
