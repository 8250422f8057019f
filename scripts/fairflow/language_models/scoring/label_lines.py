"""Answers that give labels to words, line by line: which label each word has."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from fairflow.language_models.scoring.read_text import without_trace

WORD = re.compile(r"[^\W_]+")
LETTER = re.compile(r"[^\W\d_]")
# What joins a word and its label where other text follows: a dash of any kind, an arrow, "|", ...
JOINT = re.compile(r"[-\u00ad\u2010-\u2015\u2190-\u21ff\u2212\uff0d:\uff1a=|(\[]")
MARK_FIRST = re.compile(r"\s*[^\w\s]")
PART = re.compile("[,;\uff0c\uff1b\u3001\u060c]")
APOSTROPHE = re.compile(r"(?<=\w)['\u2019\u02bc](?=\w)")
ENTITY = re.compile(r"&#?\w{1,8};")
# Accents without end, whose normal form would take quadratic time.
MARKS = re.compile(r"[^\w\s!-~]{50,}")
TAG = re.compile(
    r"</?(?:[abipu]|em|br|hr|li|[ou]l|d[dlt]|t[dhr]|h\d|strong|span|div|pre|code|table|t(?:head|body)"
    r"|html|body)(?:\s[^<>]{0,999})?/?>",
    re.IGNORECASE,
)
# More other words than these in a line with one word or label make it a sentence.
FEW = 4


class Labelled(NamedTuple):
    """What an answer says.

    Attributes
    ----------
    labels : word -> its label, of words with one.
    twice : words with several labels, whose label is not known.
    unknown : lines that give another label to a word, or a label to another word.
    """

    labels: dict[str, str]
    twice: tuple[str, ...]
    unknown: int


def labels_of_words(
    text: str, words: Sequence[str], labels: Mapping[str, Sequence[str]]
) -> Labelled:
    """The label that each word has in an answer.

    The words and labels are known and are searched for, whatever their case; nothing is split at
    hyphens, so that "mohammed al-sheikh" is one label. A line is read if it consists of words and
    labels, in pairs ("joy - young", "young: joy", a row of a table, a list in brackets) or with one
    label for all its words; numbers, bullets, quotes, tags and other marks do not matter. If it
    does not, its parts between commas are read likewise. Other text may follow a pair that a mark
    joins, if it has no word or label. Sentences are not read, so that an answer which repeats the
    prompt gives no label by that, nor are traces of reasoning (`<think>`), or words below a label
    as their heading.

    The time is linear in the length of the text.

    Parameters
    ----------
    labels : name -> the ways to write the label.
    """
    return _terms(tuple(words), tuple((name, *ways) for name, ways in labels.items())).read(text)


def plain(text: str) -> str:
    """A text with composed characters (NFC), its case folded, without HTML and apostrophes."""
    text = TAG.sub(" ", ENTITY.sub(lambda found: html.unescape(found[0]), text))
    return APOSTROPHE.sub("", unicodedata.normalize("NFC", MARKS.sub(" ", text).casefold()))


class _Found(NamedTuple):
    """A word or a label in a line, with what stands behind it up to the next."""

    is_word: bool
    name: str
    behind: str


@dataclass(frozen=True)
class _Terms:
    """The words and labels of an item, as a pattern."""

    of: Mapping[tuple[str, ...], tuple[bool, str]]
    pattern: re.Pattern[str]

    def read(self, text: str) -> Labelled:
        """The labels of a text."""
        found: dict[str, set[str]] = {}
        unknown = 0
        for line in plain(without_trace(text)).splitlines():
            pairs, strange = self._line(line)
            unknown += strange
            for word, label in pairs:
                found.setdefault(word, set()).add(label)
        labels = {word: next(iter(own)) for word, own in found.items() if len(own) == 1}
        return Labelled(labels, tuple(sorted(found.keys() - labels.keys())), unknown)

    def _line(self, line: str) -> tuple[list[tuple[str, str]], int]:
        """The pairs of a line, or of its parts; and how many parts have another word or label."""
        if pairs := self._pairs(line):
            return pairs, 0
        parts = [part for part in PART.split(line) if part and self.pattern.search(part)]
        of_parts = [self._pairs(part) for part in parts]
        unknown = sum(
            not own and self._strange(part) for part, own in zip(parts, of_parts, strict=True)
        )
        return [pair for own in of_parts for pair in own], unknown

    def _strange(self, part: str) -> bool:
        """Whether one word or label is joined to few other words."""
        others, terms = self.pattern.subn(" ", part)
        number = sum(not word.isdigit() for word in WORD.findall(others))
        return terms == 1 and 0 < number <= FEW and bool(JOINT.search(part))

    def _pairs(self, line: str) -> list[tuple[str, str]]:
        """Word and label of each pair; none of a text that is no list of pairs."""
        before, found = self._found(line)
        if len(found) < 2 or LETTER.search(before):
            return []
        *inner, last = found
        if any(LETTER.search(one.behind) for one in inner):
            return []
        if LETTER.search(last.behind) and not (
            len(found) == 2 and JOINT.search(found[0].behind) and MARK_FIRST.match(last.behind)
        ):
            return []
        if len(found) % 2 == 0 and all(a.is_word != b.is_word for a, b in pairwise(found)):
            return [_word_first(*two) for two in zip(found[::2], found[1::2], strict=True)]
        of_all = [one.name for one in found if not one.is_word]
        if len(of_all) == 1 and (not found[0].is_word or not last.is_word):
            return [(one.name, of_all[0]) for one in found if one.is_word]
        return []

    def _found(self, line: str) -> tuple[str, list[_Found]]:
        """What stands before the first term of a line, and its terms."""
        matches = list(self.pattern.finditer(line))
        starts = [match.start() for match in matches] + [len(line)]
        return line[: starts[0]], [
            _Found(*self.of[tuple(WORD.findall(match[0]))], line[match.end() : start])
            for match, start in zip(matches, starts[1:], strict=True)
        ]


def _word_first(one: _Found, other: _Found) -> tuple[str, str]:
    return (one.name, other.name) if one.is_word else (other.name, one.name)


@lru_cache(maxsize=256)
def _terms(words: tuple[str, ...], labels: tuple[tuple[str, ...], ...]) -> _Terms:
    """The pattern of these words and labels, the longest first."""
    named = {tuple(WORD.findall(plain(word))): (True, word) for word in words}
    for name, *ways in labels:
        named |= {tuple(WORD.findall(plain(way))): (False, name) for way in ways}
    longest_first = sorted(filter(None, named), key=lambda term: -sum(map(len, term)))
    # One term in two parts is written "ice cream", "ice-cream" or "ice  cream".
    any_term = "|".join(r"[\W_]{1,3}".join(map(re.escape, term)) for term in longest_first)
    return _Terms(named, re.compile(rf"(?<![^\W_])(?:{any_term})(?![^\W_])"))
