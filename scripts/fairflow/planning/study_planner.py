"""Making a study of its file: every name resolved, every fault reported to the planner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fairflow.errors import nearest
from fairflow.planning.catalogue import FAIL, NOT_FETCHED, PACKAGES, SKIP, why_absent
from fairflow.planning.configuration import Configuration, Problems
from fairflow.planning.queries import ItemQuery, PlannedQuery
from fairflow.planning.remains import Remains, planned_remains, remains_problems
from fairflow.planning.study import Criteria, Entries, Multiverse, Study, as_list
from fairflow.products.figures import FIGURES
from fairflow.scores.item_variant import ItemVariant
from fairflow.scores.word_variant import WordVariant
from fairflow.studies.comparability import USUAL_CONTROLS, control_metric

ALL_ITEMS = "all"
PRESET_KEYS = ("metrics", "criteria", "aggregation")


def plan_study(
    name: str,
    configuration: Configuration,
    entries: Entries,
    word_sets: Mapping[str, Mapping[str, Any]],
    problems: Problems,
) -> Study:
    """The study of a file, with what its names stand for.

    Parameters
    ----------
    word_sets : FILE:SET -> entry, those of tuples too.
    """
    file = f"studies/{name}.yaml"
    resolved = resolve_entry(configuration.studies[name], configuration)
    for key, sentence in resolved.problems:
        problems.report(file, key, sentence)
    entry = resolved.entry
    of_words = any(isinstance(entries.metrics.get(m), WordVariant) for m in entry["metrics"])
    compared = _compared(entry, resolved.models)
    remains = _remains(file, entry, configuration, word_sets, problems)
    study = Study(
        name=name,
        title=entry["title"],
        models=resolved.models,
        metrics=tuple(entry["metrics"]),
        criteria={key: tuple(group) for key, group in entry["criteria"].items()},
        aggregation=entry["aggregation"],
        minimum_coverage=entry.get("minimum_coverage", 0.5),
        figures=tuple(entry.get("figures", ())),
        entries=entries,
        published=entry.get("published", {}),
        statistics=entry.get("statistics", "full") == "full",
        families=tuple(entry.get("families", Study.families if of_words else ())),
        absent=resolved.absent,
        absent_queries=resolved.absent_queries,
        skips_absent=skips_absent(entry),
        controls=_controls(file, entry, configuration, entries, problems) if of_words else (),
        control_metric=control_metric(configuration.metrics) or "",
        items=_number_of_items(entry, configuration),
        **compared,
        remains=remains if compared else None,
        subject=_subject(file, entry, resolved.models, problems),
        checks=entry.get("checks", ""),
        multiverse=planned_multiverse(entry),
        published_folder=str(configuration.folder / "published"),
    )
    _check_names(study, file, configuration, problems)
    named = entry.get("multiverse", {}).get("studies", ())
    problems.check_names("multiverse.studies", file, named, _study_names(configuration))
    of_choices = multiverse_problems(name, entry, study.criteria, entries.queries)
    for key, sentence in (*_comparison_problems(entry), *of_choices):
        problems.report(file, key, sentence)
    _check_templates(study, file, problems)
    # Whether metrics fit cannot be told without all of the queries, or without any model.
    if study.models and study.concerns_language_models and {*study.queries} <= {*entries.queries}:
        for key, sentence in (*_unmeasurable(study), *_unused(study)):
            problems.report(file, key, sentence)
    return study


def published_names(configuration: Configuration) -> tuple[str, ...]:
    """The files of published numbers, without their endings."""
    folder = configuration.folder / "published"
    return tuple(sorted(path.name.removesuffix(".csv") for path in folder.glob("*.csv")))


def _study_names(configuration: Configuration) -> list[str]:
    """The studies that have a file; a faulty one is told of by itself."""
    return sorted(path.stem for path in (configuration.folder / "studies").glob("*.yaml"))


def _number_of_items(entry: Mapping[str, Any], configuration: Configuration) -> int | None:
    """What config.yaml or the command line says for all studies, else the study; None for all."""
    number = configuration.main.get("items", entry.get("items", ALL_ITEMS))
    return None if number == ALL_ITEMS else number


def _compared(entry: Mapping[str, Any], models: tuple[str, ...]) -> dict[str, Any]:
    """`Study.before` and `Study.after`, of the models that are in this run."""
    compare = entry.get("compare", {})
    after = tuple(model for model in compare.get("after", ()) if model in models)
    if not after or compare["before"] not in models:
        return {}
    return {"before": compare["before"], "after": after}


def _remains(
    file: str,
    entry: Mapping[str, Any],
    configuration: Configuration,
    word_sets: Mapping[str, Mapping[str, Any]],
    problems: Problems,
) -> Remains | None:
    """What is measured besides of the models that a study compares before and after."""
    if "compare" not in entry:
        return None
    given = entry.get("remains", {})
    named = given.get("benchmarks", ())
    problems.check_names("remains.benchmarks", file, named, configuration.benchmarks)
    sentences = [*remains_problems(given, word_sets)]
    for sentence in sentences:
        problems.report(file, "remains", sentence)
    return planned_remains({} if sentences else given, word_sets, configuration.benchmarks)


def _subject(
    file: str, entry: Mapping[str, Any], models: tuple[str, ...], problems: Problems
) -> str:
    """The model that the study is about; "" without one, or where this run lacks it."""
    subject = entry.get("subject", "")
    if subject:
        problems.check_names("subject", file, [subject], entry["models"])
    return subject if subject in models else ""


def _comparison_problems(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(key, sentence) of each model that cannot be compared before and after."""
    compare = entry.get("compare")
    if not compare:
        return
    for key, models in (("before", [compare["before"]]), ("after", compare["after"])):
        for model in models:
            if model not in entry["models"]:
                hint = nearest(model, entry["models"])
                yield f"compare.{key}", f"{model!r} is no model of this study. {hint}"
    if compare["before"] in compare["after"]:
        yield "compare.after", f"{compare['before']!r} is the model before: leave it out here"


