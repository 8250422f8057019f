"""Entries of language models: read from their files, faults reported to the planner."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairflow.errors import ConfigurationError, nearest
from fairflow.language_models.errors import ItemError
from fairflow.language_models.folders.model_folder import folder_problem
from fairflow.language_models.items.decoding import Decoding
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.query_entry import files_of, items_of, promised_items
from fairflow.language_models.metrics import ITEM_METRICS
from fairflow.metrics import METRICS as METRICS_OF_WORDS
from fairflow.planning.configuration import Configuration
from fairflow.planning.derivation import derivation_problems, models_of
from fairflow.planning.language_model import COMPLETIONS, PlannedLanguageModel
from fairflow.planning.named_sets import named_files
from fairflow.planning.query import ItemQuery, PlannedQuery
from fairflow.planning.sentence_queries import sentence_query
from fairflow.scores.item_variant import ItemVariant
from fairflow.transforms import transform_class

Report = Callable[[str, str, str], None]
MODELS, METRICS = "language_models.yaml", "language_metrics.yaml"
ASSOCIATION = "association"


@dataclass(frozen=True)
class LanguageEntries:
    """What the files of language models add to models, metrics, queries and word sets.

    Attributes
    ----------
    queries : of items, and of sentences, whose sets are `word_sets`.
    files : of the user's, which queries and completions are read from, models left out.
    """

    models: Mapping[str, PlannedLanguageModel]
    metrics: Mapping[str, ItemVariant]
    queries: Mapping[str, PlannedQuery | ItemQuery]
    word_sets: Mapping[str, Mapping[str, Any]]
    files: tuple[str, ...]


def read_language_entries(
    configuration: Configuration,
    queries: Mapping[str, PlannedQuery],
    word_sets: Mapping[str, Mapping[str, Any]],
    every_set: Mapping[str, Mapping[str, Any]],
    report: Report,
) -> LanguageEntries:
    """Models, metrics and queries; those with faults but the models are left out.

    Parameters
    ----------
    queries, word_sets : of words. every_set : of tuples too. report : takes file, key and sentence
        of a fault.
    """
    catalogue = configuration.language_models
    models = models_of(catalogue, every_set, PlannedLanguageModel)
    for key, sentence in derivation_problems(catalogue, every_set, configuration.models, True):
        report(MODELS, key, sentence)
    archived = configuration.main.get("archive", False)
    for name, model in models.items():
        for problem in _model_problems(model, configuration.models, archived):
            report(MODELS, name, problem)
    metrics = {}
    for name, entry in configuration.language_metrics.items():
        variant = ItemVariant(name, **{k: v for k, v in entry.items() if k != "note"})
        problems = variant.problems()
        if name in configuration.metrics:
            problems.append("metrics.yaml has a variant of this name")
        for problem in problems:
            report(METRICS, name, problem)
        if not problems:
            metrics[name] = variant
    for file, key, problem in _measuring_problems(configuration):
        report(file, key, problem)
    read, sets = _queries(configuration, queries, word_sets, report)
    return LanguageEntries(models, metrics, read, sets, tuple(dict.fromkeys(_files(configuration))))


def _files(configuration: Configuration) -> Iterator[str]:
    """The files that the entries of queries and models point to, folders of models left out."""
    for contents in configuration.language_queries.values():
        for entry in contents["queries"].values():
            yield from files_of(entry)
    for entry in configuration.language_models.values():
        yield from entry.get("completions", {}).values()
        if "derive" in entry:
            yield from named_files(entry["derive"], _takes(entry["derive"]["transform"]))


def _takes(transform: str) -> Mapping[str, str]:
    """What the parameters of a transform may name; nothing of an unknown one."""
    try:
        return transform_class(transform).word_sets
    except ConfigurationError:
        return {}


def _model_problems(
    model: PlannedLanguageModel, static: Iterable[str], archived: bool
) -> list[str]:
    entry = model.entry
    problems = []
    if model.name in static:
        problems.append("models.yaml has a model of this name")
    if "derive" in entry and COMPLETIONS in model.origin.entry:
        problems.append(
            f"derive.from: {model.origin.name} has given completions and no vectors to change: "
            "name a model that can be run"
        )
    if ("completions" in entry) != (model.kind == "texts"):
        problems.append("kind texts is for given completions, and they for it")
    if entry.get("format") == "gguf" and model.kind == "masked":
        problems.append(
            "kind: found masked, but no mask can be read from a .gguf file: write causal, or "
            "encoder for vectors alone"
        )
    if model.kind != "causal" and entry.get("chat_template"):
        problems.append(f"chat_template: found true, but only causal models chat, not {model.kind}")
    if "folder" in entry and not archived:
        problems += filter(None, [folder_problem(entry["folder"], model.kind)])
    for query, path in entry.get("completions", {}).items():
        if not Path(path).is_file():
            problems.append(f"completions.{query}: there is no file {path}")
    return problems


def _measuring_problems(configuration: Configuration) -> Iterator[tuple[str, str, str]]:
    """File, key and sentence of each unknown metric that a query is to be measured by."""
    variants = configuration.language_metrics
    of_items = {*variants, *ITEM_METRICS.names, *(one["metric"] for one in variants.values())}
    for stem, contents in configuration.language_queries.items():
        for name, entry in contents["queries"].items():
            of_words = entry.get("kind") == ASSOCIATION
            for metric in entry.get("measured_by", ()):
                known = METRICS_OF_WORDS.names if of_words else of_items
                if metric not in known:
                    sentence = f"unknown name {metric!r}. {nearest(metric, known)}"
                    yield f"language_queries/{stem}.yaml", f"queries.{name}.measured_by", sentence


def _queries(
    configuration: Configuration,
    queries: Mapping[str, PlannedQuery],
    word_sets: Mapping[str, Mapping[str, Any]],
    report: Report,
) -> tuple[dict[str, PlannedQuery | ItemQuery], dict[str, dict[str, Any]]]:
    """Queries of sentences, then those of items; and the word sets of sentences."""
    sentences: dict[str, PlannedQuery] = {}
    items: dict[str, ItemQuery] = {}
    sets: dict[str, dict[str, Any]] = {}
    for stem, contents in configuration.language_queries.items():
        file = f"language_queries/{stem}.yaml"
        citation = contents.get("citation", "")
        for name, entry in contents["queries"].items():
            key = f"queries.{name}"
            if name in {*queries, *sentences, *items}:
                report(file, key, "another file has a query of this name")
                continue
            if name in {*configuration.metrics, *configuration.language_metrics}:
                report(file, key, "a metric has this name, which tables show as one label")
                continue
            cited = entry.get("citation", citation)
            try:
                if entry.get("kind") == ASSOCIATION:
                    before = {**queries, **sentences}, {**word_sets, **sets}
                    sentences[name], made = sentence_query(name, entry, *before, cited)
                    sets |= made
                else:
                    items[name] = ItemQuery(name, entry, _items(entry), cited)
                    for kind in entry.get("decoding", {}):
                        Decoding(**items[name].decoding(kind, 0))
            except (ItemError, OSError, TypeError) as error:
                report(file, key, str(error))
    return {**sentences, **items}, sets


def _items(entry: Mapping[str, Any]) -> ItemSet:
    """The items of an entry; those of a published file are read when it is here, in a job."""
    return promised_items(entry) if "published" in entry else items_of(entry)
