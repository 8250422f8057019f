"""A query of language models as it is written in YAML, or in a published file, made into items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.candidate_item import BLANK, LABELS, CandidateItem
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.loaders.crows_pairs import read_crows_pairs
from fairflow.language_models.items.loaders.honest import read_honest
from fairflow.language_models.items.loaders.lexicon import read_lexicon
from fairflow.language_models.items.loaders.stereoset import read_stereoset
from fairflow.language_models.items.pair_item import PairItem, with_shared_sentences
from fairflow.language_models.items.prompt import Prompt
from fairflow.language_models.items.sentence_item import SentenceItem
from fairflow.language_models.items.slot_item import slot_items
from fairflow.language_models.items.unreadable_item import UnreadableItem

# Kind -> the key that holds its items, and the reader of the published file that may stand for it.
KINDS = {
    "slot": ("templates", None),
    "pair": ("pairs", read_crows_pairs),
    "sentence": ("sentences", None),
    "candidate": ("candidates", read_stereoset),
    "prompt": ("prompts", lambda path: read_honest(path, masked=True)),
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
    kind = entry["kind"]
    key, reader = KINDS[kind]
    if "unit" in entry and kind != "slot":
        raise ItemError(f"unit: a query of kind {kind!r} names it item by item, in {key}")
    if "file" in entry:
        if reader is None:
            raise ItemError(f"there is no reader of files of kind {kind!r}: write {key}")
        items = reader(entry["file"])
    elif key not in entry:
        raise ItemError(f"kind {kind!r} needs {key}" + (" or file" if reader else ""))
    elif kind == "slot":
        missing = [name for name in ("groups", "fills") if name not in entry]
        if missing:
            raise ItemError(f"kind 'slot' needs {', '.join(missing)}")
        items = slot_items(entry["templates"], entry["groups"], entry["fills"], entry.get("unit"))
    else:
        items = _MAKERS[kind](entry[key])
    readable = [item for item in items if not isinstance(item, UnreadableItem)]
    lexicon = read_lexicon(entry["lexicon_file"]) if "lexicon_file" in entry else []
    return ItemSet(
        kind=kind,
        items=tuple(with_shared_sentences(readable) if kind == "pair" else readable),
        unreadable=tuple(item for item in items if isinstance(item, UnreadableItem)),
        groups={
            name: tuple(words)
            for name, words in (entry.get("groups", {}) if kind == "prompt" else {}).items()
        },
        targets=tuple(entry.get("targets", ())),
        lexicon=tuple(dict.fromkeys([*entry.get("lexicon", ()), *lexicon])),
    )


def _pairs(rows: Sequence[Mapping[str, str]]) -> list[PairItem]:
    return [
        PairItem(
            row.get("id", str(number)),
            row["more"],
            row["less"],
            row.get("direction", "stereo"),
            row.get("category", ""),
            row.get("template", ""),
            row.get("unit", ""),
        )
        for number, row in enumerate(rows)
    ]


def _sentences(rows: Sequence[Mapping[str, Any]]) -> list[SentenceItem]:
    return [
        SentenceItem(
            row.get("id", str(number)),
            row["text"],
            tuple(row.get("kept", ())),
            row.get("template", ""),
            row.get("category", ""),
            row.get("unit", ""),
        )
        for number, row in enumerate(rows)
    ]


def _candidates(rows: Sequence[Mapping[str, str]]) -> list[CandidateItem]:
    return [
        CandidateItem(
            row.get("id", str(number)),
            row["target"],
            row.get("category", ""),
            row["context"],
            {label: row["context"].replace(BLANK, row[label]) for label in LABELS},
            row.get("unit", ""),
        )
        for number, row in enumerate(rows)
    ]


def _prompts(rows: Sequence[Mapping[str, str]]) -> list[Prompt]:
    return [
        Prompt(
            row.get("id", str(number)),
            row["text"],
            row.get("template", ""),
            row.get("category", ""),
            row.get("unit", ""),
        )
        for number, row in enumerate(rows)
    ]


_MAKERS = {
    "pair": _pairs,
    "sentence": _sentences,
    "candidate": _candidates,
    "prompt": _prompts,
}
