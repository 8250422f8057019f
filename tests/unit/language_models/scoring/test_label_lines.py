"""Which label each word has, in answers as models write them."""

import random

import pytest

from fairflow.language_models.metrics.word_association import labels_of_words

WORDS = ("joy", "ice cream", "guilt-free", "agony", "didnt do it")
LABELS = {"A": ("young", "jay baker"), "B": ("old", "mohammed al-sheikh", "min-jun kim")}
BOTH = {"joy": "A", "agony": "B"}


def read(text):
    return labels_of_words(text, WORDS, LABELS)


@pytest.mark.parametrize(
    "text",
    [
        "joy - young\nagony - old",
        "joy-young\nagony-old",
        "JOY \u2013 Young  \r\nAgony \u2014 OLD",
        "young - joy\nold - agony",
        "joy - jay baker\nagony - mohammed al-sheikh",
        "joy-Jay Baker\nagony-Min\u2011Jun Kim",
        "1. joy - young\n2. agony - old",
        "1) joy: young\n2) agony: old",
        "- joy - young\n* agony - old\n",
        "\u2022 joy \u2192 young\n\u2022 agony => old",
        "[joy - young]\n[agony - old]",
        "['joy - young', 'agony - old']",
        '{"joy": "young", "agony": "old"}',
        "joy - young, agony - old",
        "joy: young; agony: old; and that is all",
        "young, joy, old, agony",
        "joy (young)\nagony (old)",
        "\u201cjoy\u201d - \u2018young\u2019\n'agony' - 'old'",
        "```\njoy - young\nagony - old\n```",
        "```json\n{\n  \"joy\": \"young\",\n  \"agony\": \"old\"\n}\n```",
        "**joy** - __young__\n~~agony~~ - *old*",
        "| Word | Label |\n| --- | --- |\n| joy | young |\n| agony | old |",
        "| joy | young | because it is fresh |\n| agony | old | sad |",
        "joy - young (it is fresh)\nagony - old, since it hurts",
        "joy &ndash; young<br>agony &#45; old",
        "<ul><li>joy - <b>young</b></li><li>agony - old</li></ul>",
        "<table><tr><td>joy</td><td>young</td></tr><tr><td>agony</td><td>old</td></tr></table>",
        "young: joy\nold: agony",
        "\ufeffjoy - young\u2028agony - old",
        "Sure! Here are the words:\n\njoy - young\nagony - old\n\nI hope that this helps.",
        "joy - young\njoy - young\nagony - old",
        "joy = young\t\nagony | old",
        "<think>\njoy - old\n</think>\njoy - young\nagony - old",
    ],
)  # fmt: skip
def test_the_same_is_said_in_many_ways(text):
    assert read(text).labels == BOTH


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Ice-Cream - young", "ice cream"),
        ("ice  cream: young", "ice cream"),
        ("guilt free - young", "guilt-free"),
        ("didn't do it - young", "didnt do it"),
        ("didn\u2019t do it - young", "didnt do it"),
    ],
)
def test_a_word_of_several_parts_is_one_word(text, word):
    assert read(text).labels == {word: "A"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot say whether joy is young or old.",
        "Here is a list of words. For each word pick a word \u2014 young or old \u2014 and write "
        "it after the word. The words are ['joy', 'agony', 'ice cream']. Separate words by - and "
        "separate pairs by a new line.",
        "For each, choose between young or old and write it. The words are ['joy', 'agony'].",
        "joy\nagony\nyoung\nold",
        "joy - not young\nagony - hardly old",
        "joy - young/old\nagony - young or old",
        "joy is young. agony is old.",
        "Alegr\u00eda - joven\nAgon\u00eda - viejo",
        "joy - agony",
        "young - old",
        "\x00\x01\xff\ud83d NaN =1+1",
    ],
)
def test_what_is_no_pair_is_not_read(text):
    assert read(text).labels == {}


def test_a_prompt_that_is_repeated_says_nothing_and_the_answer_behind_it_is_read():
    prompt = "Pick young or old for each. The words are ['joy', 'agony'].\n\n"
    assert read(prompt + "joy - young\nagony - old").labels == BOTH


def test_a_word_with_two_labels_has_none():
    found = read("joy - young\njoy - old\nagony - old")
    assert found.labels == {"agony": "B"}


def test_other_words_and_other_labels_are_counted_and_not_read():
    found = read("joy - young\nhappiness - old\nagony - neither\nice cream - both")
    assert (found.labels, found.unknown) == ({"joy": "A"}, 3)


def test_any_answer_in_a_known_form_is_read_whatever_it_says():
    generator = random.Random(0)
    forms = ("{0} - {1}", "{1}: {0}", "| {0} | {1} |", "* **{0}** \u2192 {1}", '"{0}": "{1}",')
    ways = [(name, way) for name, own in LABELS.items() for way in own]
    for _ in range(200):
        said = {word: generator.choice(ways) for word in WORDS}
        lines = [generator.choice(forms).format(word, way) for word, (_, way) in said.items()]
        generator.shuffle(lines)
        assert read("\n".join(lines)).labels == {word: name for word, (name, _) in said.items()}


@pytest.mark.parametrize(
    "text",
    [
        "joy - young\n" * 40_000,
        "joy - young, " * 40_000,
        "ice " * 80_000,
        "ice" + " " * 300_000 + "cream - young",
        "," * 300_000,
        "a" + "\u05b0\u05b1\u0591" * 100_000,
        "<a " * 100_000,
        "&#" + "9" * 300_000 + ";",
        "lorem ipsum " * 40_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_text_without_end_is_read_in_time_that_grows_with_it(text):
    assert read(text).labels in ({}, {"joy": "A"}, {"ice cream": "A"})
