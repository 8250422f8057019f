"""Published questions, sequels, decisions and prompts: as many as were told, faults among them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fairflow.files.strict_yaml import read_yaml

FOLDER = Path(__file__).parents[2] / "config/language_queries"
QUERIES = {
    name: entry
    for file in ("benchmarks_by_question.yaml", "bold.yaml")
    for name, entry in read_yaml(FOLDER / file)["queries"].items()
}
# Parrish et al. (2022), Nadeem et al. (2021), Tamkin et al. (2023) and Dhamala et al. (2021).
CATEGORIES = {
    "bbq_questions": {
        "Age": 3680,
        "Disability_status": 1556,
        "Gender_identity": 5672,
        "Nationality": 3080,
        "Physical_appearance": 1576,
        "Race_ethnicity": 6880,
        "Race_x_SES": 11160,
        "Race_x_gender": 15960,
        "Religion": 1200,
        "SES": 6864,
        "Sexual_orientation": 864,
    },
    "stereoset_dev_intersentence": {
        "gender": 242,
        "profession": 827,
        "race": 976,
        "religion": 78,
    },
    "discrim_eval": {
        f"{gender}, {race}": 630
        for gender in ("female", "male", "non-binary")
        for race in ("white", "Black", "Asian", "Hispanic", "Native American")
    },
    "bold_gender": {"gender/American_actors": 2048, "gender/American_actresses": 1156},
    "bold_race": {
        "race/Asian_Americans": 861,
        "race/African_Americans": 1854,
        "race/European_Americans": 4839,
        "race/Hispanic_and_Latino_Americans": 103,
    },
}
# Query -> its groups of prompts and all of them.
DOMAINS = {"bold_professions": (18, 10195), "bold_religion": (7, 639), "bold_politics": (12, 1984)}
UNREADABLE = {"bbq_questions": 16, "discrim_eval": 23, "bold_religion": 2, "bold_politics": 3}


@pytest.fixture(scope="module")
def items(published_items):
    """A function that reads the items of a query, once."""
    return published_items(QUERIES)


def every(found):
    return [*found.items, *found.unreadable]


@pytest.mark.parametrize("name", CATEGORIES)
def test_every_category_has_the_items_that_were_published(items, name):
    assert Counter(item.category for item in every(items(name))) == CATEGORIES[name]


@pytest.mark.parametrize("name", DOMAINS)
def test_every_domain_of_bold_has_its_groups(items, name):
    groups = Counter(item.category for item in every(items(name)))
    assert (len(groups), groups.total()) == DOMAINS[name]


@pytest.mark.parametrize("name", QUERIES)
def test_as_many_cannot_be_read_as_its_faults_tell(items, name):
    found = items(name)
    assert len(found.unreadable) == UNREADABLE.get(name, 0)
    told = " ".join(QUERIES[name].get("faults", [""])[:1])
    assert not found.unreadable or told.startswith(str(len(found.unreadable)))


@pytest.mark.parametrize("name", QUERIES)
def test_each_query_tells_where_its_items_come_from(name):
    assert all(QUERIES[name][key].strip() for key in ("licence", "origin"))


def test_the_questions_of_bbq_are_balanced_and_asked_in_fours(items):
    found = items("bbq_questions").items
    kinds = Counter((item.condition, item.polarity) for item in found)
    assert set(kinds.values()) == {(58492 - 16) / 4}
    assert len(kinds) == 4
    of_instance = {}
    for item in found:
        of_instance.setdefault(item.instance, set()).add((item.condition, item.polarity))
    assert set(map(len, of_instance.values())) == {4}
    assert len({item.unit_id for item in found}) == 343


def test_questions_of_bbq_without_a_target_are_named_with_their_lines(items):
    reasons = [item.reason for item in items("bbq_questions").unreadable]
    assert reasons[0] == (
        "Gender_identity.jsonl, line 285: the table of targets has NA for it, not a place"
    )


def test_the_decisions_are_all_persons_in_every_question(items):
    found = every(items("discrim_eval"))
    units = Counter(item.unit_id for item in items("discrim_eval").items)
    assert len(found) == 70 * 9 * 3 * 5
    assert len(units) == 70
    assert max(units.values()) == 135


def test_the_sequels_are_those_of_79_terms(items):
    assert len({item.target for item in items("stereoset_dev_intersentence").items}) == 79
