"""Errors that say where, what was found, what was expected and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path

# Line breaks, control characters and halves of characters (of names that are not UTF-8), which no
# line of a text or table can hold.
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_OBEYED = re.compile(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
NAME_ADVICE = "its name is not UTF-8, or holds a line break or the like: rename it"
# How a text begins that a spreadsheet calculates.
FORMULA = ("=", "+", "-", "@")


def printable(text: str) -> str:
    """A text that no terminal obeys: its control characters are written as \\x1b and the like."""
    return _OBEYED.sub(lambda found: repr(found[0])[1:-1], text)


class FairflowError(Exception):
    """Any failure that the user can act on; its text is meant to be read."""

    def __str__(self) -> str:
        # Halves of characters cannot be printed.
        return printable(super().__str__().encode("utf-8", "backslashreplace").decode())


class ConfigurationError(FairflowError):
    """Everything wrong with a configuration, all at once.

    Parameters
    ----------
    problems : one sentence each, with file and key.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        count = f"{len(problems)} problem" + ("s" if len(problems) > 1 else "")
        super().__init__(f"{count} in the configuration:\n  - " + "\n  - ".join(problems))


class DownloadError(FairflowError):
    """A file could not be fetched, or is not the file that was promised."""


class VectorFormatError(FairflowError):
    """A file of vectors does not follow the format that its model entry names."""


class DegenerateError(FairflowError):
    """The metric's formula has no value for these vectors, for the reason given."""


def not_utf8(error: UnicodeDecodeError) -> str:
    """Where a file that was read as a whole is not UTF-8, to be put behind its name."""
    line = error.object.count(b"\n", 0, error.start) + 1
    return f", line {line}: not UTF-8 (byte {error.object[error.start]:#04x}): save it as UTF-8"


@cache
def former_names() -> dict[str, dict[str, str]]:
    """What version 0.2 `renamed`, with the new name, and `removed`, with what to use instead."""
    import yaml

    return yaml.safe_load(Path(__file__).with_name("errors.yaml").read_text(encoding="utf-8"))


def nearest(name: object, valid: Iterable[object]) -> str:
    """'Did you mean X?' with the closest valid name, or the valid names when none is close.

    Of a name that version 0.2 changed, the new one; of one that it removed, what replaces it.
    """
    names = sorted(str(v) for v in valid)
    former = former_names()
    if (new := former["renamed"].get(str(name))) in names:
        return f"Since version 0.2 its name is {new!r}."
    if instead := former["removed"].get(str(name)):
        return f"Version 0.2 has removed it. {instead}"
    close = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if close:
        return f"Did you mean {close[0]!r}?"
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"Valid: {shown}." if names else "None is defined."
