"""Making a plan of a configuration: every name resolved, every fault reported at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairflow.errors import ConfigurationError, nearest
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.decoding import Decoding
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.query_entry import files_of, items_of, promised_items
from fairflow.language_models.metrics import ITEM_METRICS
from fairflow.metrics import METRICS as METRICS_OF_WORDS
from fairflow.planning.catalogue import ALL
from fairflow.planning.configuration import Configuration, Problems
from fairflow.planning.language_model import PlannedLanguageModel
from fairflow.planning.model_checks import (
    check_downloads,
    check_local_files,
    check_models,
    check_packed_models,
    check_published_files,
    derivation_problems,
    language_model_problems,
)
from fairflow.planning.models import models_of
from fairflow.planning.named_sets import Declaration, declaration, declaration_problems, named_files
from fairflow.planning.plan import Plan, UnreadNumbers
from fairflow.planning.queries import ItemQuery, PlannedQuery, sentence_query, words_of
from fairflow.planning.remains import planned_quality
from fairflow.planning.study import Entries, Study, as_list
from fairflow.planning.study_planner import plan_study, published_names, resolve_entry
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import DECLARABLE
from fairflow.scores.item_variant import ItemVariant
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.studies.published.published_file import published_problems
from fairflow.transforms import transform_class

Report = Callable[[str, str, str], None]
MODELS, METRICS = "language_models.yaml", "language_metrics.yaml"
ASSOCIATION = "association"


def make_plan(configuration: Configuration) -> Plan:
    """Resolve every name of a configuration.

    Raises
    ------
    ConfigurationError : listing each unknown name (with the nearest valid one), each query that a
        metric cannot take, each name given twice.
    """
    problems = Problems(configuration.folder, configuration.problems)
    main = configuration.main
    every_set = _word_sets(configuration)
    word_sets = {name: entry for name, entry in every_set.items() if "tuples" not in entry}
    named = configuration.audited and configuration.audited.model
    language_models = configuration.language_models
    check_models(configuration.models, every_set, language_models, problems, named)
    check_downloads(configuration, problems)
    models = models_of(configuration.models, every_set)
    variants = {n: _variant(n, e, problems) for n, e in configuration.metrics.items()}
    _check_lookups(configuration, problems)
    queries = _queries(configuration, word_sets, every_set, problems)
    more = read_language_entries(configuration, queries, word_sets, every_set, problems.report)
    entries = Entries(
        {**models, **more.models}, {**variants, **more.metrics}, {**queries, **more.queries}
    )
    studies = _studies(configuration, entries, every_set, problems)
    _check_samples(studies, entries, problems)
    for name in published_names(configuration):
        problems.extend(published_problems(configuration.folder / "published" / f"{name}.csv"))
    archived = main.get("archive", False)
    if not archived:
        used = dict.fromkeys(name for study in studies.values() for name in study.models)
        store = Path(main.get("models_dir", "results/models"))
        check_local_files(used, models, store, problems)
        origins = {more.models[n].origin.name for n in used if n in more.models}
        check_packed_models((more.models[n] for n in more.models if n in origins), problems)
        asked = {name for study in studies.values() for name in study.queries}
        check_published_files(asked, configuration, problems)
    statistics = _statistics(configuration, problems)
    problems.raise_all()
    return Plan(
        seed=main["seed"],
        models=entries.models,
        metrics=entries.metrics,
        queries=entries.queries,
        lookups=configuration.lookups,
        word_sets={**every_set, **more.word_sets},
        studies=studies,
        statistics=statistics,
        published_numbers=published_names(configuration),
        unread_numbers=unread_numbers(configuration, studies),
        contradictions=tuple(configuration.contradictions),
        item_files=more.files,
        archived=archived,
        quality=planned_quality(configuration.benchmarks),
        published_folder=str(configuration.folder / "published"),
        audited=configuration.audited,
    )


def _studies(
    configuration: Configuration,
    entries: Entries,
    word_sets: Mapping[str, Mapping[str, Any]],
    problems: Problems,
) -> dict[str, Study]:
    """The studies of config.yaml, and those of language models where they are asked for."""
    main, valid = configuration.main, configuration.studies
    language = main.get("language_studies", ()) if main.get("language_models") else ()
    problems.check_names("studies", "config.yaml", main["studies"], valid)
    problems.check_names("language_studies", "config.yaml", language, valid)
    names = dict.fromkeys([*main["studies"], *language])
    return {
        name: plan_study(name, configuration, entries, word_sets, problems)
        for name in names
        if name in valid
    }


def _check_samples(studies: Mapping[str, Study], entries: Entries, problems: Problems) -> None:
    """A query has one sample, as scores are those of all studies."""
    first: dict[str, Study] = {}
    for study in studies.values():
        items = [q for q in study.queries if isinstance(entries.queries.get(q), ItemQuery)]
        others = ((query, first.setdefault(query, study)) for query in items)
        for query, other in others:
            if other.items != study.items:
                problems.report(
                    f"studies/{study.name}.yaml",
                    "items",
                    f"found {study.items or 'all'}, but {other.name} takes {other.items or 'all'} "
                    f"of {query!r}: write the same in both, or items in config.yaml for all",
                )
                break


def _variant(name: str, entry: Mapping[str, Any], problems: Problems) -> WordVariant:
    variant = WordVariant(name, **{key: value for key, value in entry.items() if key != "note"})
    for problem in variant.problems():
        problems.report("metrics.yaml", name, problem)
    return variant


def _word_sets(configuration: Configuration) -> dict[str, dict[str, Any]]:
    """'file:set' -> its entry, with the citation of the file."""
    return {
        f"{stem}:{name}": {"citation": contents["citation"], **entry}
        for stem, contents in configuration.word_sets.items()
        for name, entry in contents["sets"].items()
        if "scores" not in entry
    }


def _queries(
    configuration: Configuration,
    word_sets: Mapping[str, Any],
    every_set: Mapping[str, Mapping[str, Any]],
    problems: Problems,
) -> dict[str, PlannedQuery]:
    queries: dict[str, PlannedQuery] = {}
    for stem, contents in configuration.queries.items():
        file = f"queries/{stem}.yaml"
        lookup = contents.get("lookup", "as_written")
        problems.check_names("lookup", file, [lookup], configuration.lookups)
        for name, entry in contents["queries"].items():
            key = f"queries.{name}"
            if name in queries:
                problems.report(file, key, "another file has a query of this name")
            faults = [*declaration_problems(entry, every_set, configuration.folder)]
            for fault in faults:
                problems.report(file, key, fault)
            plain, named, values = (
                # There, though with a fault: that metrics need it is no second one.
                Declaration({what: entry[what] for what in DECLARABLE if what in entry}, (), "")
                if faults
                else declaration(entry, every_set, configuration.folder)
            )
            queries[name] = PlannedQuery(
                name,
                entry.get("targets", {}),
                entry.get("attributes", {}),
                lookup,
                contents.get("citation", ""),
                declared=plain,
                declared_sets=named,
                property_file=values,
                measured_by=tuple(entry.get("measured_by", ())),
                words=words_of(
                    [*entry.get("targets", {}).values(), *entry.get("attributes", {}).values()],
                    word_sets,
                ),
            )
            problems.check_names(key, file, queries[name].references, word_sets)
    return queries


def _check_lookups(configuration: Configuration, problems: Problems) -> None:
    for name, entry in configuration.lookups.items():
        try:
            Lookup(**entry)
        except (TypeError, ValueError) as error:
            problems.report("lookups.yaml", name, str(error))


def _statistics(configuration: Configuration, problems: Problems) -> Statistics:
    try:
        return Statistics(**configuration.main.get("statistics", {}))
    except ValueError as error:
        problems.report("config.yaml", "statistics", str(error))
        return Statistics()


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
        for problem in language_model_problems(model, configuration.models, archived):
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
    read, sets = _language_queries(configuration, queries, word_sets, report)
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


def _language_queries(
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


def unread_numbers(
    configuration: Configuration, planned: Collection[str]
) -> dict[str, UnreadNumbers]:
    """File of published numbers -> the first study outside of the run that reads it.

    Parameters
    ----------
    planned : names of the studies of the run.
    """
    found: dict[str, UnreadNumbers] = {}
    for name, entry in configuration.studies.items():
        published = entry.get("published", {})
        files = [file for key in ("scores", "others") for file in as_list(published.get(key, []))]
        if name not in planned and files:
            unread = _unread(name, configuration)
            found = dict.fromkeys(files, unread) | found
    return found


def _unread(study: str, configuration: Configuration) -> UnreadNumbers:
    entry = configuration.studies[study]
    of_language = any(model in configuration.language_models for model in entry["models"])
    command = f"make {'run-lm' if of_language else 'run'} STUDY={study}"
    absent = resolve_entry(entry, configuration).absent
    stand_ins = {model: model for model in absent} | dict(entry["published"].get("models", {}))
    lacking = {
        published: [model for model in as_list(models) if model in absent]
        for published, models in stand_ins.items()
        if {*as_list(models)} <= {*absent}
    }
    with_downloads = f"{command} FETCH={ALL}" if of_language else f"{command}, with fetch: {ALL}"
    return UnreadNumbers(
        study,
        f"no study of this run reads this file; {command} does",
        {
            published: f"{'; '.join(f'{m} is {absent[m]}' for m in models)}: {with_downloads}"
            for published, models in lacking.items()
        },
    )
