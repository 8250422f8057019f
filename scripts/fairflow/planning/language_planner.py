"""Making the plan of language models: names resolved, faults reported to the planner."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.folders.model_folder import folder_problem
from fairflow.language_models.items.decoding import Decoding
from fairflow.language_models.items.query_entry import files_of, items_of
from fairflow.planning.configuration import Configuration
from fairflow.planning.language_plan import (
    ItemQuery,
    LanguagePlan,
    PlannedModel,
    decoding_of,
)
from fairflow.planning.sentence_queries import sentence_query
from fairflow.planning.study import PlannedQuery, Study
from fairflow.scores.item_variant import ItemVariant

Report = Callable[[str, str, str], None]
MODELS, METRICS = "language_models.yaml", "language_metrics.yaml"
SOURCES = ("tiny", "folder", "hub", "completions")


def read_language_plan(
    configuration: Configuration,
    queries: dict[str, PlannedQuery],
    word_sets: dict[str, Any],
    report: Report,
) -> LanguagePlan:
    """Models, metrics and queries; association queries of sentences are added to `queries`.

    Parameters
    ----------
    queries, word_sets : of the plan so far. report : takes file, key and sentence of a fault.
    """
    models = {name: PlannedModel(name, e) for name, e in configuration.language_models.items()}
    archived = configuration.main.get("archive", False)
    for name, model in models.items():
        for problem in _model_problems(model, configuration.models, archived):
            report(MODELS, name, problem)
    variants = {}
    for name, entry in configuration.language_metrics.items():
        fields = {key: value for key, value in entry.items() if key not in ("label", "note")}
        variant = ItemVariant(name, **fields)
        problems = variant.problems()
        if name in configuration.metrics:
            problems.append("metrics.yaml has a variant of this name")
        for problem in problems:
            report(METRICS, name, problem)
        if not problems:
            variants[name] = variant
    items, sentences = _queries(configuration, queries, word_sets, report)
    labels = {name: model.label for name, model in models.items()}
    labels |= {n: e.get("label", n) for n, e in configuration.language_metrics.items()}
    files = tuple(dict.fromkeys(_files(configuration)))
    return LanguagePlan(
        models, variants, items, labels, frozenset(sentences), files=files, archived=archived
    )


def _files(configuration: Configuration) -> Iterator[str]:
    """The files that the entries of queries and models point to, folders of models left out."""
    for contents in configuration.language_queries.values():
        for entry in contents["queries"].values():
            yield from files_of(entry)
    for entry in configuration.language_models.values():
        yield from entry.get("completions", {}).values()


def _model_problems(model: PlannedModel, static: Iterable[str], archived: bool) -> list[str]:
    entry = model.entry
    found = []
    if model.name in static:
        found.append("models.yaml has a model of this name")
    if ("completions" in entry) != (model.kind == "texts"):
        found.append("kind texts is for given completions, and they for it")
    if "tiny" in entry and model.kind not in ("masked", "causal"):
        found.append(f"a tiny model is masked or causal, not {model.kind}")
    if "folder" in entry and not archived:
        found += filter(None, [folder_problem(entry["folder"], model.kind)])
    for query, path in entry.get("completions", {}).items():
        if not Path(path).is_file():
            found.append(f"completions.{query}: there is no file {path}")
    return found


def _queries(
    configuration: Configuration,
    queries: dict[str, PlannedQuery],
    word_sets: dict[str, Any],
    report: Report,
) -> tuple[dict[str, ItemQuery], list[str]]:
    items: dict[str, ItemQuery] = {}
    sentences: list[str] = []
    for stem, contents in configuration.language_queries.items():
        file = f"language_queries/{stem}.yaml"
        citation = contents.get("citation", "")
        for name, entry in contents["queries"].items():
            key = f"queries.{name}"
            if name in items or name in queries:
                report(file, key, "another file has a query of this name")
                continue
            try:
                if entry["kind"] == "association":
                    queries[name], sets = sentence_query(name, entry, queries, word_sets, citation)
                    word_sets |= sets
                    sentences.append(name)
                else:
                    items[name] = ItemQuery(name, entry, items_of(entry), citation)
                    for kind in entry.get("decoding", {}):
                        Decoding(**decoding_of(entry, kind, 0))
            except (ItemError, OSError, TypeError) as error:
                report(file, key, str(error))
    return items, sentences


def concerns_language_models(study: Study, plan: LanguagePlan) -> bool:
    """Whether a study names a model, metric or query of language models."""
    own = {*plan.models, *plan.variants, *plan.queries, *plan.sentences}
    return not own.isdisjoint((*study.models, *study.metrics, *study.queries))


def fit_cells(
    study: Study, plan: LanguagePlan, static_metrics: Iterable[str], static_models: Iterable[str]
) -> Study:
    """The study without the cells that cannot be: a metric meets its kind of query and model."""
    static_metrics, static_models = frozenset(static_metrics), frozenset(static_models)

    def possible(model: str, metric: str, query: str) -> bool:
        if metric not in static_metrics:
            return metric in plan.variants and plan.can(model, metric, query)
        if query in plan.queries:
            return False
        if model in static_models:
            return query not in plan.sentences
        return model in plan.networks

    cells = [
        *product(study.models, study.metrics, study.queries),
        *product(study.models, [study.control_metric], study.controls),
    ]
    impossible = frozenset("/".join(cell) for cell in cells if not possible(*cell))
    return replace(study, impossible=impossible, items=frozenset(plan.queries))


def fit_problems(study: Study, plan: LanguagePlan, known: Collection[str]) -> list[tuple[str, str]]:
    """(key, sentence) of each name of a study that no cell uses, or that does not fit.

    Parameters
    ----------
    known : models that there are; of others it has been told.
    """
    found = []
    for metric in filter(plan.variants.__contains__, study.metrics):
        variant = plan.variants[metric]
        own = [plan.queries[q] for q in study.queries if q in plan.queries]
        of_kind = [query for query in own if query.kind == variant.declared.kind]
        problems = {query.name: variant.made.query_problem(query.items) for query in of_kind}
        if not of_kind:
            kinds = ", ".join(sorted({query.kind for query in own})) or "words"
            sentence = f"it takes queries of kind {variant.declared.kind}; the study has {kinds}"
            found.append((f"metrics.{metric}", sentence))
        elif all(problems.values()):
            told = (f"query {name!r}: {why}" for name, why in problems.items())
            found += [(f"metrics.{metric}", sentence) for sentence in told]
    used = [cell.split("/") for cell in study.cells]
    models = [name for name in study.models if name in known]
    for key, place, names in (("models", 0, models), ("criteria", 2, study.queries)):
        busy = {cell[place] for cell in used}
        idle = [name for name in names if name not in busy]
        found += [(key, f"no metric of the study can be had for {name!r}") for name in idle]
    return found
