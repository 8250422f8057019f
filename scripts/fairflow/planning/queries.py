"""Queries of a plan: words to look up in vectors; capabilities have further kinds of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from fairflow.planning.configuration import Configuration, Fault, in_file, unknown_names
from fairflow.planning.named_sets import Sets, read_declaration
from fairflow.queries.languages import ENGLISH
from fairflow.queries.query import (
    CROSS,
    PAIRS,
    PROPERTY,
    QUERY_INPUTS,
    VOCABULARY,
    attributes_of,
    joined,
)
from fairflow.queries.query_file import read_property

WORDS = "words"
LOOKUP = "as_written"


def words_of(references: Iterable[str], word_sets: Sets) -> frozenset[str]:
    """The words of sets in lower case; for a lexicon its reference."""
    every = (word_sets.get(name, {}).get("words", [name]) for name in references)
    return frozenset(str(word).lower() for words in every for word in words)


class AnyQuery(Protocol):
    """A query of any kind.

    Attributes
    ----------
    kind : a word for it. slices : the kind of the answers of models, see `Lineage.folder_of`.
    label : shown in tables and figures. language : a BCP 47 tag; models that name other languages
        are not asked. listed_in : the file that names it, without its ending. measured_by : the
        metrics that it is meant for; empty if it is meant for every applicable one.
    """

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def slices(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def listed_in(self) -> str: ...
    @property
    def citation(self) -> str: ...
    @property
    def measured_by(self) -> tuple[str, ...]: ...

    def contents(self, plan: Any) -> list[str]:
        """The files of a run with what it asks, other than words."""


@dataclass(frozen=True)
class PlannedQuery:
    """A query of vectors by reference: set name -> word set, for targets and attributes.

    Attributes
    ----------
    kind : "words", or another kind of texts that not every model gives vectors for.
    declared : its pairs and vocabulary, plain values: see `named_sets.declaration`.
    declared_sets : the word sets that these come from. property_file : the file of its property.
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
    language: str = ENGLISH
    listed_in: str = ""

    slices: ClassVar[str] = "slices"

    @property
    def label(self) -> str:
        """'A and B wrt C and D [fr]', without the language if it is English.

        Of a query of a whole vocabulary it is its name, in words.
        """
        if VOCABULARY in self.declared:
            return self.name.replace("_", " ")
        sides = filter(None, (self._names, list(self.attributes)))
        language = f" [{self.language}]" if self.language != ENGLISH else ""
        return " wrt ".join(map(joined, sides)) + language

    @property
    def _names(self) -> list[str]:
        """Names of the target sets, or the name of the pairs in a query without targets."""
        return list(self.targets) or [PAIRS]

    @property
    def template(self) -> tuple[int, int]:
        """Numbers of target and attribute sets."""
        return len(self._names), len(self.attributes)

    @property
    def parts(self) -> dict[str, Any]:
        """What figures name, see `Study.query_parts`."""
        first, *more = self.declared.get(PAIRS) or [[]]
        sides = [word.replace("_", " ") for word in first]
        sides[1:] = [f"{word}, ..." if more else word for word in sides[1:]]
        label = read_property(self.property_file).label if self.property_file else ""
        names = {"targets": [*self.targets], "attributes": [*self.attributes]}
        return names | {"sides": sides, "property": label}

    @property
    def references(self) -> list[str]:
        """The word sets that it uses."""
        return [*self.targets.values(), *self.attributes.values()]

    @property
    def declares(self) -> tuple[str, ...]:
        """The keys of `fairflow.queries.query.QUERY_INPUTS` that it declares."""
        return (*self.declared, *((PROPERTY,) if self.property_file else ()))

    def contents(self, plan: Any) -> list[str]:
        """The files of a run with what it asks, other than words."""
        return []

    @property
    def files(self) -> list[str]:
        """The file of the numbers of its words, if it declares a property."""
        return [self.property_file] if self.property_file else []


def planned_queries(
    configuration: Configuration, word_sets: Sets
) -> tuple[dict[str, PlannedQuery], list[Fault]]:
    """The queries of words and their faults.

    Parameters
    ----------
    word_sets : FILE:SET -> entry, those of tuples too.
    """
    queries: dict[str, PlannedQuery] = {}
    faults: list[Fault] = []
    valid = of_words(word_sets)
    for stem, contents in configuration.queries.items():
        file = f"queries/{stem}.yaml"
        lookup, citation = contents.get("lookup", LOOKUP), contents.get("citation", "")
        faults += in_file(file, unknown_names("lookup", [lookup], configuration.lookups))
        for name, entry in contents["queries"].items():
            key = f"queries.{name}"
            if name in queries:
                faults.append(Fault(file, key, "another file has a query of this name"))
            found = read_declaration(entry, word_sets, configuration.folder)
            declared, sets, property_file, wrong = found
            faults += (Fault(file, key, sentence) for sentence in wrong)
            if wrong:
                # A faulty input counts as declared: that metrics need it would be a second fault.
                declared = {what: entry[what] for what in QUERY_INPUTS if what in entry}
                sets, property_file = (), ""
            faults += (Fault(file, key, sentence) for sentence in _cross_faults(entry))
            targets, attributes = entry.get("targets", {}), attributes_of(entry)
            references = [*targets.values(), *attributes.values()]
            faults += in_file(file, unknown_names(key, references, valid))
            spoken = _languages(entry, contents, [*references, *sets], word_sets)
            if len(spoken) > 1:
                sentence = f"its word sets are in {joined(spoken)}: give the query a language"
                faults.append(Fault(file, key, sentence))
            queries[name] = PlannedQuery(
                name,
                targets,
                attributes,
                lookup,
                citation,
                declared=declared,
                declared_sets=sets,
                property_file=property_file,
                measured_by=tuple(entry.get("measured_by", ())),
                words=words_of(references, word_sets),
                language=spoken[0],
                listed_in=stem,
            )
    return queries, faults


def _cross_faults(entry: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the two contrasts of an entry."""
    contrasts = entry.get(CROSS, {})
    if contrasts and "attributes" in entry:
        yield f"found both {CROSS} and attributes, whose sets those of {CROSS} are: leave one out"
    if CROSS in entry and len(contrasts) != 2:
        found = joined([*contrasts]) or "none"
        yield f"{CROSS}: found {found}, expected two contrasts: ask others in another query"
    for name, sets in contrasts.items():
        if len(sets) != 2:
            yield f"{CROSS}.{name}: found {joined([*sets]) or 'none'}, expected two sets"
    names = Counter(name for sets in contrasts.values() for name in sets)
    if repeated := [name for name, times in names.items() if times > 1]:
        yield f"{CROSS}: both contrasts name {joined(repeated)}: give each set its own name"


def _languages(
    entry: Mapping[str, Any], contents: Mapping[str, Any], references: Iterable[str], sets: Sets
) -> list[str]:
    """The language of a query, its file, or else those that its word sets name; or English."""
    if given := entry.get("language", contents.get("language")):
        return [given]
    named = (sets.get(reference, {}).get("language") for reference in references)
    return list(dict.fromkeys(filter(None, named))) or [ENGLISH]


def of_words(word_sets: Sets) -> dict[str, Mapping[str, Any]]:
    """The sets of words, without sets of tuples."""
    return {name: entry for name, entry in word_sets.items() if "tuples" not in entry}
