"""UnreadableItem: an item of a published file that is not what its kind needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from fairflow.language_models.errors import ItemError

UNREADABLE = "unreadable"


@dataclass(frozen=True)
class UnreadableItem:
    """An item without a score, whatever the model.

    Attributes
    ----------
    reason : where it stands in its file, and what is wrong.
    category : as far as the file tells it.
    """

    item_id: str
    reason: str
    category: str = ""

    template_id: ClassVar[str] = ""

    @property
    def stratum(self) -> str:
        """As of `Item`."""
        return self.category

    @property
    def drawn_by(self) -> str:
        """As of `Item`."""
        return self.item_id


def some_readable(items: Iterable[Any], path: str | Path) -> list[Any]:
    """The items of a file, if any can be read.

    Raises
    ------
    ItemError : none can; with the reason of the first.
    """
    items = list(items)
    if items and all(isinstance(item, UnreadableItem) for item in items):
        raise ItemError(f"{path}: none of {len(items)} items can be read; {items[0].reason}")
    return items
