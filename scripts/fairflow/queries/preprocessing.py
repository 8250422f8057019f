"""How a word is transformed before it is sought in a model."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from fairflow.errors import nearest

Preprocessor = Mapping[str, Any]

OPTIONS = ("preprocessor", "lowercase", "uppercase", "titlecase", "strip_accents")
STRATEGIES = ("first", "all")

_AS_WRITTEN: Preprocessor = {}


def preprocess_word(
    word: str, options: Preprocessor | None = _AS_WRITTEN, vocab_prefix: str | None = None
) -> str:
    """Transform one word and put the vocabulary prefix in front of it.

    Parameters
    ----------
    options : any of `preprocessor` (None, or a callable, which makes the others irrelevant),
        `lowercase`, `uppercase`, `titlecase` (the first true one of these three counts) and
        `strip_accents` (True or "unicode": combining marks dropped after NFKD; "ascii": all but
        ASCII dropped).

    Raises
    ------
    TypeError : an option that does not exist; the message names the nearest one.
    """
    options = options or {}
    check_options(options)
    return transform_word(word, options, vocab_prefix)


def transform_word(word: str, options: Preprocessor, vocab_prefix: str | None) -> str:
    """`preprocess_word` with options that have been checked."""
    if not options:
        return (vocab_prefix or "") + word
    function: Callable[[str], str] | None = options.get("preprocessor")
    if function is not None:
        word = function(word)
    else:
        word = _strip_accents(_change_case(word, options), options.get("strip_accents", False))
    return (vocab_prefix or "") + word


def check_options(options: Preprocessor) -> None:
    """Refuse preprocessor options that do not exist.

    Raises
    ------
    TypeError : not a mapping, an unknown option, or a value that the option does not take.
    """
    if not isinstance(options, Mapping):
        raise TypeError(f"a preprocessor must be a dict of options, got {options!r}")
    for name in options:
        if name not in OPTIONS:
            raise TypeError(f"unknown preprocessor option {name!r}. {nearest(name, OPTIONS)}")
    function = options.get("preprocessor")
    if function is not None and not callable(function):
        raise TypeError(f"preprocessor must be callable, got {function!r}")
    accents = options.get("strip_accents", False)
    if accents not in (True, False, "unicode", "ascii"):
        raise TypeError(f"strip_accents must be True, 'unicode' or 'ascii', got {accents!r}")


def _change_case(word: str, options: Preprocessor) -> str:
    if options.get("lowercase"):
        return word.lower()
    if options.get("uppercase"):
        return word.upper()
    if options.get("titlecase"):
        return word.title()
    return word


def _strip_accents(word: str, how: bool | str) -> str:
    if not how:
        return word
    decomposed = unicodedata.normalize("NFKD", word)
    if how == "ascii":
        return decomposed.encode("ascii", "ignore").decode("ascii")
    return "".join(character for character in decomposed if not unicodedata.combining(character))
