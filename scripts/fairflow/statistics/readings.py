"""Reading: what the values of a measure say, as facts; the words of an axis are made of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Reading:
    """What the values of a measure say.

    Attributes
    ----------
    fair : the value of a model without bias, on the scale of the tables; None if no value is fair.
    above : what values above the fair one say; "" where the sign says nothing.
    says : without `above` what the fair value says, and where no value is fair any value.
    of_pairs : values above the fair one say that the first targets go with the first attributes and
        the second with the second.
    published_shift : from the scale of the tables to the one on which values are published.
    """

    fair: float | None = None
    above: str = ""
    says: str = ""
    of_pairs: bool = False
    published_shift: float = 0

    def text(self, shift: float = 0) -> str:
        """A few words for an axis, on the scale that is shifted by a number; may be empty."""
        if self.fair is None:
            return self.says
        fair = f"{self.fair + shift:g}"
        return f"above {fair}: {self.above}" if self.above else f"{fair}: {self.says}"

    @property
    def facts(self) -> dict[str, Any]:
        """All of it as plain values, with the text."""
        return asdict(self) | {"text": self.text()}


def published_name(label: str, shift: float) -> str:
    """The label of a metric without the shift of its values: 'ss' of 'ss - 50'."""
    return label.replace(f" - {shift:g}", "", 1)
