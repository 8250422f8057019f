"""A parameter of a transform may name a word set; the transform is given the words."""

import pytest

from fairflow.planning.model_checks import derivation_problems
from fairflow.planning.models import models_of
from fairflow.planning.named_sets import read_named

TAKES = {"pairs": "tuples", "kept": "words", "classes": "lists"}
SETS = {
    "f:pairs": {"tuples": [["she", "he"], ["her", "his"]]},
    "f:names": {"words": ["Mary", "John"]},
    "f:jobs": {"words": ["nurse"]},
    "f:signed": {"lexicon": {}},
    "f:rated": {"property": "ratings"},
}
MINE = """
from fairflow.transforms.base_transform import BaseTransform


class Mine(BaseTransform):
    word_sets = {"pairs": "tuples", "kept": "words", "classes": "lists"}

    def __init__(self, pairs, kept=(), classes=(), k=1):
        if k > len(pairs):
            raise ValueError(f"k = {k} of {len(pairs)} pairs")

    def fit(self, base):
        raise NotImplementedError
"""


def test_the_words_of_a_set_stand_in_the_place_of_its_name():
    given = {"pairs": "f:pairs", "kept": "f:names", "k": 2, "recipe": "f:jobs"}
    found = read_named(given, TAKES, SETS)
    assert found.word_sets == ["f:pairs", "f:names"]
    assert found.values == {
        "pairs": [["she", "he"], ["her", "his"]],
        "kept": ["Mary", "John"],
        "k": 2,
        # No parameter that takes words: a text that looks like the name of a set is one.
        "recipe": "f:jobs",
    }


def test_the_tuples_of_a_set_may_be_all_lists_of_a_parameter():
    found = read_named({"classes": "f:pairs"}, TAKES, SETS)
    assert found.problems == []
    assert found.values == {"classes": [["she", "he"], ["her", "his"]]}
    assert read_named({"classes": "f:jobs"}, TAKES, SETS).values == {"classes": ["nurse"]}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"pairs": "f:pair"}, "pairs: unknown word set 'f:pair'. Did you mean 'f:pairs'?"),
        (
            {"kept": "f:pairs"},
            "kept: unknown set of words 'f:pairs'. Valid: f:jobs, f:names.",
        ),
        (
            {"kept": "f:rated"},
            "kept: unknown set of words 'f:rated'. Valid: f:jobs, f:names.",
        ),
        (
            {"classes": ["f:jobs", "f:signed"]},
            "classes: unknown set of words 'f:signed'. Valid: f:jobs, f:names.",
        ),
    ],
)
def test_a_name_that_is_no_such_set_is_told_with_the_nearest(given, sentence):
    assert read_named(given, TAKES, SETS).problems == [sentence]


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    return str(tmp_path / "mine.py")


def catalogue(transform, **parameters):
    base = {"sources": [{"file": "a.txt"}], "format": "glove-text"}
    return {"a": base, "b": {"derive": {"from": "a", "transform": transform, **parameters}}}


def test_a_transform_is_given_the_words_and_the_names_are_kept_for_the_record(mine):
    entries = catalogue(mine, pairs="f:pairs", classes=["f:names", "f:jobs"], k=2)
    assert [*derivation_problems(entries, SETS)] == []
    transform = models_of(entries, SETS)["b"].transform
    assert (transform.name, transform.base) == (mine, "a")
    assert transform.word_sets == ("f:pairs", "f:names", "f:jobs")
    assert transform.parameters == {
        "pairs": [["she", "he"], ["her", "his"]],
        "classes": [["Mary", "John"], ["nurse"]],
        "k": 2,
    }


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"pairs": "g:pairs"}, "pairs: unknown word set 'g:pairs'. Did you mean 'f:pairs'?"),
        ({"pairs": "f:pairs", "k": 3}, "k = 3 of 2 pairs"),
        ({}, "missing a required argument: 'pairs'"),
        ({"pairs": [], "pears": 1}, "unknown parameter 'pears'. Did you mean 'pairs'?"),
    ],
)
def test_what_is_wrong_with_them_is_told_once(mine, parameters, sentence):
    problems = [*derivation_problems(catalogue(mine, **parameters), SETS)]
    assert problems == [("b.derive", sentence)]
