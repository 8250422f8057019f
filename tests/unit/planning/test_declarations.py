"""What queries of the configuration declare is resolved, and refused with the nearest name."""

import pytest

from fairflow.planning.named_sets import read_declaration

SETS = {
    "gender:pairs": {"tuples": [["she", "he"], ["her", "his"]]},
    "gender:groups": {"tuples": [["a", "b", "c"]]},
    "gender:words": {"words": ["actress"]},
    "jobs:few": {"words": ["nurse", "baker"]},
    "jobs:all": {"lexicon": "jobs.txt"},
}

SHARE = "# label: l\n# unit: share\n# source: s\n# citation: c\nword,value\nnurse,0.9\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "properties").mkdir()
    (tmp_path / "properties" / "share.csv").write_text(SHARE, encoding="utf-8")
    return tmp_path


def test_names_stand_for_pairs_and_words(folder):
    entry = {
        "pairs": "gender:pairs",
        "property": "share",
        "vocabulary": {"first": 5, "limited": True, "without": ["gender:words", ["nun"]]},
    }
    plain, word_sets, property_file, problems = read_declaration(entry, SETS, folder)
    assert not problems
    assert plain == {
        "pairs": [["she", "he"], ["her", "his"]],
        "vocabulary": {"first": 5, "limited": True, "without": ["actress", "nun"]},
    }
    assert word_sets == ("gender:pairs", "gender:words")
    assert property_file == str(folder / "properties" / "share.csv")


@pytest.mark.parametrize(
    ("vocabulary", "first"), [(7, 7), ("all", None), ({"limited": True}, None)]
)
def test_a_number_or_all_is_a_vocabulary(vocabulary, first, folder):
    entry = {"pairs": [["a", "b"]], "vocabulary": vocabulary}
    assert read_declaration(entry, SETS, folder)[0]["vocabulary"]["first"] == first


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"pairs": "gender:pair"}, "unknown word set 'gender:pair'.*gender:pairs"),
        ({"pairs": "gender:words"}, "unknown set of tuples 'gender:words'"),
        ({"pairs": "gender:groups"}, "expected two words, found a, b, c"),
        ({"targets": {}, "property": "shares"}, "unknown property 'shares'.*share"),
        ({"pairs": [["a", "b"]], "vocabulary": {"without": ["gender:word"]}}, "unknown word set"),
    ],
)
def test_a_fault_is_told_in_a_sentence(entry, message, folder):
    import re

    *_, (problem,) = read_declaration(entry, SETS, folder)
    assert re.search(message, problem)
