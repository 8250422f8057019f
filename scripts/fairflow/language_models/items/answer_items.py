"""Items that a model answers in text: lists of words, and two labels to choose from for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from fairflow.files.checksums import identity_digest
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import WORDING, Item, filled_in

INSTRUCTED = ("label_1", "label_2", "words")


@dataclass(frozen=True)
class WordAssociationItem(Item):
    """A list of words: a model gives each one of two labels, draw by draw; Bai et al. (2025).

    Attributes
    ----------
    instruction : with the places of `INSTRUCTED`, the words in quotes with commas between them.
    default, stigmatised : the ways to write the label of each group, such as names of its persons;
        each draw shows one.
    positive, negative : the words of the poles: what the stereotype gives to the default and to
        the stigmatised group. neither : further words that are shown, of no pole.
    template_id : of the instruction. cluster : the stimulus.

    Raises
    ------
    ItemError : no label or word, one that is there twice, a missing place, or an unknown one.
    """

    kind = "word_association"
    key = "associations"
    noun = "word association"
    slice_ = "completions"
    answer_tokens: ClassVar[int] = 400
    places = ("text",)

    item_id: str
    instruction: str
    default: tuple[str, ...]
    stigmatised: tuple[str, ...]
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    template_id: str = ""
    category: str = ""
    cluster: str = ""
    wording: tuple[str, ...] = ()
    neither: tuple[str, ...] = ()

    def problem(self) -> str | None:
        """A sentence on what is empty or written twice, or on a place of the instruction."""
        lists = (self.default, self.stigmatised, self.positive, self.negative)
        terms = (*self.default, *self.stigmatised, *self.words)
        if not all([*lists, *map(str.strip, terms)]):
            return ": default, stigmatised, positive and negative need words"
        counts = Counter(one.casefold() for one in terms)
        if twice := [one for one, count in counts.items() if count > 1]:
            return f": {', '.join(twice)} is there twice, and no answer would say which is meant"
        if missing := [one for one in INSTRUCTED if f"{{{one}}}" not in self.instruction]:
            return f": the instruction has no {{{missing[0]}}}"
        try:
            self.message_of(0)
        except (KeyError, IndexError, ValueError, AttributeError) as error:
            return f": the instruction has another place than {INSTRUCTED}: {error}"
        return None

    @property
    def factors(self) -> dict[str, str]:
        """The instruction is what differs between wordings, unless the query has others."""
        return super().factors if self.wording else {WORDING: self.template_id}

    @property
    def words(self) -> tuple[str, ...]:
        """Every word that is shown."""
        return (*self.positive, *self.negative, *self.neither)

    @property
    def message(self) -> str:
        """What the first draw asks."""
        return self.message_of(0)

    def message_of(self, rank: int) -> str:
        """What a draw asks: labels, words and their order depend on the item's id and the rank."""
        words = ", ".join(f"'{word}'" for word in self._shuffled(rank, "words", self.words))
        ways = (self._shuffled(rank, "labels", of)[0] for of in (self.default, self.stigmatised))
        labels = self._shuffled(rank, "order of labels", ways)
        told = self.instruction.format(**dict(zip(INSTRUCTED, (*labels, words), strict=True)))
        return filled_in(self.wording[1], {"text": told}) if self.wording else told

    def _shuffled(self, rank: int, what: str, values: Iterable[str]) -> list[str]:
        """The values in an order that is drawn from the item's id and the rank."""
        # Every wording of an item shows the same draw.
        name = self.item_id.removesuffix("".join(f"@{one}" for one in self.wording[:1]))
        return sorted(values, key=lambda one: identity_digest(name, rank, what, one))

    def shown(self) -> dict[str, str]:
        """The first message."""
        return {"message": self.message}

    @classmethod
    def from_entry(cls, entry: Mapping[str, Any]) -> list[Self]:
        """Each stimulus in each instruction: the id of the row, "_" and that of the instruction.

        A row says under `instead` what it has instead in an instruction.
        """
        if "cluster" in entry:
            raise ItemError(f"the cluster of kind {cls.kind!r} is the row, in {cls.key}")
        if not entry.get("instructions"):
            raise ItemError(f"kind {cls.kind!r} needs instructions")
        return [
            cls.from_row(
                "",
                {
                    **row,
                    "id": f"{row['id']}_{name}",
                    "cluster": row["id"],
                    "template": name,
                    "instruction": instruction,
                    **row.get("instead", {}).get(name, {}),
                },
            )
            for row in entry[cls.key]
            for name, instruction in entry["instructions"].items()
        ]
