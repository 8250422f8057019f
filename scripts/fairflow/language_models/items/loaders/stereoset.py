"""Reading the JSON file of StereoSet (Nadeem et al. 2021), either part."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.candidate_item import CandidateItem
from fairflow.language_models.items.loaders.json_document import JsonDocument, read_json
from fairflow.language_models.items.sequel_item import SequelItem
from fairflow.language_models.items.triple_item import LABELS
from fairflow.language_models.items.unreadable_item import UnreadableItem, some_readable

Example = CandidateItem | SequelItem
TEXTS = ("id", "target", "bias_type", "context")
KEYS = (*TEXTS, "sentences")


def read_stereoset(path: str | Path) -> list[CandidateItem | UnreadableItem]:
    """The intrasentence examples of a file, in its order.

    An example without BLANK, with a key or label missing or twice, or with an id that another has,
    is an unreadable item, whose id is its place in the list if it has none of its own.

    Raises
    ------
    ItemError : no JSON, no list of examples, none that can be read; with the line.
    """
    return _read(path, "intrasentence", CandidateItem)


def read_stereoset_intersentence(path: str | Path) -> list[SequelItem | UnreadableItem]:
    """The intersentence examples of a file, in its order; as `read_stereoset`."""
    return _read(path, "intersentence", SequelItem)


def _read(path: str | Path, part: str, made: type[Example]) -> list[Any]:
    document = read_json(path)
    content = document.content
    data = content.get("data") if isinstance(content, dict) else None
    examples = data.get(part) if isinstance(data, dict) else None
    if not isinstance(examples, list) or not examples:
        raise document.problem("data", f"data.{part} must be a list of examples")
    items: dict[str, Example | UnreadableItem] = {}
    for number, example in enumerate(examples):
        where = f"{part}[{number}]"
        item = _item(document, where, example, made)
        if item.item_id in items:
            why = f"the id {item.item_id!r} is there twice"
            item = _unreadable(document, where, example, why, where)
        items[item.item_id] = item
    return some_readable(items.values(), path)


def _item(
    document: JsonDocument, where: str, example: Any, made: type[Example]
) -> Example | UnreadableItem:
    try:
        checked = _checked(example)
        return made(*(checked[key] for key in TEXTS), _sentences(checked))
    except ItemError as error:
        return _unreadable(document, where, example, str(error))


def _checked(example: Any) -> Mapping[str, Any]:
    if not isinstance(example, dict):
        raise ItemError("it is no object")
    missing = [key for key in KEYS if key not in example]
    if missing:
        raise ItemError(f"it lacks {', '.join(missing)}")
    strange = [key for key in TEXTS if not isinstance(example[key], str)]
    if strange or not isinstance(example["sentences"], list):
        raise ItemError(f"{', '.join(strange) or 'sentences'} is of another type than published")
    return example


def _sentences(example: Mapping[str, Any]) -> dict[str, str]:
    sentences: dict[str, str] = {}
    for sentence in example["sentences"]:
        fields = sentence if isinstance(sentence, dict) else {}
        label, text = fields.get("gold_label"), fields.get("sentence")
        if label not in LABELS or label in sentences or not isinstance(text, str):
            raise ItemError(
                f"gold_label {label!r} of {text!r}; one sentence each is expected for "
                f"{', '.join(LABELS)}"
            )
        sentences[label] = text
    return sentences


def _unreadable(
    document: JsonDocument, where: str, example: Any, why: str, name: str = ""
) -> UnreadableItem:
    fields = example if isinstance(example, dict) else {}
    item_id, category = fields.get("id"), fields.get("bias_type")
    reason = f"line {document.line_of(item_id)}: " if isinstance(item_id, str) else ""
    return UnreadableItem(
        name or (item_id if isinstance(item_id, str) else where),
        f"{reason}data.{where}: {why}",
        category if isinstance(category, str) else "",
    )
