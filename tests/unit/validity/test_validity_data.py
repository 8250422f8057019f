"""config/validity.yaml: its words exist, belong together and point where its poles say."""

import itertools
from pathlib import Path

import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.queries.query_file import read_property

CONFIG = Path(__file__).parents[3] / "config"
CONCEPTS = read_yaml(CONFIG / "validity.yaml")["concepts"]
FILES = {
    path.stem: read_yaml(path)["sets"]
    for path in sorted((CONFIG / "word_sets").glob("*.yaml"))
    if not path.stem.startswith("weathub_")
}
SETS = {f"{stem}:{name}": entry for stem, sets in FILES.items() for name, entry in sets.items()}
NORMS = {name: norm for one in CONCEPTS.values() for name, norm in one.get("norms", {}).items()}
PAIRS = {
    name: made for one in CONCEPTS.values() for name, made in one.get("base_pairs", {}).items()
}


def published(concept):
    return [set(pair) for pair in CONCEPTS[concept].get("sets", {}).values()]


def words(reference):
    entry = SETS[reference]
    if "property" in entry:
        return [*read_property(CONFIG / f"properties/{entry['property']}.csv").values]
    return entry["words"]


def test_every_word_set_of_a_concept_exists():
    pairs = [pair for one in CONCEPTS.values() for pair in one.get("sets", {}).values()]
    pairs += [(norm["words"], *norm["poles"]) for norm in NORMS.values()]
    pairs += [(made["words"], *made["pairs"], *made.get("known", ())) for made in PAIRS.values()]
    assert {*itertools.chain(*pairs)} <= SETS.keys()


def test_no_word_set_is_twice_in_a_concept():
    for concept in CONCEPTS:
        pairs = published(concept)
        assert len(pairs) == len({frozenset(pair) for pair in pairs}), concept


@pytest.mark.parametrize("name", NORMS)
def test_a_norm_has_a_number_for_each_of_its_words_and_poles_in_pairs(name):
    norm = NORMS[name]
    values = read_property(CONFIG / f"properties/{norm['property']}.csv").values
    assert {*words(norm["words"])} == values.keys()
    first, second = map(words, norm["poles"])
    assert len(first) == len(second)


@pytest.mark.parametrize(
    ("name", "nearer_to_first", "of_first", "of_second"),
    [
        ("glasgow", ("actress", "admiral"), "woman", "man"),
        ("occupations", ("nurse", "mechanic"), "woman", "man"),
        ("names", ("Joan", "Bobby"), "woman", "man"),
        ("survey_gender", ("beer", "dress"), "man", "woman"),
        ("survey_class", ("opera", "rap"), "rich", "poor"),
        ("survey_race", ("Jamal", "Molly"), "black", "white"),
    ],
)
def test_larger_numbers_of_a_norm_are_nearer_to_its_first_pole(
    name, nearer_to_first, of_first, of_second
):
    values = read_property(CONFIG / f"properties/{NORMS[name]['property']}.csv").values
    larger, smaller = nearer_to_first
    assert values[larger] > values[smaller]
    first, second = map(words, NORMS[name]["poles"])
    assert first.index(of_first) == second.index(of_second)


@pytest.mark.parametrize("name", PAIRS)
def test_base_pairs_are_paired_by_position_women_first(name):
    first, second = map(words, PAIRS[name]["pairs"])
    assert len(first) == len(second)
    assert {("she", "he"), ("woman", "man")} <= {*zip(first, second, strict=True)}


# What a query of the project contrasts and no second publication lists.
ALONE = {
    *("softball_professions", "football_professions", "softball_football_professions"),
    *("gender_5", "rel_2", "rel_3", "rel_4", "rel_5", "rel_6", "rel_sent_2", "rel_sent_3"),
    *("weat_1", "weat_2", "weat_9", "weat_9_short_term", "women_men_family_career"),
}


def test_what_a_query_contrasts_is_in_a_concept_or_has_no_alternative():
    known = [pair for concept in CONCEPTS for pair in published(concept)]
    without = set()
    # WEATHub's lists are translations: those of English are in other files, too.
    files = {*(CONFIG / "queries").glob("*.yaml")} - {*(CONFIG / "queries").glob("weathub_*")}
    for path in files:
        for name, query in read_yaml(path)["queries"].items():
            for role in ("targets", "attributes"):
                pair = {*query.get(role, {}).values()}
                if len(pair) == 2 and pair not in known:
                    without.add(name)
    assert without == ALONE


def test_no_seed_set_is_one_that_another_file_has_word_for_word():
    # WEATHub took up some of them.
    apart = ("seed_sets", "weathub_en")
    others = [entry.get("words") for name, entry in SETS.items() if not name.startswith(apart)]
    seeds = FILES["seed_sets"]
    assert len(seeds) == 69
    assert [name for name, entry in seeds.items() if entry["words"] in others] == []


def test_a_seed_set_names_the_publication_that_lists_it():
    assert [name for name, entry in FILES["seed_sets"].items() if "source" not in entry] == []
