"""SequelItem: a context and three sentences that may follow it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.token_request import TokenRequest
from fairflow.language_models.items.triple_item import LABELS, TripleItem


@dataclass(frozen=True)
class SequelItem(TripleItem):
    """An intersentence example of StereoSet.

    Attributes
    ----------
    sentences : label -> a sentence that may follow the context.

    Raises
    ------
    ItemError : an empty context or sentence, or a label missing.
    """

    kind = "sequel"
    key = "sequels"

    def __post_init__(self) -> None:
        super().__post_init__()
        texts = {"context": self.context, **self.sentences}
        empty = [name for name, text in texts.items() if not text.strip()]
        if empty:
            raise ItemError(f"item {self.item_id!r}: {', '.join(empty)} is empty")

    @classmethod
    def from_row(cls, number: str, row: Mapping[str, Any]) -> SequelItem:
        """A row with target, context and, for each label, a sentence; id, category, unit."""
        return cls(
            row.get("id", number),
            row["target"],
            row.get("category", ""),
            row["context"],
            {label: row[label] for label in LABELS},
            row.get("unit", ""),
        )

    def shown(self) -> dict[str, str]:
        """The context, and the three sentences that may follow it."""
        return {"context": self.context} | {label: self.sentences[label] for label in LABELS}

    def requests_for(self, need: str) -> list[TokenRequest]:
        """The sentences behind the context."""
        return [
            TokenRequest.continuation(
                self.text_id(label), self.context.rstrip(), f" {self.sentences[label].strip()}"
            )
            for label in LABELS
        ]
