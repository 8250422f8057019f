"""What tells how far scores can be trusted: the norms, base pairs and published sets of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from fairflow.planning.configuration import Configuration, Fault, in_file, unknown_names
from fairflow.planning.extension import Extension, FurtherQueries, Queries
from fairflow.planning.models import VECTORS
from fairflow.planning.named_sets import Sets, property_file, unknown_property
from fairflow.planning.queries import LOOKUP, PlannedQuery, of_words, words_of
from fairflow.planning.study import Part, Study
from fairflow.queries.query import PAIRS, VOCABULARY
from fairflow.scores.variant import Slice
from fairflow.validity import SEVERAL, VALIDITY

FILE = "validity"
# The query of all of its words, and that of language models, which read long sets slowly.
QUERY, SHORT_QUERY = "validity", "validity_short"
LONGEST = 500
Concepts = Mapping[str, Mapping[str, Any]]


def planned_concepts(configuration: Configuration) -> dict[str, dict[str, Any]]:
    """The concepts of validity.yaml, properties as the paths of their files: plain values.

    See `fairflow.validity.evidence.read_concept`.
    """
    concepts = {}
    for name, entry in _file(configuration).get("concepts", {}).items():
        norms = {
            norm: {**given, "property": property_file(configuration.folder, given["property"])}
            for norm, given in entry.get("norms", {}).items()
        }
        concepts[name] = {**entry, "norms": norms}
    return concepts


def _file(configuration: Configuration) -> Mapping[str, Any]:
    return configuration.further.get(FILE, {})


def validity_queries(
    configuration: Configuration, word_sets: Sets
) -> tuple[dict[str, PlannedQuery], list[Fault]]:
    """The queries of the words of concepts, and the faults of validity.yaml.

    Parameters
    ----------
    word_sets : FILE:SET -> entry.
    """
    concepts = planned_concepts(configuration)
    if not concepts:
        return {}, []
    lookup = _file(configuration).get("lookup", LOOKUP)
    unknown = unknown_names("lookup", [lookup], configuration.lookups)
    properties = (
        (f"concepts.{name}.norms.{norm}.property", problem)
        for name, entry in _file(configuration)["concepts"].items()
        for norm, given in entry.get("norms", {}).items()
        if (problem := unknown_property(configuration.folder, given["property"]))
    )
    listed = of_words(word_sets)
    sets = (unknown_names(key, [one], listed, "word set") for key, one in _references(concepts))
    faults = [*in_file(f"{FILE}.yaml", [*unknown, *properties, *chain.from_iterable(sets)])]
    # A lexicon of thousands of words is recognised, and not put in their place.
    named = dict.fromkeys(reference for _, reference in _references(concepts))
    every = [name for name in named if "words" in word_sets.get(name, ())]
    short = [name for name in every if len(word_sets[name].get("words", ())) <= LONGEST]
    citation = "; ".join(dict.fromkeys(word_sets[name]["citation"] for name in every))
    queries = {
        query: PlannedQuery(
            query,
            targets={reference: reference for reference in references},
            attributes={},
            lookup=lookup,
            citation=citation,
            words=words_of(references, word_sets),
            listed_in=query,
        )
        for query, references in ((QUERY, every), (SHORT_QUERY, short))
    }
    return queries, faults


def property_files(concepts: Concepts) -> Iterator[str]:
    """The files of the numbers of norms."""
    for entry in concepts.values():
        yield from (given["property"] for given in entry["norms"].values())


def has_poles(query: PlannedQuery) -> bool:
    """Whether a query has two poles between which words lie: attribute sets or pairs."""
    declared = query.declared
    return len(query.attributes) == 2 or (PAIRS in declared and VOCABULARY not in declared)


def _references(concepts: Concepts) -> Iterator[tuple[str, str]]:
    """Key in validity.yaml, and the word set that it names."""
    for name, entry in concepts.items():
        key = f"concepts.{name}"
        for publication, references in entry.get("sets", {}).items():
            yield from ((f"{key}.sets.{publication}", reference) for reference in references)
        for norm, given in entry.get("norms", {}).items():
            asked = (given["words"], *given["poles"])
            yield from ((f"{key}.norms.{norm}", reference) for reference in asked)
        for pairs, given in entry.get("base_pairs", {}).items():
            asked = (*given["pairs"], given["words"], *given.get("known", ()))
            yield from ((f"{key}.base_pairs.{pairs}", reference) for reference in asked)


@dataclass(frozen=True)
class ValidityOfStudy(Part):
    """What the validity of a study's scores is judged by.

    Attributes
    ----------
    contrasted : the slices with two poles, attribute sets or pairs.
    slices : of the words of norms, base pairs and published sets.
    """

    concepts: Concepts
    contrasted: Sequence[Slice]
    slices: Sequence[Slice]


@dataclass(frozen=True)
class Multiverse(Part):
    """Where further specifications of a study come from.

    Attributes
    ----------
    studies : others whose scores are used. lists : version of word lists -> criterion -> queries.
    """

    studies: Sequence[str] = ()
    lists: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)

    names_every_metric = True


class Validity(Extension):
    """Studies of words, and those that compare models in every specification."""

    def queries(
        self, configuration: Configuration, known: Queries, word_sets: Sets
    ) -> FurtherQueries:
        """The queries of the words of concepts."""
        made, faults = validity_queries(configuration, word_sets)
        return FurtherQueries(made, faults=faults)

    def files(self, configuration: Configuration) -> Iterator[str]:
        """The files of the numbers of norms."""
        return property_files(planned_concepts(configuration))

    def parts(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> dict[str, Part]:
        """What its entry says of specifications, and the words that its models know."""
        found: dict[str, Part] = {}
        if "multiverse" in entry:
            found[SEVERAL] = Multiverse(**entry["multiverse"])
        contrasted = contrasted_slices(study)
        if words := word_slices(study, contrasted):
            concepts = planned_concepts(configuration)
            found[VALIDITY] = ValidityOfStudy(concepts, contrasted, words)
        return found

    def faults(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> Iterator[tuple[str, str]]:
        """Unknown names of what a study says under `multiverse`."""
        given, names = entry.get("multiverse", {}), sorted(configuration.studies)
        yield from unknown_names("multiverse.studies", given.get("studies", ()), names)
        for version, of_version in given.get("lists", {}).items():
            key = f"multiverse.lists.{version}"
            for criterion, named in of_version.items():
                yield from unknown_names(key, [criterion], study.criteria, "criterion")
                yield from unknown_names(f"{key}.{criterion}", named, study.entries.queries)


def contrasted_slices(study: Study) -> list[Slice]:
    """The slices whose validity is tabulated; none of a study that repeats documentation."""
    queries: Mapping[str, Any] = study.entries.queries
    return [one for one in study.slices if not study.checks and has_poles(queries[one.query])]


def word_slices(study: Study, contrasted: Sequence[Slice]) -> list[Slice]:
    """The slices of the words of concepts, for the models of other slices."""
    queries, known = study.entries.queries, study.entries.models
    models = dict.fromkeys(one.model for one in contrasted)
    named = ((m, QUERY if known[m].kind == VECTORS else SHORT_QUERY) for m in models)
    return [
        Slice(model, query)
        for model, query in named
        if query in queries and known[model].speaks(queries[query].language)
    ]


EXTENSION = Validity()
