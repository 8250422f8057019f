"""The tests of residual bias in a study that compares models before and after."""

import pytest

from fairflow.planning.named_sets import planned_residual_bias, residual_bias_problems

SETS = {
    "debiaswe:definitional_pairs": {"tuples": [["she", "he"]]},
    "debiaswe:professions": {"words": ["nurse"]},
    "debiaswe:gender_specific_full": {"words": ["she", "queen"]},
    "gn_glove:male_terms": {"words": ["he"]},
    "gn_glove:female_terms": {"words": ["she"]},
    "mine:pairs": {"tuples": [["elle", "il"]]},
    "mine:triples": {"tuples": [["a", "b", "c"]]},
    "mine:jobs": {"words": ["pompier"]},
}
WHEEL = {"sources": [{"pypi": "a==1"}], "checksum": "sha256:" + "0" * 64, "archive": "zip"}
BENCHMARKS = {
    "one": {**WHEEL, "kind": "similarity", "label": "One", "member": "one.tsv"},
    "two": {**WHEEL, "kind": "analogies", "label": "Two", "member": "two.txt"},
}


def test_gender_in_english_is_asked_for_unless_the_study_says_otherwise():
    made = planned_residual_bias({}, SETS, BENCHMARKS)
    assert made.settings == {
        "pairs": [["she", "he"]],
        "ends": ["he", "she"],
        "professions": ["nurse"],
        "specific": ["she", "queen", "he"],
    }
    assert made.word_sets == tuple(SETS)[:5]
    assert made.labels == {"one": "One", "two": "Two"}


def test_benchmarks_of_one_archive_are_one_file():
    made = planned_residual_bias({}, SETS, BENCHMARKS)
    assert made.files == ["results/downloads/sha256-" + "0" * 64]
    assert made.reading["two"] == {
        "path": made.files[0],
        "kind": "analogies",
        "encoding": "utf-8",
        "packing": {
            "archive": "zip",
            "member": "two.txt",
            "file_checksum": WHEEL["checksum"],
        },
    }


def test_a_configuration_without_the_usual_sets_names_none():
    made = planned_residual_bias({}, {}, {})
    assert made.settings == {"pairs": [], "ends": ["he", "she"], "professions": [], "specific": []}
    assert made.files == []


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"pairs": "mine:pair"}, "pairs: unknown word set 'mine:pair'. Did you mean"),
        ({"professions": "mine:pairs"}, "professions: mine:pairs is a set with tuples, expected"),
        ({"specific": ["mine:jos"]}, "specific: unknown word set 'mine:jos'"),
        ({"pairs": "mine:triples"}, "pairs: expected pairs of words, found a, b, c"),
        ({"n_classified": 500}, "n_train: 1000 words to learn from, of 500 that are classified"),
    ],
)
def test_a_fault_is_a_sentence(given, found):
    (sentence,) = residual_bias_problems(given, SETS)
    assert sentence.startswith(found)
