"""What is known of languages: tags, names, lists of word frequencies, and genders of nouns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from fairflow.files.configuration_files import read_yaml

ENGLISH = "en"


@cache
def _known(what: str) -> Any:
    return read_yaml(Path(__file__).with_suffix(".yaml"))[what]


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


def may_measure_grammar(language: str, sets: Iterable[str]) -> bool:
    """Whether a query in a language with grammatical gender has sets that name men or women.

    Parameters
    ----------
    language : a BCP 47 tag. sets : the names of the sets of the query.
    """
    own = tuple(_known("gendered").get(without_script(language), ()))
    # \W would cut words of scripts in which marks are letters.
    words = [word for name in sets for word in re.split(r"[\s\d_'\u2019/-]+", name.lower())]
    return bool(own) and any(w in _known("english_for_gender") or w.startswith(own) for w in words)