def _controls(
    file: str,
    entry: Mapping[str, Any],
    configuration: Configuration,
    entries: Entries,
    problems: Problems,
) -> tuple[str, ...]:
    """The control queries of a study of vectors, those that can be measured."""
    metric = control_metric(configuration.metrics)
    queries = {n: q for n, q in entries.queries.items() if isinstance(q, PlannedQuery)}
    if "controls" not in entry:
        usual = [query for query in USUAL_CONTROLS if query in queries]
        return tuple(usual) if metric else ()
    named = entry["controls"]
    problems.check_names("controls", file, named, queries)
    if named and metric is None:
        sentence = "metrics.yaml has no variant of WEAT to measure them by"
        problems.report(file, "controls", sentence)
        return ()
    for query in filter(queries.__contains__, named):
        if problem := entries.metrics[metric].problem_with(queries[query]):
            problems.report(file, "controls", f"query {query!r}: {problem}")
    return tuple(query for query in named if query in queries)


def _check_names(study: Study, file: str, configuration: Configuration, problems: Problems) -> None:
    entries = study.entries
    problems.check_names("models", file, study.models, entries.models)
    # A faulty variant is told of by itself.
    metrics = [*configuration.metrics, *configuration.language_metrics]
    problems.check_names("metrics", file, study.metrics, metrics)
    for criterion, group in study.criteria.items():
        problems.check_names(f"criteria.{criterion}", file, group, entries.queries)
    grouped = [query for group in study.criteria.values() for query in group]
    for query in sorted({query for query in grouped if grouped.count(query) > 1}):
        problems.report(file, "criteria", f"query {query!r} stands in two criteria")
    published = published_names(configuration)
    for key in ("scores", "others"):
        named = as_list(study.published.get(key, []))
        problems.check_names(f"published.{key}", file, named, published)
    stand_ins = study.published.get("models", {}).values()
    named = [model for models in stand_ins for model in as_list(models)]
    problems.check_names("published.models", file, named, (*study.models, *study.absent))
    problems.check_names("figures", file, study.figures, FIGURES.names)


