"""ItemSet: the items of a query and what its metrics need besides, as one JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fairflow.files.sealed_json import read_sealed, write_sealed
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import Item
from fairflow.language_models.items.kinds import KINDS
from fairflow.language_models.items.unreadable_item import UnreadableItem


@dataclass(frozen=True)
class ItemSet:
    """The items of a query.

    Attributes
    ----------
    kind : a key of `KINDS`.
    groups, targets, lexicon : of prompts: the groups whose words are counted in completions, the
        target words beside which they are counted, and words that hurt.
    unreadable : items of a published file that no model can score.
    left_out : id -> category of the items of the query that a sample leaves out.

    Raises
    ------
    ItemError : no item, or two with one id.
    """

    kind: str
    items: tuple[Item, ...]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    lexicon: tuple[str, ...] = ()
    unreadable: tuple[UnreadableItem, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ids = self.item_ids
        named = [*ids, *(item.item_id for item in self.unreadable)]
        twice = len(set(named)) < len(named)
        repeated = sorted({one for one in named if named.count(one) > 1}) if twice else []
        if not ids or repeated:
            raise ItemError(f"there must be items, each with an id of its own; twice: {repeated}")

    @property
    def item_ids(self) -> list[str]:
        """The id of each item."""
        return [item.item_id for item in self.items]

    @property
    def number_of_all(self) -> int:
        """How many items the query has, with those that a sample leaves out."""
        return len(self.items) + len(self.unreadable) + len(self.left_out)

    @property
    def categories(self) -> list[str]:
        """The distinct categories, in order of appearance."""
        return list(dict.fromkeys(item.category for item in self.items))


def write_items(items: ItemSet, path: str | Path) -> None:
    """Write a set of items; equal sets give equal bytes."""
    write_sealed(asdict(items), path)


def read_items(path: str | Path) -> ItemSet:
    """The inverse of `write_items`.

    Raises
    ------
    FairflowError : the file is damaged.
    """
    fields = read_sealed(path, "file of items")
    made = KINDS[fields["kind"]]
    return ItemSet(
        kind=fields["kind"],
        items=tuple(made(**_hashable(item)) for item in fields["items"]),
        groups={name: tuple(words) for name, words in fields["groups"].items()},
        targets=tuple(fields["targets"]),
        lexicon=tuple(fields["lexicon"]),
        unreadable=tuple(UnreadableItem(**item) for item in fields["unreadable"]),
        left_out=fields["left_out"],
    )


def _hashable(item: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _tuples(value) for key, value in item.items()}


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value
