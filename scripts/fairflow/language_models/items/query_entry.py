"""A query of language models as it is written in YAML, or in a published file, made into items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import Item
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.kinds import KINDS
from fairflow.language_models.items.loaders.crows_pairs import read_crows_pairs
from fairflow.language_models.items.loaders.honest import read_honest
from fairflow.language_models.items.loaders.lexicon import read_lexicon
from fairflow.language_models.items.loaders.stereoset import read_stereoset
from fairflow.language_models.items.unreadable_item import UnreadableItem

# Kind -> the reader of the published file that may stand for its items.
READERS: dict[str, Callable[[str], list[Any]]] = {
    "pair": read_crows_pairs,
    "candidate": read_stereoset,
    "prompt": lambda path: read_honest(path, masked=True),
}


def files_of(entry: Mapping[str, Any]) -> list[str]:
    """The files that an entry points to."""
    return [entry[key] for key in ("file", "lexicon_file") if key in entry]


def items_of(entry: Mapping[str, Any]) -> ItemSet:
    """The items of an entry of a query file.

    Raises
    ------
    ItemError : something that no model could score; FileNotFoundError : a file that is not there.
    """
    kind = KINDS[entry["kind"]]
    items = _listed(entry, kind)
    readable = [item for item in items if not isinstance(item, UnreadableItem)]
    lexicon = read_lexicon(entry["lexicon_file"]) if "lexicon_file" in entry else []
    counted = entry.get("groups", {}) if kind.slice_ == "completions" else {}
    return ItemSet(
        kind=kind.kind,
        items=tuple(kind.together(readable)),
        unreadable=tuple(item for item in items if isinstance(item, UnreadableItem)),
        groups={name: tuple(words) for name, words in counted.items()},
        targets=tuple(entry.get("targets", ())),
        lexicon=tuple(dict.fromkeys([*entry.get("lexicon", ()), *lexicon])),
    )


def _listed(entry: Mapping[str, Any], kind: type[Item]) -> list[Any]:
    """The items as they are written or read, unreadable ones among them."""
    reader = READERS.get(kind.kind)
    if "file" in entry:
        if "unit" in entry:
            raise ItemError("unit: a file says which items belong together; leave unit out")
        if reader is None:
            raise ItemError(f"there is no reader of files of kind {kind.kind!r}: write {kind.key}")
        return reader(entry["file"])
    if kind.key not in entry:
        raise ItemError(f"kind {kind.kind!r} needs {kind.key}" + (" or file" if reader else ""))
    return kind.from_entry(entry)
