"""Published pairs: as many as their papers tell, and what no loader can read."""

from collections import Counter
from pathlib import Path

import pytest

from fairflow.files.configuration_files import read_yaml

ROOT = Path(__file__).parents[2]
QUERIES = read_yaml(ROOT / "config/language_queries/benchmarks_by_likelihood.yaml")["queries"]
# WinoBias reports 3,160 sentences; its files hold 3,168, half for development, a quarter of
# these pro-stereotyped of type 1. Winogender has 120 templates of 60 occupations, each in two
# forms; in half of them the pronoun refers to the occupation.
CATEGORIES = {
    "winobias_dev": {"type1": 396, "type2": 396},
    "winobias_test": {"type1": 396, "type2": 396},
    "winogender": {"": 120},
}
UNREADABLE = {
    "winobias_dev": {
        "type1.txt.dev": [92, 212],
        "type2.txt.dev": [90, 102, 119, 171, 176, 207, 208, 209],
    },
    "winobias_test": {
        "type1.txt.test": [157, 255, 279, 289, 296],
        "type2.txt.test": [92, 103, 307, 382, 384],
    },
}


@pytest.mark.parametrize("name", CATEGORIES)
def test_every_category_has_the_items_that_were_published(items, name):
    found = items(name)
    every = [*found.items, *found.invalid]
    assert Counter(item.category for item in every) == CATEGORIES[name]
    expected = [
        f"{split}:{line}" for split, lines in UNREADABLE.get(name, {}).items() for line in lines
    ]
    assert [item.item_id for item in found.invalid] == expected


@pytest.mark.parametrize("name", ["winobias_dev", "winobias_test"])
def test_pairs_of_winobias_differ_in_more_than_pronouns_where_they_are_unreadable(items, name):
    found = items(name)
    assert all("differ in more than a pronoun" in item.reason for item in found.invalid)
    assert not any(sign in item.more + item.less for item in found.items for sign in "[]")
    # Half of the pairs are stereotypes of women and half of men.
    feminine = sum(
        bool({"she", "her", "herself"} & set(item.more.rstrip(".").split())) for item in found.items
    )
    assert feminine == pytest.approx(len(found.items) / 2, abs=6)


def test_units_of_winobias_are_two_of_the_forty_occupations(items):
    pairs = [*items("winobias_dev").items, *items("winobias_test").items]
    sizes = Counter(len(item.cluster.split(" / ")) for item in pairs)
    # One sentence names a third.
    assert sizes == {2: len(pairs) - 1, 3: 1}
    assert len({word for item in pairs for word in item.cluster.split(" / ")}) == 40


def test_every_occupation_of_winogender_has_two_pairs_and_a_share(items):
    found = items("winogender").items
    assert set(Counter(item.cluster for item in found).values()) == {2}
    shares = {item.cluster: item.value for item in found}
    assert len(shares) == 60
    assert (shares["secretary"], shares["engineer"]) == (0.946, 0.1072)
    assert min(shares.values()) >= 0
    assert max(shares.values()) <= 1
