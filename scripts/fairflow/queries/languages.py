"""What is known of languages: their names, scripts and frequency lists; and what words tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from os.path import commonprefix
from pathlib import Path
from typing import Any

from fairflow.files.configuration_files import read_yaml

ENGLISH = "en"
PREFIX = "name it with fairflow score --prefix {}, and for an audit save the words without it."


@dataclass(frozen=True)
class FoundLanguage:
    """What the words of a file say about its language.

    Attributes
    ----------
    tag : of the language, None if none or several fit.
    sentences : one that names the language, or three that say why none is named; () for few words.
    """

    tag: str | None
    sentences: tuple[str, ...] = ()


def mark_of_all(words: Sequence[str]) -> str | None:
    """A sentence on a mark with which every word begins or ends; None without one.

    Parameters
    ----------
    words : some of a vocabulary; fewer than 10 tell nothing.
    """
    start = re.match(r".*[\W_]", commonprefix(words), re.DOTALL)  # noqa: RUF071
    if start and len(words) > 10:
        return f"Every word begins with {start[0]!r}: {PREFIX.format(start[0])}"
    marks = [re.search(r"[_/|#]\w+$", word) for word in words]
    ends = {mark[0] for mark in marks if mark}
    if None in marks or 5 * len(ends) > len(words):
        return None
    return f"Every word ends in a mark ({', '.join(sorted(ends)[:3])}): save the words without it."


@cache
def _known(what: str) -> Any:
    return read_yaml(Path(__file__).with_name("languages.yaml"))[what]


def language_name(tag: str) -> str:
    """The English name of a language and its BCP 47 tag, `French (fr)`."""
    name = _known("names").get(tag.partition("-")[0])
    return f"{name} ({tag})" if name else tag


def same_language(first: str, second: str) -> bool:
    """Whether two tags name one language, in one script where both name a script.

    Regions do not matter: words of British English are put to a model of American English.
    """
    languages, scripts = zip(_parts(first), _parts(second), strict=True)
    return len({*languages}) == 1 and len({*scripts} - {""}) < 2


def frequency_list(tag: str) -> str | None:
    """The code of a language in wordfreq; None if it has no list of it."""
    language = without_script(tag)
    code = _known("codes_in_wordfreq").get(language, language)
    return code if code in _known("frequency_lists") else None


def without_script(tag: str) -> str:
    """The language of a tag alone: zh of zh-Hans, and tl of fil, its other name."""
    return _parts(tag)[0]


def _parts(tag: str) -> tuple[str, str]:
    """The language and the script, which has four letters, in lower case; "" without a script."""
    language, *others = tag.lower().split("-")
    script = next((part for part in others if len(part) == 4 and part.isalpha()), "")
    return _known("aliases").get(language, language), script