def _check_templates(study: Study, file: str, problems: Problems) -> None:
    named = (study.entries.metrics.get(name) for name in study.metrics)
    variants = [v for v in named if isinstance(v, WordVariant) and not v.problems()]
    queries = [study.entries.queries.get(name) for name in study.queries]
    queries = [query for query in queries if isinstance(query, PlannedQuery)]
    for variant in variants:
        found = {query.name: variant.problem_with(query) for query in queries}
        faults = {name: problem for name, problem in found.items() if problem}
        # What some queries alone are for measures these; one that measures none is a fault.
        if len(faults) < len(queries):
            chosen = {query.name for query in queries if variant.chooses(query)}
            faults = {name: problem for name, problem in faults.items() if name not in chosen}
        for name, problem in faults.items():
            problems.report(file, f"metrics.{variant.name}", f"query {name!r}: {problem}")
    for query in queries:
        if variants and all(v.chooses(query) and v.problem_with(query) for v in variants):
            why = variants[0].problem_with(query)
            problems.report(file, "criteria", f"no metric measures {query.name!r}: {why}")


def _unmeasurable(study: Study) -> Iterator[tuple[str, str]]:
    """(key, sentence) of each metric of items that takes none of the queries."""
    # One that this run may not fetch is no fault of the study.
    named = (*study.queries, *study.absent_queries)
    queries = [study.entries.queries[name] for name in named if name in study.entries.queries]
    items = [query for query in queries if isinstance(query, ItemQuery)]
    for variant in map(study.entries.metrics.get, study.metrics):
        if not isinstance(variant, ItemVariant):
            continue
        kind = variant.declared.kind
        why = {q.name: variant.problem_with(q) for q in items if q.kind == kind}
        if not why:
            kinds = ", ".join(sorted({query.kind for query in items})) or "words"
            sentence = f"it takes queries of kind {kind}; the study has {kinds}"
            yield f"metrics.{variant.name}", sentence
        elif all(why.values()):
            for query, sentence in why.items():
                yield f"metrics.{variant.name}", f"query {query!r}: {sentence}"


def _unused(study: Study) -> Iterator[tuple[str, str]]:
    """(key, sentence) of each model and query that no cell uses; unknown models are told of."""
    models = [name for name in study.models if name in study.entries.models]
    used = {
        name for cell in study.cells for name in (("models", cell.model), ("criteria", cell.query))
    }
    for key, names in (("models", models), ("criteria", study.queries)):
        for name in names:
            if (key, name) not in used:
                yield key, f"no metric of the study can be had for {name!r}"


@dataclass
class StudyEntry:
    """What a study's file says, resolved.

    Attributes
    ----------
    entry : title, metrics, criteria, aggregation and whatever else the file says.
    models : those of this run. absent : model -> why it is not in this run.
    absent_queries : the same of queries whose published items cannot be had.
    problems : (key, sentence) of each fault.
    """

    entry: dict[str, Any]
    models: tuple[str, ...] = ()
    absent: dict[str, str] = field(default_factory=dict)
    absent_queries: dict[str, str] = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)


def resolve_entry(entry: Mapping[str, Any], configuration: Configuration) -> StudyEntry:
    """Fill in the preset, sort models and queries; without on_missing_model all are wanted."""
    resolved = StudyEntry(dict(entry))
    _fill_in_preset(resolved, configuration)
    _sort_models(resolved, configuration)
    _sort_queries(resolved, configuration)
    return resolved


def _fill_in_preset(resolved: StudyEntry, configuration: Configuration) -> None:
    name = resolved.entry.get("preset")
    if name is None:
        return
    preset = configuration.presets.get(name)
    if preset is None:
        hint = nearest(name, configuration.presets)
        resolved.problems.append(("preset", f"unknown name {name!r}. {hint}"))
        resolved.entry |= {"metrics": [], "criteria": {}, "aggregation": "avg"}
        return
    resolved.entry |= {key: preset[key] for key in PRESET_KEYS}
    lookups = {
        query: contents.get("lookup", "as_written")
        for contents in configuration.queries.values()
        for query in contents["queries"]
    }
    for query in (q for group in preset["criteria"].values() for q in group):
        if lookups.get(query, preset["lookup"]) != preset["lookup"]:
            resolved.problems.append(
                (
                    "preset",
                    f"query {query!r} is sought {lookups[query]}, but {name} fixes the look-up "
                    f"{preset['lookup']}",
                )
            )


