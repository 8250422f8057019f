"""Queries of a plan: words or sentences to look up in vectors, and items to put to a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item_set import KINDS, ItemSet
from fairflow.language_models.items.query_entry import expected_items, files_of, items_of
from fairflow.language_models.items.text_data import TEMPLATES, bleached_sentences, read_seat
from fairflow.language_models.items.text_items import Decoding
from fairflow.language_models.metrics import ITEM_METRICS
from fairflow.metrics import METRICS
from fairflow.planning.catalogue import file_of
from fairflow.planning.configuration import Configuration, Fault, in_file, unknown_names
from fairflow.planning.named_sets import Sets, read_declaration
from fairflow.queries.languages import ENGLISH
from fairflow.queries.lookup import spellings
from fairflow.queries.query import PAIRS, PROPERTY, QUERY_INPUTS, VOCABULARY, joined
from fairflow.queries.query_file import read_property

WORDS, SENTENCES = "words", "sentences"
# Keys of an entry that do not change the items of its query.
NOT_OF_THE_ITEMS = (
    *("label", "measured_by", "licence", "origin", "citation", "faults", "note", "decoding"),
    "language",
)
USUAL_DECODING = {
    "masked": {"method": "fill_mask", "completions": 5},
    "causal": {"method": "greedy"},
}
LOOKUP = "as_written"
ASSOCIATION = "association"
# Name -> entry of a word set that a query writes itself.
Written = dict[str, dict[str, Any]]
Roles = tuple[Sequence[str], Sequence[str]]


def words_of(references: Iterable[str], word_sets: Sets) -> frozenset[str]:
    """The words of sets in lower case; for a lexicon its reference."""
    every = (word_sets.get(name, {}).get("words", [name]) for name in references)
    return frozenset(str(word).lower() for words in every for word in words)


@dataclass(frozen=True)
class PlannedQuery:
    """A query of vectors by reference: set name -> word set, for targets and attributes.

    Attributes
    ----------
    kind : "words", or "sentences", which only language models give vectors for.
    slices : the folder of results with the answers of models.
    declared : its pairs and vocabulary, plain values: see `named_sets.declaration`.
    declared_sets : the word sets that these come from. property_file : the file of its property.
    measured_by : the metrics that it is meant for; empty if it is meant for every applicable one.
    words : those of its sets, in lower case; of a set that is read from elsewhere its reference.
    language : a BCP 47 tag; models that name other languages are not asked.
    listed_in : the file of queries that names it, without its ending.
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

    @property
    def files(self) -> list[str]:
        """The file of the numbers of its words, if it declares a property."""
        return [self.property_file] if self.property_file else []


@dataclass(frozen=True)
class ItemQuery:
    """A query of items, by its entry in config/language_queries.

    Attributes
    ----------
    items : the items; of a published file only what its entry promises.
    language : a BCP 47 tag; models that name other languages are not asked.
    listed_in : the file of queries that names it, without its ending.
    """

    name: str
    entry: Mapping[str, Any]
    items: ItemSet
    citation: str = ""
    language: str = ENGLISH
    listed_in: str = ""

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
        """The source and contents of its published file; None if it has no such file."""
        return self.entry.get("published")

    @property
    def published_files(self) -> list[str]:
        """The path of that file, a download or the user's own."""
        return [file_of(self.published)] if self.published else []

    @property
    def measured_by(self) -> tuple[str, ...]:
        """The metrics or variants that it is meant for; empty if it is meant for all."""
        return tuple(self.entry.get("measured_by", ()))

    @property
    def definition(self) -> dict[str, Any]:
        """The keys that decide its items; without the sources of a published file."""
        decisive = {key: value for key, value in self.entry.items() if key not in NOT_OF_THE_ITEMS}
        if self.published:
            places = ("sources", "obtain")
            decisive["published"] = {k: v for k, v in self.published.items() if k not in places}
        return decisive

    def decoding(self, model_kind: str, seed: int) -> dict[str, Any]:
        """How models of a kind complete its prompts, with what the entry leaves out filled in."""
        usual = USUAL_DECODING.get(model_kind, {})
        if model_kind == "causal" and self.kind != "prompt":
            usual = {**usual, "max_new_tokens": KINDS[self.kind].answer_tokens}
        return {"seed": seed} | dict(self.entry.get("decoding", {}).get(model_kind, usual))


def sentence_query(
    name: str,
    entry: Mapping[str, Any],
    queries: Mapping[str, PlannedQuery],
    word_sets: Sets,
    citation: str,
    language: str | None = None,
) -> tuple[PlannedQuery, Written]:
    """A query of sentences, and the word sets that it refers to, with the units of the sentences.

    The source of a set of sentences is the citation of its words. The unit is the word, crossed
    with the template, unless the entry says `cluster: sentence`; texts of a file that are but words
    stand for themselves.

    Raises
    ------
    ItemError : an unknown query, set or kind of template, words of a lexicon, or a sentence of a
        file that holds no word of the set.
    """
    base = queries.get(entry["words_of"]) if "words_of" in entry else None
    if "words_of" in entry and base is None:
        raise ItemError(f"words_of: there is no query of words {entry['words_of']!r}")
    if "file" in entry:
        roles, sets = _of_file(entry, base, word_sets)
    else:
        roles, sets = _of_templates(entry, base, word_sets)
    if entry.get("cluster") == "sentence":
        for word_set in sets.values():
            word_set.pop("units", None)
    references = {shown: f"{name}#{shown}" for shown in sets}
    targets, attributes = ({shown: references[shown] for shown in role} for role in roles)
    query = PlannedQuery(
        name,
        targets,
        attributes,
        LOOKUP,
        citation,
        SENTENCES,
        measured_by=tuple(entry.get("measured_by", ())),
        words=words_of(sets, sets),
        language=language or (base.language if base else ENGLISH),
    )
    return query, {
        references[shown]: word_set | {"citation": citation} for shown, word_set in sets.items()
    }


