"""From a text to its words, as declared."""

import sys
from types import SimpleNamespace

import pytest

from fairflow.corpora.preparation import words_of_texts
from fairflow.errors import ConfigurationError


def words(text: str, **preparation) -> list[str]:
    return [word for some in words_of_texts(preparation)(text) for word in some]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat's 'tail', to-day!", ["the", "cat's", "tail", "to-day"]),
        ("don\u2019t co\u2010operate", ["don't", "co-operate"]),
        ("home--the _end_ a-", ["home", "the", "end", "a"]),
        ("In 1850, the 1st of 3 covid19 cases", ["in", "the", "of", "covid19", "cases"]),
        ("Straße ΛΌΓΟΣ Москва", ["straße", "λόγος", "москва"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("العَرَبِيَّة", ["العَرَبِيَّة"]),
    ],
)
def test_words_are_letters_of_any_script_with_inner_apostrophes_and_hyphens(text, expected):
    assert words(text) == expected


def test_a_declared_expression_finds_the_words():
    assert words("Don't A-b 12", token="[a-z]+") == ["don", "t", "a", "b"]
    # Groups only group.
    assert words("don't go", token="[a-z]+('[a-z]+)?") == ["don't", "go"]
    assert words("Don't go", lower=False) == ["Don't", "go"]


def test_declared_phrases_become_one_word_and_the_longest_is_taken():
    phrases = ["New York", "New York Times", "united states"]
    text = "The New York Times of New\nYork: United States, united statesman"

    assert words(text, phrases=phrases) == [
        *["the", "new_york_times", "of", "new_york", "united_states", "united", "statesman"]
    ]


def test_a_pipeline_of_spacy_finds_words_where_it_is_installed(monkeypatch):
    def load(name: str) -> SimpleNamespace:
        assert name == "xx_core"
        return SimpleNamespace(make_doc=lambda text: [SimpleNamespace(text=c) for c in text])

    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=load))

    assert words("父母 2。", spacy="xx_core") == ["父", "母"]


@pytest.mark.parametrize(
    ("preparation", "message"),
    [
        ({"token": "[a-z"}, "is no regular expression"),
        ({"token": "[a-z]*"}, "also matches a word of 0 letters"),
        ({"spacy": "no_such_pipeline"}, "the pipeline 'no_such_pipeline' cannot be loaded"),
    ],
)
def test_a_preparation_that_cannot_be_used(preparation, message):
    with pytest.raises(ConfigurationError, match=message):
        words_of_texts(preparation)
