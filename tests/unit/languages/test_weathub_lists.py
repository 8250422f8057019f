"""WEATHub's lists of 25 languages (Mukherjee et al. 2023): how many, and what is wrong in them."""

from collections import Counter
from pathlib import Path

import pytest

from fairflow.files.configuration_files import read_yaml

CONFIG = Path(__file__).parents[3] / "config"
TAGS = "ar bn ckb da de el en es fa fr hi it ja ko ku mr pa ru te th tl tr ur vi zh-Hans"
INDIA = {"bn", "en", "hi", "mr", "pa", "te", "ur"}


@pytest.fixture(scope="module")
def files():
    """Tag -> its file of word sets and its file of queries."""
    named = {tag: f"weathub_{tag.partition('-')[0]}.yaml" for tag in TAGS.split()}
    folders = ("word_sets", "queries")
    return {t: [read_yaml(CONFIG / one / name) for one in folders] for t, name in named.items()}


def words_of(sets, query, role):
    return [sets["sets"][name.partition(":")[2]]["words"] for name in query[role].values()]


def test_each_language_has_six_old_tests_and_seven_new_ones_and_those_of_india_eleven_more(files):
    for tag, (sets, queries) in files.items():
        assert sets["language"] == queries["language"] == tag
        assert len(queries["queries"]) == (24 if tag in INDIA else 13)


def test_no_list_is_there_twice_and_each_is_used(files):
    for sets, queries in files.values():
        lists = [tuple(entry["words"]) for entry in sets["sets"].values()]
        assert len(lists) == len({*lists})
        of = queries["queries"].values()
        used = {name for q in of for role in ("targets", "attributes") for name in q[role].values()}
        assert {name.partition(":")[2] for name in used} == {*sets["sets"]}


def test_what_is_wrong_in_them_is_counted_and_noted(files):
    found = Counter()
    for sets, queries in files.values():
        for entry in sets["sets"].values():
            words, note = entry["words"], entry.get("note", "")
            repeated = {word for word in words if words.count(word) > 1}
            phrases = {word for word in words if " " in word}
            assert all(word in note for word in repeated)
            assert bool(repeated) == ("wice: " in note or "times: " in note)
            assert (f"{len(phrases)} of {len({*words})} " in note) == bool(phrases)
            found += Counter(
                words=len(words), repeats=len(words) - len({*words}), phrases=len(phrases)
            )
        for query in queries["queries"].values():
            note = query.get("note", "")
            for role in ("targets", "attributes"):
                first, second = words_of(sets, query, role)
                both = {*first} & {*second}
                assert bool(both) == (f"In both {role[:-1]} sets: " in note)
                assert all(word in note for word in both)
                found[f"both {role}"] += bool(both)
    assert found == {
        **{"words": 14946, "repeats": 784, "phrases": 1283},
        **{"both targets": 27, "both attributes": 62},
    }
