"""The language of a vocabulary is that whose own words it has, by a margin."""

import random
import string

import pytest

from fairflow.languages.detection import HEAD, language_of, own_words
from fairflow.queries.languages import FoundLanguage

RANDOM = random.Random(33)
SHARED = ["diana", "algebra", "2020"]


def made(start: str, number: int) -> list[str]:
    """Words that begin with a letter, so that each language has its own."""
    return [f"{start}{i:05}" for i in range(number)]


OWN = {"en": made("e", 300), "fr": made("f", 300), "tr": made("t", 300)}
LISTS = {tag: [*SHARED, *words] for tag, words in OWN.items()}


def vocabulary(count: int = HEAD, **held: float) -> list[str]:
    """As many words, with this share of the lists of each language, in no order."""
    words = [w for tag, share in held.items() for w in OWN[tag][: round(300 * share)]]
    words += made("x", count - len(words))
    RANDOM.shuffle(words)
    return words


def test_words_of_several_languages_decide_nothing():
    own = own_words(LISTS | {"de": SHARED})
    assert own == {tag: frozenset(words) for tag, words in OWN.items()}
    found = language_of([*SHARED, *made("x", HEAD)], LISTS)
    assert found.tag is None


@pytest.mark.parametrize(
    ("held", "tag"),
    [
        # Measured on lists of frequent words: French, Tagalog, Greek and English ones.
        ({"fr": 0.69, "en": 0.26}, "fr"),
        ({"tr": 0.75, "en": 0.45}, "tr"),
        ({"tr": 0.29, "en": 0.10}, "tr"),
        ({"en": 0.78, "fr": 0.07}, "en"),
        # Dutch, Norwegian (by Danish lists) and Indonesian ones, which have no lists.
        ({"en": 0.34, "fr": 0.09}, None),
        ({"fr": 0.35, "en": 0.29}, None),
        ({"en": 0.40, "tr": 0.09}, None),
        # French and English words by turns.
        ({"fr": 0.55, "en": 0.60}, None),
        ({}, None),
    ],
)
def test_the_language_is_known_by_the_first_words(held, tag):
    assert language_of(vocabulary(**held), LISTS).tag == tag


def test_the_words_that_follow_are_not_read():
    words = iter([*vocabulary(fr=0.7), *OWN["en"]])
    assert language_of(words, LISTS).tag == "fr"
    assert next(words) == OWN["en"][0]


def test_words_in_no_order_of_frequency_are_compared_as_a_whole():
    many = 10 * HEAD
    assert language_of(vocabulary(many, en=0.99, fr=0.5), LISTS).tag == "en"
    # A large vocabulary of another language has most English words too.
    assert language_of(vocabulary(many, en=0.88, fr=0.44), LISTS).tag is None
    unclear = language_of(vocabulary(many, fr=0.98, en=0.88), LISTS)
    assert unclear.tag is None
    assert unclear.sentences[0].startswith("Several languages fit these vectors")


def test_a_smaller_vocabulary_needs_a_smaller_share():
    assert language_of(vocabulary(5000, fr=0.2), LISTS).tag == "fr"
    assert language_of(vocabulary(5000, fr=0.1), LISTS).tag is None


def test_words_too_few_to_tell_are_taken_for_english_which_is_said_where_they_do_not_look_like_it():
    assert language_of(["man", *OWN["en"][:9]], LISTS) == FoundLanguage("en")
    found = language_of([*OWN["fr"], OWN["en"][0]], LISTS)
    assert found.tag == "en"
    (one,) = found.sentences
    assert one.startswith(
        "The 301 words are taken for English: they look like French (fr), but 500"
    )


def test_words_of_one_language_alone_decide_however_few_they_are():
    found = language_of(["x", *OWN["fr"][:5]], LISTS)
    assert found.tag == "fr"
    told = "the words have 5 of its lists, and none of another language's"
    assert found.sentences == (f"The language is French (fr): {told}.",)
    assert language_of(OWN["fr"][:4], LISTS).tag == "en"


@pytest.mark.parametrize(
    ("tag", "share"),
    # Words of Norwegian, Galician, Ukrainian, traditional Chinese and of 42 languages by turns.
    [("da", 0.35), ("es", 0.34), ("ru", 0.33), ("zh-Hans", 0.28), ("vi", 0.36)],
)
def test_a_relative_without_lists_is_not_taken_for_the_language(tag, share):
    own = made("o", 300)
    words = [*own[: round(300 * share)], *made("x", HEAD)]
    assert language_of(words, {"en": OWN["en"], tag: own}).tag is None
    assert language_of([*own[:180], *words], {"en": OWN["en"], tag: own}).tag == tag


def test_the_first_words_of_a_file_in_alphabetical_order_do_not_decide():
    lists = {"en": OWN["en"], "ar": made("\N{ARABIC LETTER ALEF}", 300)}
    words = sorted(
        [*OWN["en"], *made("x", HEAD), *lists["ar"], *made("\N{ARABIC LETTER BEH}", HEAD)]
    )
    assert language_of(words[:HEAD], lists).tag == "en"
    assert language_of(words, lists).tag is None


def test_spelling_case_and_prefix_of_words_are_those_of_a_file():
    lists = {"en": made("e", 30), "fr": ["ÉTÉ" + letter for letter in string.ascii_letters[:26]]}
    words = [f"/c/fr/e\N{COMBINING ACUTE ACCENT}t\N{LATIN SMALL LETTER E WITH ACUTE}{letter}"
             for letter in string.ascii_letters[:26]]  # fmt: skip
    found = language_of([*words, *made("x", 5000)], lists, "/c/fr/")
    assert found.tag == "fr"


def test_one_sentence_names_the_language_and_three_say_why_none_is_named():
    (one,) = language_of(vocabulary(fr=0.7, en=0.2), LISTS).sentences
    assert one == (
        "The language is French (fr): the first 20,000 words have 70% of the words that only the "
        "French (fr) lists have, and 20% of English (en) and 0% of Turkish (tr)."
    )
    prefixed = language_of((f"/c/fr/{word}" for word in vocabulary(fr=0.7)), LISTS).sentences
    assert prefixed[1] == "The first 20,000 words have 0 words of the lists."
    assert "--prefix" in prefixed[2]
    none = language_of(vocabulary(en=0.1), LISTS).sentences
    assert none[0] == "No language of the word lists fits these vectors."
    assert "; 55% are needed, and 1.5 times those of the next language" in none[1]
    assert "--language TAG" in none[2]
    assert len(none) == 3
