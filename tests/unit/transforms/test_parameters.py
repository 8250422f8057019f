"""Faulty parameters of transforms are refused in a sentence whose advice works."""

import pytest

from fairflow.transforms import TRANSFORMS, transform_class, transform_module
from fairflow.transforms._words import (
    word_list,
)
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation

QUOTES = "put it in quotes"
PAIRS = [["she", "he"], ["mother", "father"]]
# Transform -> parameters that it takes, and what is said of others in their place.
REFUSED = {
    "double_hard_debias": (
        {"definitional": PAIRS, "ends": ["he", "she"]},
        ({"ends": ["he"]}, "ends must be two words, found ['he']"),
        ({"words": 1}, "words must be an integer from 2, found 1"),
        ({"components": 0}, "components must be an integer from 1, found 0"),
        ({"seed": -1}, "seed must be an integer from 0, found -1"),
    ),
    "half_sibling_regression": (
        {"definitional": ["he"]},
        ({"definitional": []}, "definitional must hold at least 1 words, found []"),
        ({"alpha": 0}, "alpha must be a number above 0, found 0"),
        ({"alpha": True}, "alpha must be a number above 0, found True"),
        ({"definitional": "he"}, "definitional must be a list of words, found 'he'"),
    ),
    "hard_debias": (
        {"definitional": PAIRS, "equalise": [], "specific": []},
        ({"definitional": []}, "definitional must hold at least 1 list of words, found 0"),
        ({"definitional": [["he"]]}, "definitional, entry 1: expected 2 words, found ['he']"),
        ({"definitional": [["he", "he"]]}, "a word is repeated in ['he', 'he']"),
        ({"definitional": "he"}, "definitional must be a list of lists of words, found 'he'"),
        ({"definitional": [["he", 1]]}, "must be a list of words, found 1 in it"),
        ({"equalise": None}, "the recipe bolukbasi2016 needs equalise: name the words, or say []"),
        ({"specific": None}, "the recipe bolukbasi2016 needs specific"),
        ({"specific": "he"}, "specific must be a list of words, found 'he'"),
        ({"recipe": "wefe"}, "unknown recipe 'wefe'. Did you mean 'wefe-1.0'"),
        ({"direction": "PCA"}, "unknown direction 'PCA'. Valid: pca, single, sum"),
    ),
    "multiclass_hard_debias": (
        {"definitional": [["jew", "christian", "muslim"]]},
        ({}, "the recipe wefe-1.0 needs equalise: name the words, or say []"),
        ({"recipe": "manzini2019"}, "the recipe manzini2019 needs neutralise"),
        ({"equalise": [], "neutralise": ["a"]}, "the recipe wefe-1.0 takes no neutralise"),
        (
            {"recipe": "manzini2019", "neutralise": ["a"], "specific": ["b"]},
            "the recipe manzini2019 takes no specific: leave it out",
        ),
        ({"equalise": [], "components": -1}, "components must be an integer from 1, found -1"),
        ({"equalise": [], "components": 0}, "components must be an integer from 1, found 0"),
    ),
    "ran": (
        {"definitional": PAIRS, "words": ["nurse"]},
        ({"words": None}, "RAN needs words, which to move, or specific, which to leave"),
        ({"recipe": "author"}, "unknown recipe 'author'. Did you mean 'authors'"),
        ({"weights": [1, 2]}, "weights must be three numbers above 0, found [1, 2]"),
        ({"weights": 3}, "weights must be three numbers above 0, found 3"),
        ({"weights": [1, 2, 0]}, "weights must be a number above 0, found 0"),
        ({"neighbours": 0}, "neighbours must be an integer from 1, found 0"),
        ({"threshold": "low"}, "threshold must be a number, found 'low'"),
    ),
    "linear_projection": (
        {"definitional": PAIRS},
        ({"components": 2, "direction": "sum"}, "direction sum is one; leave components out"),
    ),
    "sentence_debias": (
        {"definitional": PAIRS},
        ({"templates": ["It was she."]}, "templates: expected {word} once in each"),
        (
            {"templates": ["{word}."], "sentences": ["He sat."]},
            "give templates or sentences, not both",
        ),
        ({"sentences": ["It rains."]}, "none of 1 holds a definitional word (she, he)"),
        (
            {"sentences": ["He sat."], "definitional": [["a", "he"], ["he", "b"]]},
            "'he' has different places",
        ),
        ({"definitional": [["a", "b"], ["c", "d", "e"]]}, "must all have as many words"),
        ({"components": 0}, "components must be an integer from 1"),
    ),
} | dict.fromkeys(
    ("mean_projection", "leace", "inlp"),
    (
        {},
        ({"groups": "he"}, "groups must be a list of lists of words, found 'he'"),
        ({"groups": [["he"]]}, "groups must hold at least 2 lists of words, found 1"),
        ({"groups": [["he"], []]}, "groups, list 2, must hold at least 1 words, found []"),
        ({"groups": [["he", "she"], ["she"]]}, "groups: in two lists at once: she"),
    ),
)


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        (name, taken | other, sentence)
        for name, (taken, *others) in REFUSED.items()
        for other, sentence in others
    ],
)
def test_what_a_transform_cannot_take_is_told_in_one_sentence(name, given, sentence):
    (told,) = transform_class(name).problems(given)
    assert sentence in told


@pytest.mark.parametrize("word", [False, 1, None, 1.5])
def test_what_yaml_reads_as_no_word_is_to_be_put_in_quotes(word):
    with pytest.raises(ValueError, match=f"words, found {word!r} in it.*{QUOTES}"):
        word_list("specific", ["he", word])


class Scaled(BaseTransform):
    def __init__(self, factor: float, words: tuple[str, ...] = ()) -> None:
        if factor <= 0:
            raise ValueError(f"factor must be above 0, found {factor}")

    def fit(self, base):
        return Derivation()


@pytest.mark.parametrize("name", TRANSFORMS.names)
def test_each_file_holds_one_transform_which_says_what_it_does(name):
    transform = transform_class(name)
    assert transform.__doc__
    assert transform_module(name) == transform.__module__ == f"fairflow.transforms.{name}"


def test_a_file_of_the_users_holds_a_transform_too(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from fairflow.transforms.base_transform import BaseTransform\n"
        "class Mine(BaseTransform):\n"
        "    def fit(self, base): return None\n"
    )
    assert transform_class(str(path)).__name__ == "Mine"
    assert transform_module(str(path)) == str(path)


@pytest.mark.parametrize(
    ("parameters", "sentences"),
    [
        ({"factor": 2}, []),
        ({}, ["missing a required argument: 'factor'"]),
        ({"factor": 2, "word": []}, ["unknown parameter 'word'. Did you mean 'words'?"]),
        ({"factor": -1}, ["factor must be above 0, found -1"]),
        ({"factor": "2"}, ["'<=' not supported between instances of 'str' and 'int'"]),
    ],
)
def test_parameters_that_it_cannot_take_are_told_in_a_sentence(parameters, sentences):
    assert Scaled.problems(parameters) == sentences