def _sort_models(resolved: StudyEntry, configuration: Configuration) -> None:
    fetch = configuration.main.get("fetch", PACKAGES)
    policy = resolved.entry.get("on_missing_model")
    catalogue = configuration.models | configuration.language_models
    models = []
    for model in resolved.entry["models"]:
        may_be_absent = policy is not None and model in catalogue
        reason = why_absent(model, catalogue, fetch) if may_be_absent else None
        if reason is None:
            models.append(model)
        elif policy == FAIL:
            resolved.problems.append(("models", f"{model} is {reason}"))
        else:
            resolved.absent[model] = reason
    if not models and not resolved.problems:
        reasons = "; ".join(f"{model} is {reason}" for model, reason in resolved.absent.items())
        by_fetch = any(reason.startswith(NOT_FETCHED) for reason in resolved.absent.values())
        advice = "leave the study out" + ", or allow downloads (fetch: all)" * by_fetch
        resolved.problems.append(("models", f"none can be used in this run ({reasons}): {advice}"))
    resolved.models = tuple(models)


def _sort_queries(resolved: StudyEntry, configuration: Configuration) -> None:
    """Leave out the queries of published items that a run may not fetch, as models are."""
    policy = resolved.entry.get("on_missing_model")
    published = {
        name: entry["published"]
        for contents in configuration.language_queries.values()
        for name, entry in contents["queries"].items()
        if "published" in entry and policy is not None
    }
    named = [query for group in resolved.entry["criteria"].values() for query in group]
    fetch = configuration.main.get("fetch", PACKAGES)
    reasons = {query: why_absent(query, published, fetch) for query in named if query in published}
    absent = {query: reason for query, reason in reasons.items() if reason}
    if policy == FAIL:
        resolved.problems += [("criteria", f"{q} is {reason}") for q, reason in absent.items()]
    elif absent:
        groups = {
            criterion: [query for query in group if query not in absent]
            for criterion, group in resolved.entry["criteria"].items()
        }
        resolved.entry["criteria"] = {name: group for name, group in groups.items() if group}
        resolved.absent_queries = absent
        if not resolved.entry["criteria"]:
            told = "; ".join(f"{query} is {reason}" for query, reason in absent.items())
            sentence = f"none can be asked in this run ({told}): leave the study out"
            resolved.problems.append(("criteria", sentence))


def skips_absent(entry: Mapping[str, Any]) -> bool:
    """Whether the published numbers of absent models are left out, too."""
    return entry.get("on_missing_model") == SKIP


def planned_multiverse(entry: Mapping[str, Any]) -> Multiverse | None:
    """What a study says under `multiverse`, None where it says nothing."""
    if "multiverse" not in entry:
        return None
    given = entry["multiverse"]
    versions = {
        version: {criterion: tuple(queries) for criterion, queries in criteria.items()}
        for version, criteria in given.get("lists", {}).items()
    }
    return Multiverse(tuple(given.get("studies", ())), versions)


def multiverse_problems(
    name: str, entry: Mapping[str, Any], criteria: Criteria, queries: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """(key, sentence) of each fault of what a study says under `multiverse` but unknown studies.

    Parameters
    ----------
    name : of the study. criteria : its own. queries : of the configuration.
    """
    given = entry.get("multiverse", {})
    for version, of_version in given.get("lists", {}).items():
        key = f"multiverse.lists.{version}"
        if version in (name, *given.get("studies", ())):
            yield key, "the lists of a study have this name: give these another one"
        for criterion, named in of_version.items():
            if criterion not in criteria:
                yield key, f"unknown criterion {criterion!r}. {nearest(criterion, criteria)}"
            for query in named:
                if query not in queries:
                    yield (
                        f"{key}.{criterion}",
                        f"unknown name {query!r}. {nearest(query, queries)}",
                    )
