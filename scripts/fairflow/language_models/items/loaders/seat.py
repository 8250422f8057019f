"""Reading a test file of SEAT (May et al. 2019): JSON, one test per file, whatever its ending."""

from __future__ import annotations

from pathlib import Path

from fairflow.language_models.items.association_item import AssociationItem
from fairflow.language_models.items.loaders.json_document import JsonDocument, read_json

KEYS = ("targ1", "targ2", "attr1", "attr2")


def read_seat(path: str | Path) -> AssociationItem:
    """The test of a file, named for it.

    Raises
    ------
    ItemError : a set missing or empty, or something in it that is no text; with the line.
    """
    document = read_json(path)
    if not isinstance(document.content, dict):
        raise document.problem("targ1", f"an object with {', '.join(KEYS)} is expected")
    sets = [_examples(document, key) for key in KEYS]
    names = tuple(document.content[key].get("category", key) for key in KEYS)
    return AssociationItem(Path(path).stem, *sets, names=names)


def _examples(document: JsonDocument, key: str) -> tuple[str, ...]:
    entry = document.content.get(key)
    examples = entry.get("examples") if isinstance(entry, dict) else None
    if not isinstance(examples, list) or not examples:
        raise document.problem(key, f"{key}.examples must be a list of texts")
    for text in examples:
        if not isinstance(text, str) or not text.strip():
            raise document.problem(key, f"{key}.examples holds {text!r}, which is no text")
    return tuple(examples)
