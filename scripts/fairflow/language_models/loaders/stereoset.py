"""Reading the JSON file of StereoSet (Nadeem et al. 2021), its intrasentence part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairflow.language_models.candidate_item import LABELS, CandidateItem
from fairflow.language_models.errors import ItemError
from fairflow.language_models.loaders.json_document import JsonDocument, read_json

KEYS = ("id", "target", "bias_type", "context", "sentences")


def read_stereoset(path: str | Path) -> list[CandidateItem]:
    """The intrasentence examples of a file, in its order.

    Raises
    ------
    ItemError : a key missing, a label missing or twice, no BLANK, an id twice; with the line.
    """
    document = read_json(path)
    content = document.content
    data = content.get("data") if isinstance(content, dict) else None
    examples = data.get("intrasentence") if isinstance(data, dict) else None
    if not isinstance(examples, list) or not examples:
        raise document.problem("data", "data.intrasentence must be a list of examples")
    items, seen = [], set()
    for number, example in enumerate(examples):
        item = _item(document, number, example)
        if item.item_id in seen:
            raise document.problem(item.item_id, f"the id {item.item_id!r} is there twice")
        seen.add(item.item_id)
        items.append(item)
    return items


def _item(document: JsonDocument, number: int, example: Any) -> CandidateItem:
    where = f"data.intrasentence[{number}]"
    if not isinstance(example, dict):
        raise document.problem("intrasentence", f"{where} is no object")
    near = example.get("id")
    missing = [key for key in KEYS if key not in example]
    if missing:
        raise document.problem(near, f"{where} lacks {', '.join(missing)}")
    sentences: dict[str, str] = {}
    for sentence in example["sentences"]:
        label, text = sentence.get("gold_label"), sentence.get("sentence")
        if label not in LABELS or label in sentences or not isinstance(text, str):
            raise document.problem(
                text if isinstance(text, str) else near,
                f"{where}: gold_label {label!r} of {text!r}; one sentence each is expected for "
                f"{', '.join(LABELS)}",
            )
        sentences[label] = text
    try:
        return CandidateItem(
            str(near), example["target"], example["bias_type"], example["context"], sentences
        )
    except ItemError as error:
        raise document.problem(near, f"{where}: {error}") from None
