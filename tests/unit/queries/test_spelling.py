"""A word holds nothing that no word holds, and is found however its letters are composed."""

from pathlib import Path

import pytest

from fairflow.errors import FairflowError
from fairflow.planning.configuration import shape_problems
from fairflow.planning.named_sets import naming_problems
from fairflow.queries.lookup import Lookup, look_up_set, spelling_problem
from fairflow.queries.properties import read_property
from fairflow.queries.query_file import parse_lexicon

ROOT = Path(__file__).parents[3]
COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"
# A text, and what is said of it.
NO_WORDS = {
    "ma\u200bn": "'ma\\u200bn' holds ZERO WIDTH SPACE, which no word holds: remove it",
    "man\u200d": "holds ZERO WIDTH JOINER",
    "m\u200can": "holds ZERO WIDTH NON-JOINER",
    "\u200dman": "holds ZERO WIDTH JOINER",
    "\ufeffman": "holds ZERO WIDTH NO-BREAK SPACE",
    "new\u00a0york": "holds NO-BREAK SPACE, which no word holds: write a plain space",
    "man\n": "holds the character U+000A",
    "ma\tn": "holds the character U+0009",
    "ma\x07n": "holds the character U+0007",
    "m\u2028n": "holds LINE SEPARATOR",
    "ma\u00adn": "holds SOFT HYPHEN",
    "\u202eman": "holds RIGHT-TO-LEFT OVERRIDE",
    "caf\ufffd": "holds REPLACEMENT CHARACTER",
    "\U0001d426an": "holds MATHEMATICAL BOLD SMALL M, which no word holds: write the plain letter",
    "m\u0430n": "holds LATIN SMALL LETTER M and CYRILLIC SMALL LETTER A, of alphabets that",
    "w\u03bfman": "holds LATIN SMALL LETTER W and GREEK SMALL LETTER OMICRON",
    " man": "begins or ends with a space: remove it",
    "man ": "begins or ends with a space: remove it",
}
WORDS = [
    *("man", "New York", "o'clock", "na\u00efve", "nai\u0308ve", "\u03b1-helix", "T\u30b7\u30e3"),
    # Persian, Marathi and Malayalam words that are written with a joiner, and an emoji.
    *("\u0645\u06cc\u200c\u0631\u0648\u062f", "\u0915\u094d\u200d\u0937", "\u0d28\u0d4d\u200d"),
    *("\u043c\u0430\u043d", "\U0001f469\U0001f3fd\u200d\U0001f4bb", "\u7537"),
]


@pytest.mark.parametrize(("text", "sentence"), NO_WORDS.items())
def test_what_no_word_holds_is_named(text, sentence):
    assert sentence in spelling_problem(text)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_any_script_is_one(word):
    assert spelling_problem(word) is None


@pytest.mark.parametrize("key", ["words", "tuples"])
def test_a_word_set_that_holds_no_word_is_refused_with_its_place(key):
    words, path = ["man", "wo\u200bman"], Path("mine.yaml")
    contents = {"citation": "me", "sets": {"a": {key: words if key == "words" else [words]}}}
    (problem,) = shape_problems(contents, "word_sets", path, ROOT / "workflow/schemas")
    place = "[1]" if key == "words" else "[0][1]"
    assert problem.startswith(f"{path}: sets.a.{key}{place}: 'wo\\u200bman' holds ZERO WIDTH SPACE")


@pytest.mark.parametrize(
    ("kind", "value"), [("words", ["m\u0430n"]), ("tuples", [["she", "m\u0430n"]])]
)
def test_a_word_in_the_entry_of_a_model_or_query_is_looked_at_too(kind, value):
    (problem,) = naming_problems({"pairs": value}, {"pairs": kind}, {})
    assert problem.startswith("pairs: 'm\u0430n' holds LATIN SMALL LETTER M and CYRILLIC")


def test_a_lexicon_may_begin_with_a_mark_of_byte_order_and_holds_words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("good\nbad\n", encoding="utf-8-sig")
    assert parse_lexicon(path, "utf-8", None) == ["good", "bad"]
    path.write_text("good\n\nba\u200bd\n", encoding="utf-8")
    with pytest.raises(FairflowError, match=r"words\.txt, line 3: .* holds ZERO WIDTH SPACE"):
        parse_lexicon(path, "utf-8", None)


def test_a_property_of_no_word_is_refused_with_its_line(tmp_path):
    path = tmp_path / "share.csv"
    head = "# label: a\n# unit: b\n# source: c\n# citation: d\nword,value\n"
    path.write_text(f"{head}nurse,1\nba\u200bker,2\n", encoding="utf-8")
    with pytest.raises(FairflowError, match=r"share\.csv, line 7: .* holds ZERO WIDTH SPACE"):
        read_property(path)


@pytest.mark.parametrize("strategy", ["first", "all"])
@pytest.mark.parametrize("held", [COMPOSED, DECOMPOSED])
@pytest.mark.parametrize("written", [COMPOSED, DECOMPOSED])
def test_a_word_is_found_however_it_and_the_vocabulary_are_composed(written, held, strategy):
    account = look_up_set("Set", [written], {held}.__contains__, Lookup(strategy=strategy))
    assert account.form_of == [held]
    assert account.respelt == ([(written, held)] if written != held else [])


def test_both_spellings_of_a_word_in_a_set_are_one_word():
    both = {COMPOSED, DECOMPOSED}.__contains__
    account = look_up_set("Set", [COMPOSED, DECOMPOSED, "bar"], both, Lookup())
    assert (account.found, account.duplicated) == ({COMPOSED: 0}, [DECOMPOSED])
