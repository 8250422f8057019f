"""A word holds nothing that no word holds, and is found however its letters are composed."""

from pathlib import Path

import pytest

from fairflow.errors import FairflowError
from fairflow.planning.configuration import shape_problems
from fairflow.planning.named_sets import read_named
from fairflow.queries.lookup import Lookup, look_up_set, spelling_problem
from fairflow.queries.query_file import parse_lexicon, read_property

ROOT = Path(__file__).parents[3]
COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"
# A text, and what is said of it.
NO_WORDS = {
    "ma\u200bn": "'ma\\u200bn' holds ZERO WIDTH SPACE, which no word holds: remove it",
    "man\u200d": "holds ZERO WIDTH JOINER",
    "\ufeffman": "holds ZERO WIDTH NO-BREAK SPACE",
    "new\u00a0york": "holds NO-BREAK SPACE",
    "man\n": "holds the character U+000A",
    "caf\ufffd": "holds REPLACEMENT CHARACTER",
    "m\u0430n": "holds LATIN SMALL LETTER M and CYRILLIC SMALL LETTER A, of alphabets that",
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


def test_it_is_refused_where_words_are_read(tmp_path):
    contents = {"citation": "me", "sets": {"a": {"tuples": [["man", "wo\u200bman"]]}}}
    (problem,) = shape_problems(contents, "word_sets", Path("a"), ROOT / "workflow/schemas")
    assert problem.startswith("a: sets.a.tuples[0][1]: 'wo\\u200bman' holds ZERO WIDTH SPACE")
    (problem,) = read_named({"pairs": [["she", "m\u0430n"]]}, {"pairs": "tuples"}, {}).problems
    assert problem.startswith("pairs: 'm\u0430n' holds LATIN SMALL LETTER M and CYRILLIC")
    path = tmp_path / "words.txt"
    path.write_text("good\nbad\n", encoding="utf-8-sig")
    assert parse_lexicon(path, "utf-8", None) == ["good", "bad"]
    path.write_text("good\n\nba\u200bd\n", encoding="utf-8")
    with pytest.raises(FairflowError, match=r"words\.txt, line 3: .* holds ZERO WIDTH SPACE"):
        parse_lexicon(path, "utf-8", None)
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
