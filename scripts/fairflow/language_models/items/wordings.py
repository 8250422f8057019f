"""Wordings: several ways to ask the items of a query; every item is asked in every one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import Item
from fairflow.language_models.items.slot_item import SLOT

OPENING = "\"'“«(["


def filled_in(text: str, places: Mapping[str, str]) -> str:
    """The text with what belongs in its places; nothing is filled into what was filled in."""
    return SLOT.sub(lambda place: places[place[1]], text)


def behind(prompt: str, answer: str) -> str:
    """An answer as it follows a prompt: behind a space, unless a quote or bracket is open."""
    return answer if prompt.endswith(tuple(OPENING)) or prompt[-1:].isspace() else f" {answer}"


def wordings_of(entry: Mapping[str, Any], kind: type[Item]) -> dict[str, str]:
    """The wordings of an entry of a query: name -> text with the places of the kind.

    Raises
    ------
    ItemError : a kind with one wording, an unknown or missing place, or the same text twice.
    """
    wordings = dict(entry.get("wordings", {}))
    if wordings and not kind.places:
        raise ItemError(f"wordings: items of kind {kind.kind!r} have one wording; leave it out")
    for name, text in wordings.items():
        found, known = set(SLOT.findall(text)), {*kind.places, *kind.further_places}
        if wrong := (found - known) | ({*kind.places} - found):
            places = " ".join(map("{{{}}}".format, (*kind.places, *kind.further_places)))
            raise ItemError(
                f"wordings: {name}: {{{min(wrong)}}} is unknown or missing in {text!r}; the places "
                f"of this kind are {places}"
            )
    if len(set(wordings.values())) < len(wordings):
        raise ItemError("wordings: the same text is there twice, and would count twice")
    return wordings
