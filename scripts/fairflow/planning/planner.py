"""Making a plan of a configuration: every name resolved, every fault reported at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.planning.configuration import Configuration
from fairflow.planning.declarations import Declaration, declaration, declaration_problems
from fairflow.planning.derivation import models_of
from fairflow.planning.entries import Entries
from fairflow.planning.language_entries import read_language_entries
from fairflow.planning.model_checks import (
    check_downloads,
    check_local_files,
    check_models,
    check_packed_models,
    check_published_files,
)
from fairflow.planning.plan import Plan
from fairflow.planning.problems import Problems
from fairflow.planning.query import ItemQuery, PlannedQuery, words_of
from fairflow.planning.remains import planned_quality
from fairflow.planning.study import Study
from fairflow.planning.study_planner import plan_study, published_names
from fairflow.planning.unread_numbers import unread_numbers
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import DECLARABLE
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.studies.published.published_file import published_problems


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
