"""Docstrings as they are written here, made ready for the API pages.

In the library `name : what it is` stands on one line, because the types are in the signature. The
numpy style takes what follows the colon for a type, so that it moves to a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from typing import Any

from griffe import Extension, Object

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.M)
_NAMED = {"Parameters", "Other Parameters", "Attributes", "Raises"}
# "model : its name. threads : how many", several on one line.
_ENTRY = re.compile(r"(?:^|(?<=[.;)] ))([`*\w]+(?:, [`*\w]+)*) : ")


class Docstrings(Extension):
    """Rewrites each docstring before it is shown."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Called for each object once it was read."""
        if obj.docstring:
            obj.docstring.value = rewritten(obj.docstring.value)


def rewritten(docstring: str) -> str:
    """The docstring in the numpy style."""
    summary, *parts = _SECTION.split(cleandoc(docstring))
    sections = zip(parts[::2], parts[1::2], strict=True)
    # What is returned is a sentence, and after a list of parameters it would be one of them.
    in_order = sorted(sections, key=lambda section: section[0] != "Returns")
    return "".join([summary, *_sections(in_order)]).rstrip()


def _sections(sections: Iterable[tuple[str, str]]) -> Iterator[str]:
    for title, body in sections:
        if title in _NAMED:
            yield f"{title}\n{'-' * len(title)}\n" + "".join(_entries(body)) + "\n"
        elif title == "Returns":
            yield f"**Returns:** {' '.join(body.split())}\n\n"
        else:
            yield f"{title}\n{'-' * len(title)}\n{body}"


def _entries(body: str) -> Iterator[str]:
    """Each name, with what is said of it indented below."""
    for entry in re.split(r"\n(?=\S)", body.strip("\n")):
        before, *found = _ENTRY.split(" ".join(entry.split()))
        if not found:
            yield f"{before}\n"
        for names, said in zip(found[::2], found[1::2], strict=True):
            for name in names.replace("`", "").split(", "):
                yield f"{name}\n    {said.strip()}\n"
