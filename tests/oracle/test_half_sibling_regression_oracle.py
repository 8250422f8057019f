"""Half-sibling regression gives WEFE's numbers from one matrix."""

import pytest

from fairflow.transforms.half_sibling_regression import HalfSiblingRegression

from .debiased import assert_agrees, cases, words_of


@pytest.mark.parametrize("case", cases("HalfSiblingRegression"))
def test_the_matrix_gives_what_the_regression_of_each_word_gives(case, slices):
    words, vectors = slices.named(case["model"])
    given = {"alpha": case["fit"]["alpha"]} if "alpha" in case["fit"] else {}
    definitional = words_of(case["fit"]["definitional_words"])
    derivation = HalfSiblingRegression(definitional, **given).fit((words, vectors))
    chosen = {key: words_of(listed) for key, listed in case["transform"].items()}
    assert_agrees(case, words, derivation.transform((words, vectors), **chosen))
    assert derivation.facts["unit_length"] == (case["model"] == "B")
