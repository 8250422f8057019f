"""Making a study from its file: every name resolved, every fault reported to the planner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from fairflow.capabilities import additions
from fairflow.planning.catalogue import ALL, BUNDLED, FAIL, SKIP, Catalogue, why_absent
from fairflow.planning.configuration import (
    USUAL_CONTROLS,
    Configuration,
    Fault,
    in_file,
    study_lists,
    unknown_names,
)
from fairflow.planning.languages import controls_in
from fairflow.planning.queries import LOOKUP, PlannedQuery
from fairflow.planning.study import Entries, Study, as_list
from fairflow.products.figures import FIGURES, LEAST_MODELS
from fairflow.queries.languages import ENGLISH, without_script
from fairflow.queries.query import joined
from fairflow.scores.word_variant import WordVariant
from fairflow.studies.comparability import control_metric

KeyFaults = Iterator[tuple[str, str]]
# Keys of a study's file that `Study` has under the same names, with its defaults.
_AS_WRITTEN = (
    *("title", "question", "aggregation", "minimum_coverage", "published", "checks"),
    "ranks_every",
)
_NOT_READ = "no study of this run reads this file"


def planned_studies(
    configuration: Configuration, entries: Entries
) -> tuple[dict[str, Study], list[Fault]]:
    """The studies of a run, and their faults."""
    main, valid = configuration.main, configuration.studies
    lists = [key for key, setting in study_lists().items() if setting is None or main.get(setting)]
    named = {key: main.get(key, ()) for key in lists}
    faults, studies = list[Fault](), dict[str, Study]()
    for key, names in named.items():
        faults += in_file("config.yaml", unknown_names(key, names, valid))
    for name in dict.fromkeys(name for names in named.values() for name in names):
        if name in valid:
            entry, present, problems = resolve_entry(valid[name], configuration)
            studies[name] = _study(name, entry, present, configuration, entries)
            wrong = chain(problems, _faults(studies[name], entry, configuration))
            faults += in_file(f"studies/{name}.yaml", wrong)
    return studies, faults


def _study(
    name: str,
    entry: Mapping[str, Any],
    present: Mapping[str, Any],
    configuration: Configuration,
    entries: Entries,
) -> Study:
    models = present["models"]
    of_words = any(isinstance(entries.metrics.get(m), WordVariant) for m in entry["metrics"])
    metric = control_metric(configuration.metrics) or ""
    controls = entry.get("controls", _usual_controls(models, entries))
    compare = entry.get("compare", {})
    changed = compare["after"] if compare.get("before") in models else ()
    after = tuple(model for model in changed if model in models)
    return Study(
        name=name,
        **{key: entry[key] for key in _AS_WRITTEN if key in entry},
        **present,
        metrics=tuple(entry["metrics"]),
        criteria={key: tuple(group) for key, group in entry["criteria"].items()},
        figures=_figures(entry, models, entries),
        entries=entries,
        statistics=entry.get("statistics", "full") == "full",
        families=tuple(entry.get("families", Study.families if of_words else ())),
        skips_absent=entry.get("on_missing_model") == SKIP,
        controls=tuple(query for query in controls if query in _of_vectors(entries))
        if of_words and metric
        else (),
        control_metric=metric,
        before=compare["before"] if after else "",
        after=after,
        # The subject may be a model of another run.
        subject=entry["subject"] if entry.get("subject") in models else "",
        published_folder=str(configuration.folder / "published"),
    )


def with_parts(study: Study, configuration: Configuration) -> Study:
    """A study without faults, with what it has of capabilities."""
    entry = configuration.studies[study.name]
    made = [one.parts(study, entry, configuration) for one in additions("plan")]
    parts = {kind: part for each in made for kind, part in each.items()}
    adjusted = "families" not in entry and any(one.adjusts_own_tests for one in parts.values())
    return replace(study, parts=parts, families=() if adjusted else study.families)


def _usual_controls(models: Sequence[str], entries: Entries) -> list[str]:
    """The usual controls in the languages of the models; in English where models name none."""
    known = [entries.models[name] for name in models if name in entries.models]
    tags = dict.fromkeys(without_script(tag) for model in known for tag in model.languages)
    others = (name for tag in tags if tag != ENGLISH for name in controls_in(tag))
    asked = [name for name in (*USUAL_CONTROLS, *others) if name in entries.queries]
    spoken = {name: entries.queries[name].language for name in asked}
    return [name for name in asked if any(model.speaks(spoken[name]) for model in known)]


def _figures(entry: Mapping[str, Any], models: Sequence[str], entries: Entries) -> tuple[str, ...]:
    """The figures of a study that have something to show of its models, derived ones left out."""
    if entry.get("ranks_every"):
        return tuple(entry.get("figures", ()))
    lineages = [entries.models[name].lineage[:-1] for name in models if name in entries.models]
    n_models = sum({*lineage}.isdisjoint(models) for lineage in lineages)
    wanted = entry.get("figures", ())
    return tuple(name for name in wanted if n_models >= LEAST_MODELS.get(name, 0))


def _faults(study: Study, entry: Mapping[str, Any], configuration: Configuration) -> KeyFaults:
    for named in _references(study, entry, configuration):
        yield from unknown_names(*named)
    if not entry["models"]:
        yield "models", "no model is named, and nothing that is here makes any for this study"
    if study.before in study.after:
        yield "compare.after", f"{study.before!r} is the model before: leave it out here"
    grouped = Counter(query for group in study.criteria.values() for query in group)
    for query in sorted(query for query, times in grouped.items() if times > 1):
        yield "criteria", f"query {query!r} is in two criteria"
    yield from _control_faults(study, entry.get("controls", ()))
    yield from _template_faults(study)
    yield from _language_faults(study)
    for extension in additions("plan"):
        yield from extension.faults(study, entry, configuration)


def _references(
    study: Study, entry: Mapping[str, Any], configuration: Configuration
) -> Iterator[tuple[str, Sequence[str], Collection[str], str]]:
    """Key of the file, the names there, those that are known, and what they are called."""
    entries, compare, published = study.entries, entry.get("compare", {}), study.published
    for key, named in compare.items():
        yield f"compare.{key}", as_list(named), entry["models"], "model of this study"
    yield "controls", entry.get("controls", ()), _of_vectors(entries), "name"
    yield "subject", as_list(entry.get("subject") or []), entry["models"], "name"
    yield "models", study.models, entries.models, "name"
    # A faulty variant is reported separately.
    yield "metrics", study.metrics, configuration.every_metric, "name"
    for criterion, group in study.criteria.items():
        yield f"criteria.{criterion}", group, entries.queries, "name"
    files = published_names(configuration.folder)
    for key in ("scores", "others"):
        yield f"published.{key}", as_list(published.get(key, [])), files, "name"
    stand_ins = [one for named in published.get("models", {}).values() for one in as_list(named)]
    yield "published.models", stand_ins, (*study.models, *study.absent), "name"
    yield "figures", study.figures, FIGURES.names, "name"


def published_names(folder: Path) -> list[str]:
    """The files of published numbers in the folder of a configuration, without their endings."""
    return sorted(path.name.removesuffix(".csv") for path in folder.glob("published/*.csv"))


def _of_vectors(entries: Entries) -> dict[str, PlannedQuery]:
    return {n: query for n, query in entries.queries.items() if isinstance(query, PlannedQuery)}


def _control_faults(study: Study, named: Sequence[str]) -> KeyFaults:
    """(key, sentence) of each control query of a file that cannot be measured."""
    queries = _of_vectors(study.entries)
    for query in filter(queries.__contains__, named if study.control_metric else ()):
        metric = study.entries.metrics[study.control_metric]
        if problem := metric.problem_with(queries[query]):
            yield "controls", f"query {query!r}: {problem}"


def _template_faults(study: Study) -> KeyFaults:
    """(key, sentence) of each metric of vectors that cannot measure a query."""
    named = (study.entries.metrics.get(name) for name in study.metrics)
    variants = [v for v in named if isinstance(v, WordVariant) and not v.problems()]
    of_vectors = _of_vectors(study.entries)
    queries = [of_vectors[name] for name in study.queries if name in of_vectors]
    for variant in variants:
        found = {query.name: variant.problem_with(query) for query in queries}
        faults = {name: problem for name, problem in found.items() if problem}
        # A metric for some queries measures only these; a metric without any query is a fault.
        if len(faults) < len(queries):
            faults = {n: why for n, why in faults.items() if not variant.chooses(of_vectors[n])}
        for name, problem in faults.items():
            yield f"metrics.{variant.name}", f"query {name!r}: {problem}"
    for query in queries:
        if variants and all(v.chooses(query) and v.problem_with(query) for v in variants):
            why = variants[0].problem_with(query)
            yield "criteria", f"no metric measures {query.name!r}: {why}"


def _language_faults(study: Study) -> KeyFaults:
    """(key, sentence) of each query in a language that is that of no model of the study."""
    entries = study.entries
    named = [name for name in (*study.models, *study.absent) if name in entries.models]
    for query in (name for name in study.queries if name in entries.queries):
        language = entries.queries[query].language
        if named and not any(entries.models[name].speaks(language) for name in named):
            said = "; ".join(f"{name}: {joined(entries.models[name].languages)}" for name in named)
            why = f"query {query!r} is in {language}, and no model is ({said}): name a model, or "
            yield "criteria", f"{why}give the query the key language if its words have another"


def resolve_entry(
    entry: Mapping[str, Any], configuration: Configuration
) -> tuple[dict[str, Any], dict[str, Any], list[tuple[str, str]]]:
    """Fill in the preset, sort models and queries; without on_missing_model all are wanted.

    Returns
    -------
    What the study's file says, with title, metrics, criteria and aggregation; the fields models,
    absent and absent_queries of `Study`; and (key, sentence) of each fault.
    """
    filled, problems = {**entry}, list[tuple[str, str]]()
    if "preset" in entry:
        # An unknown preset measures nothing.
        unknown = {"metrics": [], "criteria": {}, "aggregation": "avg"}
        preset = configuration.presets.get(entry["preset"], unknown)
        filled |= {key: preset[key] for key in unknown}
        problems += _preset_problems(entry, configuration)
    policy = entry.get("on_missing_model")
    fetched = {n: e for one in additions("plan") for n, e in one.sources(configuration).items()}
    named = [query for group in filled["criteria"].values() for query in group]

    download = configuration.main.get("download", BUNDLED)

    def absent_of(names: Iterable[str], catalogue: Catalogue) -> dict[str, str]:
        known = [name for name in names if name in catalogue and policy is not None]
        return {name: why for name in known if (why := why_absent(name, catalogue, download))}

    catalogue = configuration.every_model
    absent = absent_of(entry["models"], catalogue)
    unasked = absent_of(named, fetched)
    models = tuple(name for name in entry["models"] if name not in absent)
    if policy == FAIL:
        problems += [("models", f"{name} is {reason}") for name, reason in absent.items()]
        problems += [("criteria", f"{name} is {reason}") for name, reason in unasked.items()]
        return filled, {"models": models}, problems
    if entry["models"] and not models and not problems:
        not_allowed = any(why_absent(name, catalogue, ALL) is None for name in absent)
        advice = "leave the study out" + ", or allow downloads (download: all)" * not_allowed
        sentence = f"none can be used in this run ({_reasons(absent)}): {advice}"
        problems.append(("models", sentence))
    if unasked:
        groups = filled["criteria"].items()
        groups = {name: [query for query in of if query not in unasked] for name, of in groups}
        filled["criteria"] = {name: group for name, group in groups.items() if group}
        if not filled["criteria"]:
            sentence = f"none can be asked in this run ({_reasons(unasked)}): leave the study out"
            problems.append(("criteria", sentence))
    present = {"models": models, "absent": absent, "absent_queries": unasked}
    return filled, present, problems


def _reasons(reasons: Mapping[str, str]) -> str:
    return "; ".join(f"{name} is {reason}" for name, reason in reasons.items())


def _preset_problems(entry: Mapping[str, Any], configuration: Configuration) -> KeyFaults:
    """(key, sentence) of an unknown preset, and of each query with another look-up."""
    name, presets = entry["preset"], configuration.presets
    yield from unknown_names("preset", [name], presets)
    if name not in presets:
        return
    wanted, asked = presets[name]["lookup"], presets[name]["criteria"].values()
    for contents in configuration.queries.values():
        found = contents.get("lookup", LOOKUP)
        for query in (q for group in asked for q in group if q in contents["queries"]):
            if found != wanted:
                why = f"has the look-up {found}, but {name} fixes the look-up {wanted}"
                yield "preset", f"query {query!r} {why}"


def uncompared_numbers(
    configuration: Configuration, planned: Mapping[str, Study]
) -> dict[str, dict[str, Any]]:
    """File of published numbers that no study of the run reads -> why: see `Plan.uncompared`.

    Parameters
    ----------
    planned : the studies of the run.
    """
    read = {path for one in planned.values() for path in one.published_files("scores", "others")}
    readers: dict[str, str] = {}
    for study, entry in configuration.studies.items():
        published = entry.get("published", {})
        for file in (f for key in ("scores", "others") for f in as_list(published.get(key, []))):
            if study not in planned:
                readers.setdefault(file, study)
    nobody = {"study": "", "command": "", "reason": _NOT_READ, "of_models": {}}
    folder = configuration.folder
    files = {f"{folder}/published/{name}.csv": name for name in published_names(folder)}
    return {
        path: _unread(readers[name], configuration) if name in readers else nobody
        for path, name in files.items()
        if path not in read
    }


def _unread(study: str, configuration: Configuration) -> dict[str, Any]:
    """The command that computes a study, and why it cannot compute some published models."""
    entry = configuration.studies[study]
    commands = {n: one.command for one in additions("plan") for n in one.catalogue(configuration)}
    named = filter(None, map(commands.get, entry["models"]))
    if study in configuration.main.get("ledger_studies", ()):
        command, more = "make ledger", f" DOWNLOAD={ALL}"
    elif special := next(named, ""):
        command, more = f"{special} STUDY={study}", f" DOWNLOAD={ALL}"
    else:
        command, more = f"make run STUDY={study}", f", with download: {ALL}"
    absent = resolve_entry(entry, configuration)[1].get("absent", {})
    stand_ins = {model: model for model in absent} | dict(entry["published"].get("models", {}))
    lacking = {published: as_list(models) for published, models in stand_ins.items()}
    return {
        "study": study,
        "command": command,
        "reason": f"{_NOT_READ}; {command} computes {study}",
        "of_models": {
            published: f"{_reasons({m: absent[m] for m in models})}: {command}{more}"
            for published, models in lacking.items()
            if {*models} <= {*absent}
        },
    }
