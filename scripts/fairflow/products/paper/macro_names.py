"""Names of LaTeX macros: made of letters only, from the names of what they hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from fairflow.errors import FairflowError

DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def macro_name(*parts: str) -> str:
    """Parts joined, each word and digit with a capital, the first letter small.

    Accents are left out and other letters become their code point, digit by digit.

    Examples
    --------
    >>> macro_name("weat_replication", "weat_10", "p value")
    'weatReplicationWeatOneZeroPValue'
    """
    name = "".join(map(_capitalised, parts))
    return name[:1].lower() + name[1:]


def unique_macros(macros: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Macros as they are.

    Parameters
    ----------
    macros : name, value, what it holds.

    Raises
    ------
    FairflowError : two different things have one name.
    """
    holders: dict[str, str] = {}
    listed = list(macros)
    for name, _, what in listed:
        if name in holders:
            raise FairflowError(
                f"numbers.tex: \\{name} would stand for {holders[name]} and for {what}: rename a "
                "study, model, metric, query or criterion, so that letters and digits tell them "
                "apart"
            )
        holders[name] = what
    return listed


def _capitalised(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    letters = "".join(c for c in plain if not unicodedata.combining(c))
    words = re.findall(r"[A-Za-z]+|[0-9]|[^\W_]", letters)
    return "".join(_word(word) for word in words)


def _word(word: str) -> str:
    if re.fullmatch("[A-Za-z]+", word):
        return word[0].upper() + word[1:]
    digits = word if word in "0123456789" else str(ord(word))
    return "".join(DIGITS[int(digit)] for digit in digits)