def _of_templates(
    entry: Mapping[str, Any], base: PlannedQuery, word_sets: Sets
) -> tuple[Roles, Written]:
    """Names of target and attribute sets, and each set's sentences, their units and source."""
    sets = {}
    for shown, reference in {**base.targets, **base.attributes}.items():
        kind = entry.get("templates", {}).get(shown)
        if kind is None:
            raise ItemError(f"templates: name one of {', '.join(TEMPLATES)} for the set {shown!r}")
        units = bleached_sentences(_spelt_words(shown, reference, word_sets), kind)
        sets[f"{shown} in sentences"] = {
            "words": list(units),
            "units": {text: list(unit) for text, unit in units.items()},
            "source": word_sets.get(reference, {}).get("citation"),
        }
    names = [f"{shown} in sentences" for shown in (*base.targets, *base.attributes)]
    return (names[: len(base.targets)], names[len(base.targets) :]), sets


def _of_file(
    entry: Mapping[str, Any], base: PlannedQuery | None, word_sets: Sets
) -> tuple[Roles, Written]:
    """The same of a file of SEAT; without its words the units of sentences are not known."""
    read = read_seat(entry["file"])
    sets: Written = {name: {"words": list(texts), "source": None} for name, texts in read}
    if base is not None:
        for word_set, (shown, reference) in zip(
            sets.values(), {**base.targets, **base.attributes}.items(), strict=False
        ):
            words = _spelt_words(shown, reference, word_sets)
            word_set["units"] = {text: _unit_of(text, words, shown) for text in word_set["words"]}
    elif any(" " in text for word_set in sets.values() for text in word_set["words"]):
        for word_set in sets.values():
            word_set["units"] = {}
    names = tuple(name for name, _ in read)
    return (names[:2], names[2:]), sets


def _spelt_words(shown: str, reference: str, word_sets: Sets) -> Sequence[str]:
    # An unknown set is reported where the query of words names it.
    words = word_sets.get(reference, {"words": []}).get("words")
    if words is None:
        raise ItemError(f"the set {shown!r} is a lexicon; sentences are made from listed words")
    return [next(spellings(word)) for word in words]


def _unit_of(text: str, words: Sequence[str], shown: str) -> list[str]:
    """The longest of the words that a text contains, and the text around it; a plural counts."""
    for word in sorted(words, key=len, reverse=True):
        forms = [re.escape(word) + "(?:e?s)?"]
        if word.endswith("y"):
            forms.append(re.escape(word[:-1]) + "ies")
        if word.lower().endswith("man"):
            forms.append(re.escape(word[:-2]) + "en")
        pattern = rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)"
        if re.search(pattern, text, re.IGNORECASE):
            return [word, "file", re.sub(pattern, "{}", text, count=1, flags=re.IGNORECASE)]
    raise ItemError(
        f"{text!r} holds no word of the set {shown!r} of words_of; name a query with its words, or "
        "cluster: sentence if each sentence stands for itself"
    )


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
            *found, wrong = read_declaration(entry, word_sets, configuration.folder)
            faults += (Fault(file, key, sentence) for sentence in wrong)
            # A faulty input counts as declared: that metrics need it would be a second fault.
            there = {what: entry[what] for what in QUERY_INPUTS if what in entry}
            declared, sets, property_file = (there, (), "") if wrong else found
            targets, attributes = entry.get("targets", {}), entry.get("attributes", {})
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


def planned_language_queries(
    configuration: Configuration, queries: Mapping[str, PlannedQuery], word_sets: Sets
) -> tuple[dict[str, PlannedQuery | ItemQuery], Written, list[Fault]]:
    """Queries of sentences, then those of items; the word sets of sentences; and the faults.

    Parameters
    ----------
    queries, word_sets : of words.
    """
    sentences: dict[str, PlannedQuery] = {}
    items: dict[str, ItemQuery] = {}
    sets: Written = {}
    faults: list[Fault] = []
    variants = configuration.language_metrics
    of_items = {*variants, *ITEM_METRICS.names, *(one["metric"] for one in variants.values())}
    for stem, contents in configuration.language_queries.items():
        file = f"language_queries/{stem}.yaml"
        for name, entry in contents["queries"].items():
            key, is_association = f"queries.{name}", entry.get("kind") == ASSOCIATION
            known = METRICS.names if is_association else of_items
            named = entry.get("measured_by", ())
            faults += in_file(file, unknown_names(f"{key}.measured_by", named, known))
            if name in {*queries, *sentences, *items}:
                faults.append(Fault(file, key, "another file has a query of this name"))
                continue
            cited = entry.get("citation", contents.get("citation", ""))
            language = entry.get("language", contents.get("language"))
            try:
                if is_association:
                    before = {**queries, **sentences}, {**of_words(word_sets), **sets}
                    query, made = sentence_query(name, entry, *before, cited, language)
                    sentences[name] = replace(query, listed_in=stem)
                    sets |= made
                else:
                    # Items of a published file are read in a job, when the file exists.
                    read = expected_items if "published" in entry else items_of
                    about = cited, language or ENGLISH, stem
                    items[name] = ItemQuery(name, entry, read(entry), *about)
                    for kind in entry.get("decoding", {}):
                        Decoding(**items[name].decoding(kind, 0))
            except (ItemError, OSError, TypeError) as error:
                faults.append(Fault(file, key, str(error)))
    return {**sentences, **items}, sets, faults
