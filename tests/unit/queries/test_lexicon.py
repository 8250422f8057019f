"""A lexicon is a file of one word per line."""

import pytest

from fairflow.errors import FairflowError
from fairflow.queries.query_file import parse_lexicon


@pytest.fixture
def lexicon(tmp_path):
    """Write bytes to a lexicon file and parse it."""

    def parse(contents, encoding="utf-8", comment=None):
        path = tmp_path / "words.txt"
        path.write_bytes(contents)
        return parse_lexicon(path, encoding, comment)

    return parse


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_words_come_in_the_order_of_the_file(lexicon, end):
    assert lexicon(end.join([b"b", b"a", b"c"])) == ["b", "a", "c"]


def test_empty_lines_and_surrounding_blanks_are_skipped(lexicon):
    assert lexicon(b"\n  good \n\n\tbad\n \n") == ["good", "bad"]


def test_a_word_may_hold_blanks_and_stand_twice(lexicon):
    assert lexicon(b"well made\ngood\ngood\n") == ["well made", "good", "good"]


def test_comments_are_skipped_when_their_mark_is_given(lexicon):
    contents = b"; a comment\n;\n  ; indented\ngood;\n"
    assert lexicon(contents, comment=";") == ["good;"]
    assert lexicon(contents) == ["; a comment", ";", "; indented", "good;"]


def test_the_encoding_is_the_one_named(lexicon):
    assert lexicon(b"na\xefve\n", encoding="latin-1") == ["naïve"]


def test_another_encoding_is_an_error_that_names_both(lexicon):
    with pytest.raises(FairflowError, match=r"words\.txt is not utf-8"):
        lexicon(b"na\xefve\n")


@pytest.mark.parametrize("contents", [b"", b"\n \n", b"; only\n; comments\n"])
def test_a_lexicon_without_words_is_an_error(lexicon, contents):
    with pytest.raises(FairflowError, match=r"words\.txt holds no word"):
        lexicon(contents, comment=";")
