"""ItemSet: the items of a query as one JSON file, samples of them, and requests to a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from fairflow.files.checked_files import read_sealed, write_sealed
from fairflow.files.checksums import identity_digest
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items import answer_items as answers
from fairflow.language_models.items import choice_items as choices
from fairflow.language_models.items import text_items as texts
from fairflow.language_models.items.item import (
    InvalidItem,
    Item,
    TokenRequest,
    hashable,
)
from fairflow.language_models.items.slot_item import SlotItem

KINDS: dict[str, type[Item]] = {
    item.kind: item
    for item in (
        *(SlotItem, texts.PairItem, texts.SentenceItem, choices.CandidateItem, texts.Prompt),
        *(choices.QuestionItem, choices.ContinuationItem, choices.DecisionItem),
        answers.WordAssociationItem,
    )
}


@dataclass(frozen=True)
class ItemSet:
    """The items of a query.

    Attributes
    ----------
    kind : a key of `KINDS`.
    groups, targets, lexicon : of prompts: the groups whose words are counted in completions, the
        target words near which they are counted, and hurtful words.
    invalid : items of a published file that no model can score.
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
    invalid: tuple[InvalidItem, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ids = self.item_ids
        named = [*ids, *(item.item_id for item in self.invalid)]
        if not ids:
            raise ItemError("there is no valid item")
        if repeated := [one for one, count in Counter(named).items() if count > 1]:
            raise ItemError(f"items must have different ids; more than once: {sorted(repeated)}")

    @property
    def item_ids(self) -> list[str]:
        """The id of each item."""
        return [item.item_id for item in self.items]

    @property
    def number_of_all(self) -> int:
        """How many items the query has, with those that a sample leaves out."""
        return len(self.items) + len(self.invalid) + len(self.left_out)

    def those(self, wanted: Callable[[Item], bool]) -> ItemSet:
        """The items that are wanted, including invalid ones."""
        items, invalid = (tuple(filter(wanted, own)) for own in (self.items, self.invalid))
        return replace(self, items=items, invalid=invalid)

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
    fields = hashable(read_sealed(path, "file of items"))
    kind = KINDS[fields["kind"]]
    items = tuple(kind(**one) for one in fields["items"])
    invalid = tuple(InvalidItem(**one) for one in fields["invalid"])
    return ItemSet(**{**fields, "items": items, "invalid": invalid})


@dataclass(frozen=True)
class ExpectedItems(ItemSet):
    """A set of items whose kind and number are known, but not the items.

    Attributes
    ----------
    number : of the items as published, including invalid ones.
    """

    number: int = 0

    def __post_init__(self) -> None:
        """There are no ids to check."""

    @property
    def number_of_all(self) -> int:
        """How many items the query has."""
        return self.number


def sample_items(items: ItemSet, number: int | None, seed: int, query: str) -> ItemSet:
    """A sample of the items, drawn without replacement; all of them if there are no more.

    Each stratum (category, or row of targets) gets its share; of kinds that are `balanced` each
    category gets as many as any other, as far as it has them. Within a stratum every template comes
    once before any comes again, in an order that all strata have in common, so that groups that are
    compared meet the same templates, and slots the same fills. A larger sample holds the smaller.

    Parameters
    ----------
    number : None for all. Invalid items are drawn like others and count as lost.
    seed, query : determine the draw, together with ids and templates.

    Raises
    ------
    ItemError : only invalid items were drawn.
    """
    every = [*items.items, *items.invalid]
    if number is None or number >= len(every):
        return items
    ordered = _in_order_of_draw(every, seed, query, KINDS[items.kind].balanced)
    chosen = {one.item_id for one in ordered[:number]}
    if chosen.isdisjoint(items.item_ids):
        raise ItemError(
            f"all {number} items that were drawn from {query} are invalid, as are "
            f"{len(items.invalid)} of its {len(every)} items; draw more of them (`items` of the "
            f"study), or correct the file. The first: {ordered[0].reason}"
        )
    left_out = {one.item_id: one.category for one in every if one.item_id not in chosen}
    return replace(items.those(lambda one: one.item_id in chosen), left_out=left_out)


def _in_order_of_draw(every: Sequence[Any], seed: int, query: str, balanced: bool) -> list[Any]:
    """The items, those of each stratum spread evenly over the whole."""

    def chance(*names: str) -> bytes:
        return identity_digest(seed, "items", query, *names)

    by_stratum: dict[str, dict[str, list[Any]]] = {}
    for one in every:
        by_stratum.setdefault(one.stratum, {}).setdefault(one.template_id, []).append(one)
    sizes = Counter(one.category for one in every)
    placed = []
    for stratum, by_template in by_stratum.items():
        turns: list[tuple[int, bytes, Any]] = []
        for template, members in by_template.items():
            members.sort(key=lambda one: chance(one.template_id, one.drawn_by))
            order = chance(template)
            turns += [(turn, order, one) for turn, one in enumerate(members)]
        turns.sort(key=lambda turn: turn[:2])
        # Middles of equal steps: any beginning holds about the same share of each stratum, or
        # about as many of each category. Equal positions keep a category together.
        category = turns[0][-1].category
        step = (sizes[category] if balanced else 1) / len(turns)
        tie = chance(category), chance(stratum)
        placed += [
            (round((turn + 0.5) * step, 9), *tie, one) for turn, (*_, one) in enumerate(turns)
        ]
    return [one for *_, one in sorted(placed, key=lambda place: place[:-1])]


def in_wordings(items: ItemSet, wordings: Mapping[str, str]) -> ItemSet:
    """Every item in every wording, with the id ITEM@WORDING; as they are without wordings.

    Parameters
    ----------
    wordings : of `fairflow.language_models.items.query_entry.wordings_of`.
    """
    if not wordings:
        return items
    return replace(
        items,
        items=tuple(one.worded(*each) for one in items.items for each in wordings.items()),
        invalid=tuple(one.worded(*each) for one in items.invalid for each in wordings.items()),
        left_out={f"{one}@{name}": of for one, of in items.left_out.items() for name in wordings},
    )


ATTENTION = "+attention"
# Between an item and the rank of one of several answers to it.
RANK = "#"


def item_and_rank(name: str, known: Container[str] = ()) -> tuple[str, int]:
    """The item and the rank of a draw, from its name; 0 of an item that was asked once.

    Parameters
    ----------
    known : ids of items, which may have that sign themselves.
    """
    if name in known:
        return name, 0
    item, _, rank = name.rpartition(RANK)
    return item, int(rank)


def with_attention(needs: Iterable[str]) -> bool:
    """Whether the attention paid to tokens is needed."""
    return any(need.endswith(ATTENTION) for need in needs)


def token_requests(items: ItemSet, needs: Sequence[str]) -> list[TokenRequest]:
    """The requests of all needs of a query, each text once per variant.

    Parameters
    ----------
    needs : of `ItemMetric.needs`, each in the words of the kind of item; see `Item.requests`.
    """
    request_of: dict[tuple[str, str], TokenRequest] = {}
    # "all" tokens hold the shared ones, which are marked.
    for need in sorted(needs, key=lambda need: need.endswith("/all"), reverse=True):
        for item in items.items:
            for request in item.requests(*need.removesuffix(ATTENTION).split("/")):
                request_of.setdefault((request.text_id, request.variant), request)
    return list(request_of.values())


def prompts_for(items: ItemSet, model_kind: str, draws: int = 1) -> list[texts.Prompt]:
    """Items as a model takes them: a causal one goes on from what stands before the mask.

    Of other items than prompts each draw is a separate prompt, ITEM#RANK, as its message may
    differ from that of the others.
    """
    if items.kind == texts.Prompt.kind:
        if model_kind == "masked":
            return list(items.items)
        return [replace(prompt, text=prompt.message) for prompt in items.items]
    return [
        texts.Prompt(f"{item.item_id}{RANK}{rank}", item.message_of(rank))
        for item in items.items
        for rank in range(draws)
    ]
