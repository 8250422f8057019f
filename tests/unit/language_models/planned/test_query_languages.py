"""Sentences and items have a language, and are not put to a model of another one."""

from types import SimpleNamespace

from fairflow.language_models.planned.models import PlannedLanguageModel
from fairflow.language_models.planned.queries import planned_language_queries
from fairflow.planning.queries import PlannedQuery

SETS = {"mots:fleurs": {"words": ["rose", "lis"], "language": "fr"}}


def test_sentences_have_the_language_of_their_words_and_items_that_of_their_file():
    words = {
        "q": PlannedQuery("q", {"mots:fleurs": "mots:fleurs"}, {}, "as_written", language="fr")
    }
    association = {"kind": "association", "words_of": "q", "templates": {"mots:fleurs": "noun"}}
    pair = {"category": "work", "more": "Lei cucina.", "less": "Lui cucina."}
    items = {"kind": "pair", "pairs": [pair]}
    file = {"language": "it", "queries": {"items": items}}
    given = SimpleNamespace(
        further={"language_queries": {"a": {"queries": {"sentences": association}}, "b": file}},
        metrics={},
    )
    made, _, faults = planned_language_queries(given, words, SETS)
    assert faults == []
    assert {name: query.language for name, query in made.items()} == {
        "sentences": "fr",
        "items": "it",
    }


def test_a_model_is_asked_in_its_languages_and_in_all_if_it_names_none():
    for entry, known in (({}, "en fr"), ({"language": "en"}, "en"), ({"language": "fr-BE"}, "fr")):
        model = PlannedLanguageModel("m", {"kind": "masked", **entry})
        assert [tag for tag in ("en", "fr") if model.speaks(tag)] == known.split()
