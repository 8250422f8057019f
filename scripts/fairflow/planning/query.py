"""Queries of a plan: of words or sentences, sought in vectors, and of items, put to a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from fairflow.language_models.items.item_set import KINDS, ItemSet
from fairflow.language_models.items.query_entry import files_of
from fairflow.planning.catalogue import file_of
from fairflow.queries.query import PAIRS, PROPERTY, VOCABULARY, joined

WORDS, SENTENCES = "words", "sentences"
# What an entry tells of a query that does not change its items.
NOT_OF_THE_ITEMS = (
    *("label", "measured_by", "licence", "origin", "citation", "faults", "note", "decoding"),
)
USUAL_DECODING = {
    "masked": {"method": "fill_mask", "completions": 5},
    "causal": {"method": "greedy"},
}


def words_of(
    references: Iterable[str], word_sets: Mapping[str, Mapping[str, Any]]
) -> frozenset[str]:
    """The words of sets in lower case, of one that is read from elsewhere its reference."""
    every = (word_sets.get(name, {}).get("words", [name]) for name in references)
    return frozenset(str(word).lower() for words in every for word in words)


@dataclass(frozen=True)
class PlannedQuery:
    """A query of vectors by reference: set name -> word set, for targets and attributes.

    Attributes
    ----------
    kind : "words", or "sentences" that no table of word vectors holds.
    slices : the folder of results in which the answers of models lie.
    declared : what it declares besides, plain values: see `fairflow.planning.declarations`.
    declared_sets : the word sets that these come from. property_file : where its property lies.
    measured_by : the metrics that it is meant for; none where every metric that fits is.
    words : those of its sets, in lower case; of a set that is read from elsewhere its reference.
    """

    name: str
    targets: Mapping[str, str]
    attributes: Mapping[str, str]
    lookup: str
    citation: str = ""
    kind: str = WORDS
    declared: Mapping[str, Any] = field(default_factory=dict)
    declared_sets: tuple[str, ...] = ()
    property_file: str = ""
    measured_by: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()

    slices: ClassVar[str] = "slices"

    @property
    def label(self) -> str:
        """'A and B wrt C and D'; of a query of a whole vocabulary its name, in words."""
        if VOCABULARY in self.declared:
            return self.name.replace("_", " ")
        if not self.attributes:
            return joined(self._names)
        return f"{joined(self._names)} wrt {joined(list(self.attributes))}"

    @property
    def _names(self) -> list[str]:
        """Of the target sets; of a query without any, that of its pairs."""
        return list(self.targets) or [PAIRS]

    @property
    def template(self) -> tuple[int, int]:
        """Numbers of target and attribute sets."""
        return len(self._names), len(self.attributes)

    @property
    def references(self) -> list[str]:
        """The word sets that it uses."""
        return [*self.targets.values(), *self.attributes.values()]

    @property
    def references_with_declared(self) -> list[str]:
        """Those, and the sets of what it declares."""
        return [*self.references, *self.declared_sets]

    @property
    def declares(self) -> tuple[str, ...]:
        """Which of `fairflow.queries.query.DECLARABLE` it declares."""
        return (*self.declared, *((PROPERTY,) if self.property_file else ()))

    @property
    def files(self) -> list[str]:
        """The files of the configuration that its words' numbers come from."""
        return [self.property_file] if self.property_file else []


@dataclass(frozen=True)
class ItemQuery:
    """A query of items, by its entry in config/language_queries.

    Attributes
    ----------
    items : of a published file those that are promised, as it need not be here.
    """

    name: str
    entry: Mapping[str, Any]
    items: ItemSet
    citation: str = ""

    @property
    def kind(self) -> str:
        """A key of `items.kinds.KINDS`."""
        return self.items.kind

    @property
    def slices(self) -> str:
        """The folder of results in which the answers of models lie: tokens or completions."""
        return KINDS[self.kind].slice_

    @property
    def label(self) -> str:
        """Shown in tables and figures."""
        return self.entry.get("label", self.name)

    @property
    def files(self) -> list[str]:
        """The user's files that its items come from."""
        return files_of(self.entry)

    @property
    def published(self) -> Mapping[str, Any] | None:
        """Where its published file comes from, and what lies in it; None where it has none."""
        return self.entry.get("published")

    @property
    def published_files(self) -> list[str]:
        """Where that file lies, a download or the user's own."""
        return [file_of(self.published)] if self.published else []

    @property
    def measured_by(self) -> tuple[str, ...]:
        """The metrics or variants that it is meant for; none where every one that fits is."""
        return tuple(self.entry.get("measured_by", ()))

    @property
    def definition(self) -> dict[str, Any]:
        """What decides its items; of a published file not from where it is fetched."""
        told = {key: value for key, value in self.entry.items() if key not in NOT_OF_THE_ITEMS}
        if self.published:
            places = ("sources", "obtain")
            told["published"] = {k: v for k, v in self.published.items() if k not in places}
        return told

    def decoding(self, model_kind: str, seed: int) -> dict[str, Any]:
        """How models of a kind complete its prompts, with what the entry leaves out filled in."""
        usual = USUAL_DECODING.get(model_kind, {})
        return {"seed": seed} | dict(self.entry.get("decoding", {}).get(model_kind, usual))
