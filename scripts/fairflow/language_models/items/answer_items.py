"""Items that a model answers in text: words that get labels, and decisions between two persons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from fairflow.files.checksums import identity_digest
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import WORDING, Item
from fairflow.language_models.items.wordings import filled_in

_Entry = Mapping[str, Any]
ASKED = ("negative", "positive")


@dataclass(frozen=True)
class AnsweredItem(Item):
    """Two groups and the words of two poles, put into an instruction draw by draw.

    Attributes
    ----------
    instruction : with the places of `instructed`.
    default, stigmatised : the ways to write the label of each group, such as names of its persons;
        each draw shows one.
    positive, negative : the words of the poles: what the stereotype gives to the default and to
        the stigmatised group.
    template_id : of the instruction. cluster : the stimulus.

    Raises
    ------
    ItemError : no label or word, one that is there twice, a missing place, or an unknown one.
    """

    slice_ = "completions"
    instructed: ClassVar[tuple[str, ...]]
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

    def problem(self) -> str | None:
        """A sentence on what is empty or written twice, or on a place of the instruction."""
        lists = (self.default, self.stigmatised, self.positive, self.negative)
        if not all([*lists, *map(str.strip, self.terms)]):
            return ": default, stigmatised, positive and negative need words"
        counts = Counter(one.casefold() for one in self.terms)
        if twice := [one for one, count in counts.items() if count > 1]:
            return f": {', '.join(twice)} is there twice, and no answer would say which is meant"
        if missing := [one for one in self.instructed if f"{{{one}}}" not in self.instruction]:
            return f": the instruction has no {{{missing[0]}}}"
        try:
            self.message_of(0)
        except (KeyError, IndexError, ValueError, AttributeError) as error:
            return f": the instruction has another place than {self.instructed}: {error}"
        return None

    @property
    def terms(self) -> tuple[str, ...]:
        """Every label and word."""
        return (*self.default, *self.stigmatised, *self.positive, *self.negative)

    @property
    def message(self) -> str:
        """What the first draw asks."""
        return self.message_of(0)

    def message_of(self, rank: int) -> str:
        """What a draw asks: labels, words and their order depend on the item's id and the rank."""
        told = self.instruction.format(**self.filled(rank))
        return filled_in(self.wording[1], {"text": told}) if self.wording else told

    def filled(self, rank: int) -> dict[str, str]:
        """The text of each place in a draw."""
        raise NotImplementedError

    def shuffled(self, rank: int, what: str, values: Iterable[str]) -> list[str]:
        """The values in an order that is drawn from the item's id and the rank."""
        # Every wording of an item shows the same draw.
        name = self.item_id.removesuffix("".join(f"@{one}" for one in self.wording[:1]))
        return sorted(values, key=lambda one: identity_digest(name, rank, what, one))

    def two(self, rank: int, what: str, first: Sequence[str], second: Sequence[str]) -> list[str]:
        """One value of each list, in an order that is drawn."""
        ways = (self.shuffled(rank, what, one)[0] for one in (first, second))
        return self.shuffled(rank, f"order of {what}", ways)

    def shown(self) -> dict[str, str]:
        """The first message."""
        return {"message": self.message}

    @classmethod
    def from_entry(cls, entry: _Entry) -> list[Self]:
        """Each stimulus in each variant: the id of the row, "_" and the name of the variant."""
        if "cluster" in entry:
            raise ItemError(f"the cluster of kind {cls.kind!r} is the row, in {cls.key}")
        return [
            cls.from_row("", {**row, "id": f"{row['id']}_{name}", "cluster": row["id"], **own})
            for row in entry[cls.key]
            for name, own in cls.variants(entry, row).items()
        ]

    @classmethod
    def variants(cls, entry: _Entry, row: _Entry) -> dict[str, _Entry]:
        """The variants of a row of an entry: name -> its own keys."""
        raise NotImplementedError


@dataclass(frozen=True)
class WordAssociationItem(AnsweredItem):
    """A list of words: a model gives each one of two labels; Bai et al. (2025).

    Attributes
    ----------
    instruction : with {label_1}, {label_2} and {words}, in quotes with commas between them.
    neither : further words that are shown, of no pole.
    """

    kind = "word_association"
    key = "associations"
    noun = "word association"
    answer_tokens: ClassVar[int] = 400
    instructed = ("label_1", "label_2", "words")

    neither: tuple[str, ...] = ()

    @property
    def factors(self) -> dict[str, str]:
        """The instruction is what differs between wordings, unless the query has others."""
        return super().factors if self.wording else {WORDING: self.template_id}

    @property
    def words(self) -> tuple[str, ...]:
        """Every word that is shown."""
        return (*self.positive, *self.negative, *self.neither)

    @property
    def terms(self) -> tuple[str, ...]:
        """Every label and word."""
        return (*super().terms, *self.neither)

    def filled(self, rank: int) -> dict[str, str]:
        """One way of each label, and all words."""
        words = ", ".join(f"'{word}'" for word in self.shuffled(rank, "words", self.words))
        labels = self.two(rank, "labels", self.default, self.stigmatised)
        return dict(zip(self.instructed, (*labels, words), strict=True))

    @classmethod
    def variants(cls, entry: _Entry, row: _Entry) -> dict[str, _Entry]:
        """The instructions, each with what a row has instead."""
        if not entry.get("instructions"):
            raise ItemError(f"kind {cls.kind!r} needs instructions")
        own = row.get("instead", {})
        return {
            name: {"template": name, "instruction": instruction, **own.get(name, {})}
            for name, instruction in entry["instructions"].items()
        }


@dataclass(frozen=True)
class RelativeDecisionItem(AnsweredItem):
    """A decision between two persons, one of each group; after Bai et al. (2025).

    Attributes
    ----------
    instruction : with {person_1}, {person_2}, {word_1}, {word_2} and {asked}, one of both words: a
        person is to be chosen for it.
    asked : the pole of that word, "negative" or "positive".
    """

    kind = "relative_decision"
    key = "relative_decisions"
    noun = "decision"
    answer_tokens: ClassVar[int] = 60
    instructed = ("person_1", "person_2", "word_1", "word_2", "asked")

    asked: str = "negative"

    @property
    def choices(self) -> dict[str, tuple[str, ...]]:
        """The person that the stereotype gives to the asked pole, and the other."""
        if self.asked == "negative":
            return {"stereotyped": self.stigmatised, "other": self.default}
        return {"stereotyped": self.default, "other": self.stigmatised}

    def filled(self, rank: int) -> dict[str, str]:
        """One person of each group and one word of each pole."""
        persons = self.two(rank, "persons", self.default, self.stigmatised)
        words = self.two(rank, "words", self.positive, self.negative)
        asked = next(word for word in words if word in getattr(self, self.asked))
        return dict(zip(self.instructed, (*persons, *words, asked), strict=True))

    @classmethod
    def variants(cls, entry: _Entry, row: _Entry) -> dict[str, _Entry]:
        """Both poles."""
        return {asked: {"template": asked, "asked": asked} for asked in ASKED}
