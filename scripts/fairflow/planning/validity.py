"""What tells how far scores can be trusted: the norms, base pairs and published sets of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from fairflow.planning.configuration import Configuration, Fault, in_file, unknown_names
from fairflow.planning.named_sets import Sets, property_file, unknown_property
from fairflow.planning.queries import LOOKUP, PlannedQuery, of_words, words_of
from fairflow.queries.query import PAIRS, VOCABULARY

FILE = "validity.yaml"
# The query of all of its words, and that of language models, which read long sets slowly.
QUERY, SHORT_QUERY = "validity", "validity_short"
LONGEST = 500
Concepts = Mapping[str, Mapping[str, Any]]


def planned_concepts(configuration: Configuration) -> dict[str, dict[str, Any]]:
    """The concepts of validity.yaml, properties as the paths of their files: plain values.

    See `fairflow.studies.validity.evidence.read_concept`.
    """
    concepts = {}
    for name, entry in configuration.validity.get("concepts", {}).items():
        norms = {
            norm: {**given, "property": property_file(configuration.folder, given["property"])}
            for norm, given in entry.get("norms", {}).items()
        }
        concepts[name] = {**entry, "norms": norms}
    return concepts


def validity_queries(
    configuration: Configuration, concepts: Concepts, word_sets: Sets
) -> tuple[dict[str, PlannedQuery], list[Fault]]:
    """The queries of the words of concepts, and the faults of validity.yaml.

    Parameters
    ----------
    word_sets : FILE:SET -> entry.
    """
    if not concepts:
        return {}, []
    lookup = configuration.validity.get("lookup", LOOKUP)
    unknown = unknown_names("lookup", [lookup], configuration.lookups)
    properties = (
        (f"concepts.{name}.norms.{norm}.property", problem)
        for name, entry in configuration.validity["concepts"].items()
        for norm, given in entry.get("norms", {}).items()
        if (problem := unknown_property(configuration.folder, given["property"]))
    )
    listed = of_words(word_sets)
    sets = (unknown_names(key, [one], listed, "word set") for key, one in _references(concepts))
    faults = [*in_file(FILE, [*unknown, *properties, *chain.from_iterable(sets)])]
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
