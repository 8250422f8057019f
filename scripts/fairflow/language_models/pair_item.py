"""PairItem: two sentences, of which the first is the more stereotyping one."""

from __future__ import annotations

from dataclasses import dataclass

from fairflow.language_models.errors import ItemError
from fairflow.language_models.token_request import TokenRequest

DIRECTIONS = ("stereo", "antistereo")
SIDES = ("more", "less")


@dataclass(frozen=True)
class PairItem:
    """A pair of sentences that differ in what group they speak of.

    Attributes
    ----------
    more, less : the more and the less stereotyping sentence.
    direction : "stereo" if `more` shows a stereotype of a disadvantaged group, "antistereo" if
        `less` violates one.
    category : the type of bias.

    Raises
    ------
    ItemError : another direction.
    """

    item_id: str
    more: str
    less: str
    direction: str = "stereo"
    category: str = ""
    template_id: str = ""

    def __post_init__(self) -> None:
        if self.direction not in DIRECTIONS:
            raise ItemError(
                f"pair {self.item_id!r}: direction must be one of {', '.join(DIRECTIONS)}, got "
                f"{self.direction!r}"
            )

    def text_id(self, side: str) -> str:
        """The id of one of the two texts."""
        return f"{self.item_id}/{side}"

    def requests(self, variant: str = "masked", scope: str = "shared") -> list[TokenRequest]:
        """What has to be scored; only masked variants need the other sentence."""
        texts = {"more": self.more, "less": self.less}
        others = {"more": self.less, "less": self.more}
        paired = variant in ("masked", "masked_l2r")
        return [
            TokenRequest(
                self.text_id(side),
                texts[side],
                variant,
                partner=others[side] if paired else None,
                scope=scope if paired else "all",
            )
            for side in SIDES
        ]
