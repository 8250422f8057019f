"""TripleItem: a context with three sentences: a stereotype, an anti-stereotype, a stray one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import Item

LABELS = ("stereotype", "anti-stereotype", "unrelated")


@dataclass(frozen=True)
class TripleItem(Item):
    """An example of StereoSet.

    Attributes
    ----------
    target : the term that scores are averaged by. category : its domain.
    sentences : label -> sentence.
    unit : examples that belong together share it; those of one target by default.

    Raises
    ------
    ItemError : a label missing, or another one.
    """

    template_id: ClassVar[str] = ""

    item_id: str
    target: str
    category: str
    context: str
    sentences: Mapping[str, str]
    unit: str = ""

    def __post_init__(self) -> None:
        if set(self.sentences) != set(LABELS):
            raise ItemError(
                f"item {self.item_id!r} must have {', '.join(LABELS)}; found "
                f"{', '.join(self.sentences) or 'none'}"
            )

    @property
    def unit_id(self) -> str:
        """What could have been another one: `unit`, else the target."""
        return self.unit or self.target

    @property
    def factors(self) -> dict[str, str]:
        """Contexts are written for one target: nothing is crossed."""
        return {}

    def text_id(self, label: str) -> str:
        """The id of one of the three texts."""
        return f"{self.item_id}/{label}"
