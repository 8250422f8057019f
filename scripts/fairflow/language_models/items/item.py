"""Item: what all kinds of items have in common, and the requests that they make of a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from fairflow.language_models.errors import ItemError

# First character and the one behind the last.
Span = tuple[int, int]
NEUTRAL_MASK = "[MASK]"
# The factor of what a query asks in several wordings.
WORDING = "wording"


CAUSAL = ("causal", "causal_start_once", "continuation")
OF_A_WORD = ("posterior", "prior", "prior_fill_pieces", "prefix")
VARIANTS = ("masked", "unmasked", *OF_A_WORD, *CAUSAL)


@dataclass(frozen=True)
class TokenRequest:
    """A text whose tokens are to be scored in one variant, one of `VARIANTS`.

    ============================= ==============================================================
    variant                       what a token is scored with
    ============================= ==============================================================
    masked                        each token masked alone, the rest of the text in view
    unmasked                      nothing masked, read at the token itself; with the attention
                                  paid to it
    posterior                     all tokens of the word masked, its fill in view
    prior                         word and fill masked; one mask for the fill, however many
                                  tokens it has
    prior_fill_pieces             word and fill masked; as many masks for the fill as it has
                                  tokens
    prefix                        the word's tokens up to this one, this one masked, the later
                                  ones left out
    causal                        the tokens before it, after a start of text
    causal_start_once             the tokens before it; the first token after a start of text
    continuation                  what follows the context; the tokens before it, the context's
                                  among them
    ============================= ==============================================================

    Attributes
    ----------
    text_id : unique together with the variant.
    text : with its words in it, nothing masked.
    word : characters [start, end) of the word that is scored, for variants of a word.
    fill : characters of the word that a prior hides.
    hidden : characters of copies of the word, each behind one mask in "prefix".
    kept : characters of words that are not scored.
    context : what the text begins with and what is not scored, for "continuation"; see
        `continuation`.
    partner : the other text of a pair; tokens that both share are then marked.
    scope : "shared" scores only those, "all" every token.

    Raises
    ------
    ItemError : an unknown variant.
    """

    text_id: str
    text: str
    variant: str
    word: Span | None = None
    fill: Span | None = None
    hidden: tuple[Span, ...] = ()
    kept: tuple[Span, ...] = ()
    context: str | None = None
    partner: str | None = None
    scope: str = "all"

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            known = ", ".join(VARIANTS)
            raise ItemError(f"{self.text_id}: variant {self.variant!r} is not one of {known}")

    @classmethod
    def continuation(cls, text_id: str, context: str, rest: str) -> TokenRequest:
        """What follows a context.

        White space at the context's end is the beginning of what follows, as tokenizers have it
        (and as the evaluation harness of Gao et al. 2021 does, https://doi.org/10.5281/zenodo.5371628).
        """
        return cls(text_id, context + rest, "continuation", context=context.rstrip())


# Of what an item is, not what it says.
NOT_SHOWN = ("item_id", "prompt_id", "template_id", "category", "cluster")


class Item:
    """An item of a query; each kind is a frozen dataclass, listed in `item_set.KINDS`.

    Attributes
    ----------
    kind : its name in queries. key : the key of a query's entry that writes its items.
    noun : what errors call it.
    slice_ : what a model's answers are, "tokens" or "completions".
    balanced : whether a sample takes as many items of each category, instead of each one's share.
    columns_of_texts : label of `shown` -> the column of item scores that has that text's own
        score, where it is not called as the label is.
    field_of : key of a row -> its field, where that is not called as the key is.
    places : those that each of its wordings has; () of a kind with one wording. further_places :
        those that it may have; see `query_entry.wordings_of`.
    wording : name and text of the wording that it is asked in; () for the kind's own.
    unasked : why no model is queried with it, or None.
    likelihood : the need, as of `requests`, whose texts' log-likelihoods may be given in a file;
        "" for a kind without.
    answer_tokens : how many tokens an answer in text has at most. thought_tokens : how many more a
        model behind an interface may think in, which several providers count with the answer.
    item_id : within its query. category : for summaries.
    template_id : items of one template belong together. cluster : so do those of one cluster.
    """

    kind: ClassVar[str]
    key: ClassVar[str]
    noun: ClassVar[str] = "item"
    slice_: ClassVar[str] = "tokens"
    balanced: ClassVar[bool] = False
    columns_of_texts: ClassVar[Mapping[str, str]] = {}
    field_of: ClassVar[Mapping[str, str]] = {"id": "item_id", "template": "template_id"}

    unasked: ClassVar[str | None] = None
    places: ClassVar[tuple[str, ...]] = ()
    further_places: ClassVar[tuple[str, ...]] = ()
    wording: tuple[str, ...] = ()
    likelihood: ClassVar[str] = ""
    answer_tokens: ClassVar[int] = 20
    thought_tokens: ClassVar[int] = 4_000

    item_id: str
    template_id: str
    category: str
    cluster: str

    def __post_init__(self) -> None:
        if problem := self.problem():
            raise ItemError(f"{self.noun} {self.item_id!r}{problem}")

    def problem(self) -> str | None:
        """What is wrong with it, as it goes on behind its id; or None."""
        return None

    @property
    def cluster_id(self) -> str:
        """What is drawn and exchanged as a whole: `cluster`, else the template, else the item."""
        return self.cluster or self.template_id or self.item_id

    @property
    def stratum(self) -> str:
        """What a sample of items takes its share of."""
        return self.category

    @property
    def drawn_by(self) -> str:
        """What tells it from others of its template in a draw; equal ones are drawn together."""
        return self.item_id

    @property
    def factors(self) -> dict[str, str]:
        """What clusters may be crossed with."""
        named = {"template": self.template_id, WORDING: "".join(self.wording[:1])}
        return {name: level for name, level in named.items() if level}

    def worded(self, name: str, text: str) -> Self:
        """The same item in a wording; those of one item are one cluster."""
        own = {"item_id": f"{self.item_id}@{name}", "cluster": self.cluster_id}
        return replace(self, **own, wording=(name, text))

    def shown(self) -> dict[str, str]:
        """What a reader is shown of it: label -> text. By default its own texts, field by field."""
        shown: dict[str, Any] = {}
        for name in (one.name for one in fields(self) if one.name not in NOT_SHOWN):
            value = getattr(self, name)
            shown |= value if isinstance(value, Mapping) else {name.replace("_", " "): value}
        return {label: text for label, text in shown.items() if text and isinstance(text, str)}

    @property
    def message(self) -> str | None:
        """What it says to a model that answers in text; None where only likelihoods are read."""
        return None

    def message_of(self, rank: int) -> str | None:
        """The message of one of several draws, by default the same for all."""
        return self.message

    @property
    def choices(self) -> Mapping[str, Sequence[str]]:
        """Of an answer that is one of few: its name -> the ways to say it; {} of other answers."""
        return {}

    def text_id(self, *place: object) -> str:
        """The id of one of its texts."""
        return "/".join(map(str, (self.item_id, *place)))

    def requests(self, *need: str) -> Sequence[TokenRequest]:
        """What has to be scored for the parts of a metric's need; nothing of what is completed."""
        return []

    @classmethod
    def from_entry(cls, entry: Mapping[str, Any]) -> list[Self]:
        """The items that an entry of a query file writes below `key`, row by row.

        Raises
        ------
        ItemError : something that no model could score.
        """
        if "cluster" in entry:
            raise ItemError(
                f"cluster: a query of kind {cls.kind!r} names it item by item, in {cls.key}"
            )
        return [cls.from_row(str(number), row) for number, row in enumerate(entry[cls.key])]

    @classmethod
    def from_row(cls, number: str, row: Mapping[str, Any]) -> Self:
        """The item of one row, whose keys are its fields; its number is the id of a row without."""
        names = {one.name for one in fields(cls)}
        given = {cls.field_of.get(key, key): value for key, value in ({"id": number} | row).items()}
        return cls(**{name: hashable(value) for name, value in given.items() if name in names})

    @classmethod
    def together(cls, items: Sequence[Self]) -> list[Self]:
        """The items of one query, which may say of each other what one alone does not."""
        return list(items)


OPENING = "\"'“«(["
SLOT = re.compile(r"\{(\w*)\}")


def filled_in(text: str, places: Mapping[str, str]) -> str:
    """The text with what belongs in its places; nothing is filled into what was filled in."""
    return SLOT.sub(lambda place: places[place[1]], text)


def behind(prompt: str, answer: str) -> str:
    """An answer as it follows a prompt: behind a space, unless a quote or bracket is open."""
    return answer if prompt.endswith(tuple(OPENING)) or prompt[-1:].isspace() else f" {answer}"


UNREADABLE = "unreadable"


def hashable(value: Any) -> Any:
    """The value, lists in it as tuples."""
    if isinstance(value, dict):
        return {name: hashable(one) for name, one in value.items()}
    return tuple(map(hashable, value)) if isinstance(value, list) else value


@dataclass(frozen=True)
class InvalidItem(Item):
    """An item that no model can score.

    Attributes
    ----------
    reason : its place in the file, and what is wrong.
    category : if the file gives it.
    """

    item_id: str
    reason: str
    category: str = ""
    cluster: str = ""
    wording: tuple[str, ...] = ()

    template_id: ClassVar[str] = ""


def some_valid(items: Iterable[Any], path: str | Path) -> list[Any]:
    """The items of a file, if any can be read.

    Raises
    ------
    ItemError : none can; with the reason of the first.
    """
    items = list(items)
    if items and all(isinstance(item, InvalidItem) for item in items):
        raise ItemError(f"{path}: none of {len(items)} items can be read; {items[0].reason}")
    return items


def with_distinct_ids(items: Iterable[tuple[str, Any]]) -> list[Any]:
    """The items; of those with one id all but the first are invalid.

    Parameters
    ----------
    items : the place of each item in its files, and the item.
    """
    found: dict[str, Any] = {}
    for where, item in items:
        name = item.item_id
        if name in found:
            twice = f"{where}: the id {name!r} is there twice"
            why = getattr(item, "reason", twice)
            item = InvalidItem(f"{name} ({where})", why, item.category)
        found[item.item_id] = item
    return list(found.values())
