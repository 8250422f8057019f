"""Names in lines: those of models and metrics, and the labels of queries."""

from __future__ import annotations

import re
import textwrap
from functools import cache

_GROUP = re.compile(r"[(\[][^()\[\]]*[)\]]")
# Stands for a blank at which no line ends.
_TIED = "\N{NO-BREAK SPACE}"
_PARTS = re.compile(r" (?=and |\[)")


@cache
def wrapped_name(text: str, width: int) -> str:
    """A name in lines of about `width` characters.

    Lines end at blanks, inside parentheses only where these are longer than a line, and at hyphens
    only of words that are; a word without any is never broken.
    """
    tied = _GROUP.sub(lambda group: _tie(group[0], width), text)
    lines = textwrap.wrap(tied, width, break_long_words=False, break_on_hyphens=False)
    broken = (
        textwrap.wrap(line, width, break_long_words=False) if len(line) > width else [line]
        for line in lines
    )
    return "\n".join(part.replace(_TIED, " ") for parts in broken for part in parts)


def _tie(group: str, width: int) -> str:
    return group.replace(" ", _TIED) if len(group) <= width else group


@cache
def wrapped_query(text: str, width: int) -> str:
    """The label of a query in lines: a break before "wrt", where targets end, then between sets."""
    if len(text) <= width:
        return text
    targets, wrt, attributes = text.partition(" wrt ")
    sides = [targets, f"wrt {attributes}"] if wrt else [targets]
    return "\n".join(_sets(side, width) for side in sides)


def _sets(side: str, width: int) -> str:
    lines: list[str] = []
    for part in _PARTS.split(side):
        if lines and len(lines[-1]) + 1 + len(part) <= width:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return "\n".join(wrapped_name(line, width) for line in lines)
