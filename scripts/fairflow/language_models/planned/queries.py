"""Queries of language models: sentences to look up in vectors, and items to put to a model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item_set import KINDS, ItemSet
from fairflow.language_models.items.query_entry import expected_items, files_of, items_of
from fairflow.language_models.items.text_data import TEMPLATES, bleached_sentences, read_seat
from fairflow.language_models.items.text_items import Decoding
from fairflow.language_models.metrics import ITEM_METRICS
from fairflow.metrics import METRICS
from fairflow.planning.catalogue import file_of
from fairflow.planning.configuration import Configuration, Fault, in_file, unknown_names
from fairflow.planning.named_sets import Sets
from fairflow.planning.queries import LOOKUP, PlannedQuery, of_words, words_of
from fairflow.planning.registry import path_of
from fairflow.queries.languages import ENGLISH
from fairflow.queries.lookup import spellings

# Files of the configuration.
QUERIES, METRICS_FILE = "language_queries", "language_metrics"
SENTENCES = "sentences"
# Keys of an entry that do not change the items of its query.
NOT_OF_THE_ITEMS = (
    *("label", "measured_by", "licence", "origin", "citation", "faults", "note", "decoding"),
    "language",
)
USUAL_DECODING = {
    "masked": {"method": "fill_mask", "completions": 5},
    "causal": {"method": "greedy"},
}
ASSOCIATION = "association"
# Name -> entry of a word set that a query writes itself.
Written = dict[str, dict[str, Any]]
Roles = tuple[Sequence[str], Sequence[str]]


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

    def contents(self, plan: Any) -> list[str]:
        """The file of a run with its items."""
        return [path_of(plan, "items", query=self.name)]

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
    variants = configuration.further.get(METRICS_FILE, {})
    of_items = {*variants, *ITEM_METRICS.names, *(one["metric"] for one in variants.values())}
    for stem, contents in configuration.further.get(QUERIES, {}).items():
        file = f"{QUERIES}/{stem}.yaml"
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
