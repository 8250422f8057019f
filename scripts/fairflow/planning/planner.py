"""Making a plan of a configuration: every name resolved, every fault reported at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from fairflow.errors import ConfigurationError
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.query_entry import files_of, items_of, promised_items
from fairflow.language_models.items.text_items import Decoding
from fairflow.language_models.metrics import ITEM_METRICS
from fairflow.metrics import METRICS as METRICS_OF_WORDS
from fairflow.planning.catalogue import ALL
from fairflow.planning.configuration import Configuration, Fault, in_file, unknown_names
from fairflow.planning.model_checks import (
    download_faults,
    language_model_faults,
    local_file_faults,
    packed_model_faults,
    published_file_faults,
    table_faults,
)
from fairflow.planning.models import VECTORS, PlannedLanguageModel, models_of
from fairflow.planning.named_sets import (
    Declaration,
    Sets,
    declaration,
    declaration_problems,
    declares,
    named_files,
    planned_quality,
)
from fairflow.planning.plan import Plan, UnreadNumbers
from fairflow.planning.queries import ItemQuery, PlannedQuery, sentence_query, words_of
from fairflow.planning.study import Entries, Study, as_list
from fairflow.planning.study_planner import plan_study, published_names, resolve_entry
from fairflow.queries.lookup import Lookup
from fairflow.scores.item_cell import ItemVariant
from fairflow.scores.word_cell import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.studies.published.published_file import published_problems
from fairflow.transforms import transform_class

ASSOCIATION = "association"


def make_plan(configuration: Configuration) -> Plan:
    """Resolve every name of a configuration.

    Raises
    ------
    ConfigurationError : listing each unknown name (with the nearest valid one), each query that a
        metric cannot take, each name given twice.
    """
    main, folder = configuration.main, configuration.folder
    every_set = _word_sets(configuration)
    word_sets = {name: entry for name, entry in every_set.items() if "tuples" not in entry}
    language_models = models_of(configuration.language_models, every_set, PlannedLanguageModel)
    variants, of_variants = _variants(configuration)
    queries, of_queries = _queries(configuration, word_sets, every_set)
    more, sentences, of_language_queries = _language_queries(configuration, queries, word_sets)
    entries = Entries(
        {**models_of(configuration.models, every_set), **language_models},
        variants,
        {**queries, **more},
    )
    studies, of_studies = _studies(configuration, entries, every_set)
    named = configuration.audited and configuration.audited.model
    faults = [
        *in_file(
            "models.yaml",
            table_faults(configuration.models, every_set, configuration.language_models, named),
        ),
        *download_faults(configuration),
        *_setting_faults(configuration),
        *of_queries,
        *in_file(
            "language_models.yaml",
            language_model_faults(configuration, language_models, every_set),
        ),
        *of_variants,
        *of_language_queries,
        *of_studies,
        *_sample_faults(studies, entries),
        *_local_faults(configuration, entries, studies),
    ]
    published = published_names(configuration)
    problems = [
        *configuration.problems,
        *(f"{folder / file}: {key}: {sentence}" for file, key, sentence in faults),
        *(p for name in published for p in published_problems(folder / f"published/{name}.csv")),
    ]
    if problems:
        raise ConfigurationError(problems)
    return Plan(
        seed=main["seed"],
        models=entries.models,
        metrics=entries.metrics,
        queries=entries.queries,
        lookups=configuration.lookups,
        word_sets={**every_set, **sentences},
        studies=studies,
        statistics=Statistics(**main.get("statistics", {})),
        published_numbers=published,
        unread_numbers=unread_numbers(configuration, studies),
        contradictions=tuple(configuration.contradictions),
        item_files=tuple(dict.fromkeys(_files(configuration))),
        archived=main.get("archive", False),
        quality=planned_quality(configuration.benchmarks),
        published_folder=str(folder / "published"),
        audited=configuration.audited,
    )


def _word_sets(configuration: Configuration) -> dict[str, dict[str, Any]]:
    """'file:set' -> its entry, with the citation of the file."""
    return {
        f"{stem}:{name}": {"citation": contents["citation"], **entry}
        for stem, contents in configuration.word_sets.items()
        for name, entry in contents["sets"].items()
        if "scores" not in entry
    }


def _setting_faults(configuration: Configuration) -> Iterator[Fault]:
    """Of look-ups and statistics, which check themselves."""
    settings: list[tuple[str, str, Callable[..., object], Mapping[str, Any]]] = [
        *(("lookups.yaml", name, Lookup, given) for name, given in configuration.lookups.items()),
        ("config.yaml", "statistics", Statistics, configuration.main.get("statistics", {})),
    ]
    for file, key, make, given in settings:
        try:
            make(**given)
        except (TypeError, ValueError) as error:
            yield Fault(file, key, str(error))


def _variants(
    configuration: Configuration,
) -> tuple[dict[str, WordVariant | ItemVariant], list[Fault]]:
    """The variants of both files and their faults; faulty ones of items are left out."""

    def parts(entry: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in entry.items() if key != "note"}

    variants: dict[str, WordVariant | ItemVariant] = {}
    faults = []
    for name, entry in configuration.metrics.items():
        variants[name] = WordVariant(name, **parts(entry))
        faults += [Fault("metrics.yaml", name, problem) for problem in variants[name].problems()]
    for name, entry in configuration.language_metrics.items():
        variant = ItemVariant(name, **parts(entry))
        problems = variant.problems()
        if name in configuration.metrics:
            problems.append("metrics.yaml has a variant of this name")
        faults += [Fault("language_metrics.yaml", name, problem) for problem in problems]
        if not problems:
            variants[name] = variant
    return variants, faults


def _queries(
    configuration: Configuration, word_sets: Sets, every_set: Sets
) -> tuple[dict[str, PlannedQuery], list[Fault]]:
    """The queries of words and their faults."""
    queries: dict[str, PlannedQuery] = {}
    faults: list[Fault] = []
    for stem, contents in configuration.queries.items():
        file = f"queries/{stem}.yaml"
        lookup = contents.get("lookup", "as_written")
        faults += in_file(file, unknown_names("lookup", [lookup], configuration.lookups))
        for name, entry in contents["queries"].items():
            key = f"queries.{name}"
            if name in queries:
                faults.append(Fault(file, key, "another file has a query of this name"))
            wrong = [*declaration_problems(entry, every_set, configuration.folder)]
            faults += (Fault(file, key, sentence) for sentence in wrong)
            targets, attributes = entry.get("targets", {}), entry.get("attributes", {})
            references = [*targets.values(), *attributes.values()]
            # There, though with a fault: that metrics need it is no second one.
            faulty = Declaration({what: entry[what] for what in declares(entry)}, (), "")
            declared = faulty if wrong else declaration(entry, every_set, configuration.folder)
            queries[name] = PlannedQuery(
                name,
                targets,
                attributes,
                lookup,
                contents.get("citation", ""),
                declared=declared.plain,
                declared_sets=declared.word_sets,
                property_file=declared.property_file,
                measured_by=tuple(entry.get("measured_by", ())),
                words=words_of(references, word_sets),
            )
            faults += in_file(file, unknown_names(key, references, word_sets))
    return queries, faults


def _language_queries(
    configuration: Configuration, queries: Mapping[str, PlannedQuery], word_sets: Sets
) -> tuple[dict[str, PlannedQuery | ItemQuery], dict[str, dict[str, Any]], list[Fault]]:
    """Queries of sentences, then those of items; the word sets of sentences; and the faults.

    Parameters
    ----------
    queries, word_sets : of words.
    """
    sentences: dict[str, PlannedQuery] = {}
    items: dict[str, ItemQuery] = {}
    sets: dict[str, dict[str, Any]] = {}
    faults = [*_measuring_faults(configuration)]
    for stem, contents in configuration.language_queries.items():
        file = f"language_queries/{stem}.yaml"
        citation = contents.get("citation", "")
        for name, entry in contents["queries"].items():
            key = f"queries.{name}"
            if name in {*queries, *sentences, *items}:
                faults.append(Fault(file, key, "another file has a query of this name"))
                continue
            if name in {*configuration.metrics, *configuration.language_metrics}:
                sentence = "a metric has this name, which tables show as one label"
                faults.append(Fault(file, key, sentence))
                continue
            cited = entry.get("citation", citation)
            try:
                if entry.get("kind") == ASSOCIATION:
                    before = {**queries, **sentences}, {**word_sets, **sets}
                    sentences[name], made = sentence_query(name, entry, *before, cited)
                    sets |= made
                else:
                    # Those of a published file are read when it is here, in a job.
                    read = promised_items if "published" in entry else items_of
                    items[name] = ItemQuery(name, entry, read(entry), cited)
                    for kind in entry.get("decoding", {}):
                        Decoding(**items[name].decoding(kind, 0))
            except (ItemError, OSError, TypeError) as error:
                faults.append(Fault(file, key, str(error)))
    return {**sentences, **items}, sets, faults


def _measuring_faults(configuration: Configuration) -> Iterator[Fault]:
    """Each unknown metric that a query is to be measured by."""
    variants = configuration.language_metrics
    of_items = {*variants, *ITEM_METRICS.names, *(one["metric"] for one in variants.values())}
    for stem, contents in configuration.language_queries.items():
        for name, entry in contents["queries"].items():
            known = METRICS_OF_WORDS.names if entry.get("kind") == ASSOCIATION else of_items
            key = f"queries.{name}.measured_by"
            faults = unknown_names(key, entry.get("measured_by", ()), known)
            yield from in_file(f"language_queries/{stem}.yaml", faults)


def _studies(
    configuration: Configuration, entries: Entries, word_sets: Sets
) -> tuple[dict[str, Study], list[Fault]]:
    """The studies of config.yaml, and those of language models where they are asked for."""
    main, valid = configuration.main, configuration.studies
    language = main.get("language_studies", ()) if main.get("language_models") else ()
    faults = [
        *in_file("config.yaml", unknown_names("studies", main["studies"], valid)),
        *in_file("config.yaml", unknown_names("language_studies", language, valid)),
    ]
    studies = {}
    for name in dict.fromkeys([*main["studies"], *language]):
        if name in valid:
            studies[name], wrong = plan_study(name, configuration, entries, word_sets)
            faults += wrong
    return studies, faults


def _sample_faults(studies: Mapping[str, Study], entries: Entries) -> Iterator[Fault]:
    """A query has one sample, as scores are those of all studies."""
    first: dict[str, Study] = {}
    for study in studies.values():
        items = [q for q in study.queries if isinstance(entries.queries.get(q), ItemQuery)]
        others = ((query, first.setdefault(query, study)) for query in items)
        for query, other in others:
            if other.items != study.items:
                yield Fault(
                    f"studies/{study.name}.yaml",
                    "items",
                    f"found {study.items or 'all'}, but {other.name} takes {other.items or 'all'} "
                    f"of {query!r}: write the same in both, or items in config.yaml for all",
                )
                break


def _local_faults(
    configuration: Configuration, entries: Entries, studies: Mapping[str, Study]
) -> Iterator[Fault]:
    """Files of the user's own that studies need; an unpacked archive needs none."""
    main, models = configuration.main, entries.models
    if main.get("archive", False):
        return
    used = dict.fromkeys(name for study in studies.values() for name in study.models)
    tables = {name: model for name, model in models.items() if model.kind == VECTORS}
    store = Path(main.get("models_dir", "results/models"))
    yield from in_file("models.yaml", local_file_faults(used, tables, store))
    networks = {name: model for name, model in models.items() if name not in tables}
    origins = {networks[name].origin.name for name in used if name in networks}
    packed = packed_model_faults(networks[name] for name in networks if name in origins)
    yield from in_file("language_models.yaml", packed)
    asked = {name for study in studies.values() for name in study.queries}
    yield from published_file_faults(asked, configuration)


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
