"""AssociationItem: two target sets and two attribute sets of words or sentences."""

from __future__ import annotations

from dataclasses import dataclass

from fairflow.language_models.errors import ItemError

ROLES = ("target_1", "target_2", "attribute_1", "attribute_2")


@dataclass(frozen=True)
class AssociationItem:
    """A WEAT or SEAT test.

    Attributes
    ----------
    names : of the four sets, in the order of `ROLES`.

    Raises
    ------
    ItemError : an empty set.
    """

    item_id: str
    target_1: tuple[str, ...]
    target_2: tuple[str, ...]
    attribute_1: tuple[str, ...]
    attribute_2: tuple[str, ...]
    names: tuple[str, str, str, str] = ROLES

    def __post_init__(self) -> None:
        empty = [role for role in ROLES if not getattr(self, role)]
        if empty:
            raise ItemError(f"test {self.item_id!r}: {', '.join(empty)} is empty")

    @property
    def texts(self) -> list[str]:
        """Every text once, as it has to be embedded."""
        return list(dict.fromkeys(text for role in ROLES for text in getattr(self, role)))
