"""Rewrites the library's docstrings in the numpy style, for the API pages.

The library writes `name : what it is` on one line, because the types are in the signature. The
numpy style reads the text after the colon as a type, so this module moves it to the next line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

from griffe import Extension, Object

from building.api import places

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.M)
_NAMED = {"Parameters", "Other Parameters", "Attributes", "Raises"}
_PLACES = {"Returns": 0, "Examples": 2, "See also": 3}
# "weat = sum of s ..." at the start of a line.
_FORMULA = re.compile(r"(?<=[.;:])\n(?=\w+(?:\([\w, ]+\))? = )")
# One line may hold several: "model : its name. threads : how many".
_ENTRY = re.compile(r"(?:^|(?<=[.;)] ))([`*\w]+(?:, [`*\w]+)*) : ")


class Docstrings(Extension):
    """Rewrites each docstring before it is shown."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """griffe calls this for each object that it has read."""
        if obj.docstring:
            obj.docstring.value = rewritten(obj.docstring.value)


def rewritten(docstring: str) -> str:
    """The docstring in the numpy style."""
    summary, *parts = _SECTION.split(cleandoc(docstring))
    sections = zip(parts[::2], parts[1::2], strict=True)
    # Paragraphs would join the last parameter of a list, but not the examples.
    in_order = sorted(sections, key=lambda section: _PLACES.get(section[0], 1))
    # Two spaces end a line in Markdown: each formula gets a line.
    return "".join([_FORMULA.sub("  \n", summary), *_sections(in_order)]).rstrip()


def _sections(sections: Iterable[tuple[str, str]]) -> Iterator[str]:
    for title, body in sections:
        if title in _NAMED:
            yield f"{title}\n{'-' * len(title)}\n" + "".join(_entries(body)) + "\n"
        elif title == "See also":
            yield f"**{title}:**\n\n" + "".join(_links(body)) + "\n"
        elif title == "Returns":
            yield f"**Returns:** {' '.join(body.split())}\n\n"
        else:
            yield f"{title}\n{'-' * len(title)}\n{body}"


def _links(body: str) -> Iterator[str]:
    """A line for each name, which leads to where it is explained."""
    homes = places(Path(__file__).parents[3])
    for entry in re.split(r"\n(?=\S)", body.strip("\n")):
        name, _, said = " ".join(entry.split()).partition(" : ")
        yield f"- [`{name}`][{homes[name]}]: {said}\n"


def _entries(body: str) -> Iterator[str]:
    """Each name, with its description indented below."""
    for entry in re.split(r"\n(?=\S)", body.strip("\n")):
        before, *found = _ENTRY.split(" ".join(entry.split()))
        if not found:
            yield f"{before}\n"
        for names, said in zip(found[::2], found[1::2], strict=True):
            for name in names.replace("`", "").split(", "):
                yield f"{name}\n    {said.strip()}\n"
