"""The declared preparation of a text: from its characters to its words."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from fairflow.errors import ConfigurationError

Words = Callable[[str], Iterator[list[str]]]

# Characters of a text that become words at a time; of spaCy, some pipelines take few.
_PIECE, _PIECE_OF_SPACY = 1_000_000, 10_000
# Typographic apostrophes and hyphens, and the hyphen that shows where a line may break.
_TYPOGRAPHY = {"\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-", "\xad": ""}
# Codes of characters beyond these are no letters or marks of a word.
_LAST_CODE = 0x1FFFF


@cache
def default_token() -> str:
    """A word: a letter of any script, then letters, their marks and digits.

    Apostrophes and hyphens inside it are part of it (don't, to-day), as in the tokens of the R
    package quanteda. Numbers are no words. A script without spaces needs a spaCy pipeline: here, a
    sentence would be one word.
    """
    marks = "".join(c for c in map(chr, range(_LAST_CODE)) if unicodedata.category(c)[0] == "M")
    # Python looks codes of 16 bits up in a table; larger ones it compares with each range.
    split = bisect_right(marks, "\uffff")
    mark = rf"[{marks[:split]}]|(?=[\U00010000-\U0010ffff])[{marks[split:]}]"
    more = rf"(?:[^\W_]+|{mark})"
    return rf"(?<![^\W_])[^\W\d_]{more}*(?:['-]{more}++)*"


def words_of_texts(preparation: Mapping[str, Any]) -> Words:
    """A function that gives the words of a text, some at a time.

    Characters are composed (Unicode's form C), and typographic apostrophes and hyphens become
    simple ones, before words are found.

    Parameters
    ----------
    preparation : all optional. lower : put the text in lower case first; true by default. token :
        regular expression of a word. phrases : texts of several words that become one, joined with
        _; the longest first. spacy : name of an installed pipeline that finds the words in place
        of `token`; what has no letter is no word.

    Raises
    ------
    ConfigurationError : the expression or the pipeline cannot be used.
    """
    lower, pipeline = preparation.get("lower", True), preparation.get("spacy")
    cased = str.lower if lower else str
    phrases = [cased(phrase).split() for phrase in preparation.get("phrases", ())]
    parts = [r"\s+".join(map(re.escape, phrase)) for phrase in sorted(phrases, key=len)[::-1]]
    phrase = re.compile(rf"(?<![^\W_])(?:{'|'.join(parts)})(?![^\W_])") if parts else None
    names = sorted({"_".join(phrase) for phrase in phrases}, key=len)[::-1]
    find = _by_spacy(pipeline) if pipeline else _by_expression(preparation.get("token"), names)
    size = _PIECE_OF_SPACY if pipeline else _PIECE

    def words(text: str) -> Iterator[list[str]]:
        for piece in _pieces(text, size):
            piece = cased(piece)
            if not piece.isascii():
                piece = unicodedata.normalize("NFC", piece)
                for typographic, simple in _TYPOGRAPHY.items():
                    piece = piece.replace(typographic, simple)
            if phrase:
                piece = phrase.sub(lambda found: "_".join(found[0].split()), piece)
            yield find(piece)

    return words


def compiled(key: str, expression: str) -> re.Pattern[str]:
    """A regular expression of the configuration.

    Raises
    ------
    ConfigurationError : it cannot be read.
    """
    try:
        return re.compile(expression)
    except re.error as error:
        problem = f"{key}: {expression!r} is no regular expression: {error}"
        raise ConfigurationError([problem]) from None


def _pieces(text: str, size: int) -> Iterator[str]:
    """A long text in pieces that end behind a space, and where possible behind a clause."""
    start = 0
    while len(text) - start > size:
        near = (start + size, start + 2 * size)
        cut = re.compile(r"[^\w\s]\s").search(text, *near) or re.compile(r"\s").search(text, *near)
        end = cut.end() if cut else near[1]
        yield text[start:end]
        start = end
    yield text[start:]


def _by_expression(token: str | None, names: list[str]) -> Callable[[str], list[str]]:
    word = compiled("preparation.token", token or default_token()).pattern
    expression = re.compile("|".join([*map(re.escape, names), word]))
    if expression.fullmatch(""):
        raise ConfigurationError([f"preparation.token: {token!r} also matches a word of 0 letters"])
    if expression.groups:
        return lambda text: [found[0] for found in expression.finditer(text)]
    return expression.findall


def _by_spacy(name: str) -> Callable[[str], list[str]]:
    try:
        import spacy

        pipeline = spacy.load(name)
    except (ImportError, OSError) as error:
        problem = f"preparation.spacy: the pipeline {name!r} cannot be loaded: install spaCy and it"
        raise ConfigurationError([problem]) from error
    letter = re.compile(r"[^\W\d_]").search
    return lambda text: [word.text for word in pipeline.make_doc(text) if letter(word.text)]
