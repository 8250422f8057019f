"""The language of a query, and those of a model."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from fairflow.planning.models import Model
from fairflow.planning.queries import planned_queries

SETS = {
    "mots:fleurs": {"words": ["rose", "lis"], "language": "fr"},
    "worte:blumen": {"words": ["Rose"], "language": "de"},
    "weat:flowers": {"words": ["rose"]},
}


def query_of(*references, of_file=None, **entry):
    """The query of a file, by the word sets that it names, and the sentences on its faults."""
    entry = {"targets": {name: name for name in references}, **entry}
    file = {"queries": {"q": entry}} | ({"language": of_file} if of_file else {})
    given = SimpleNamespace(queries={"f": file}, lookups={"as_written": {}}, folder=Path())
    queries, faults = planned_queries(given, SETS)
    return queries["q"], [fault.sentence for fault in faults]


def test_a_query_has_the_language_of_its_own_of_its_file_or_of_its_words():
    assert query_of("weat:flowers")[0].language == "en"
    assert query_of("mots:fleurs", "weat:flowers")[0].language == "fr"
    assert query_of("mots:fleurs", of_file="fr-CA")[0].language == "fr-CA"
    assert query_of("mots:fleurs", of_file="fr-CA", language="es")[0].language == "es"


def test_words_of_two_languages_are_a_fault_unless_the_query_says_its_own():
    sentence = "its word sets are in fr and de: give the query a language"
    assert query_of("mots:fleurs", "worte:blumen")[1] == [sentence]
    assert query_of("mots:fleurs", "worte:blumen", language="fr")[1] == []


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        (None, ["fleurs", "weat_1"]),
        ("en", ["weat_1"]),
        ("fr", ["fleurs"]),
        (["en", "fr-BE"], ["fleurs", "weat_1"]),
        ("de", []),
    ],
)
def test_a_model_is_asked_in_its_languages_and_in_all_if_it_names_none(language, asked):
    entry = {} if language is None else {"language": language}
    spoken = {"fleurs": "fr", "weat_1": "en"}
    model = Model("m", entry)
    assert [query for query, tag in spoken.items() if model.speaks(tag)] == asked


def test_a_derived_model_has_the_languages_of_its_origin():
    base = Model("base", {"language": "fr"})
    assert Model("m", {"derive": {"from": "base"}}, base).languages == ("fr",)


def test_random_words_are_of_the_one_language_of_a_model():
    tags = ("zh-Hans", "ckb", ["en", "fr"])
    assert [Model("m", {"language": tag}).frequency_list for tag in tags] == ["zh", None, None]
