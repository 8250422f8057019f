"""What the files of answers and scores are made from: words, slices, scores.

`run_description` describes a whole run for its report.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from fairflow.files.configuration_files import read_yaml
from fairflow.files.references import full_citation
from fairflow.planning.catalogue import content_of_set, file_of
from fairflow.planning.models import VECTORS, Lineage
from fairflow.planning.named_sets import Sets
from fairflow.planning.plan import Plan
from fairflow.planning.queries import WORDS, PlannedQuery
from fairflow.planning.registry import Job, Jobs, job, path_of
from fairflow.planning.study import Study
from fairflow.queries.query import PROPERTY, query_inputs
from fairflow.scores.variant import Cell, Slice
from fairflow.studies.tables import REPORT, study_tables

SHIPPED = frozenset(read_yaml(Path(__file__).with_name("shipped_studies.yaml")))


@job("{answers}/words/{queries}.json")
def words(jobs: Jobs, queries: str) -> Job:
    """The words of the queries of a file, those of lexicons included."""
    plan, sets = jobs.plan, jobs.plan.word_sets
    planned = [plan.of_vectors(q) for q in plan.used_queries if plan.file_of(q) == queries]
    entries = (sets[reference] for query in planned for reference in query.references)
    lexicons = [file_of(entry["lexicon"]) for entry in entries if "lexicon" in entry]
    files = dict.fromkeys([*lexicons, *(file for query in planned for file in query.files)])
    return Job(
        {"lexicons": [*files]},
        {"definitions": {query.name: definition(query, sets) for query in planned}},
        ("fairflow.queries.query_file", "fairflow.files.checked_files"),
    )


@job("{answers}/slices/{model}/{queries}.parquet")
def slices(jobs: Jobs, model: str, queries: str) -> Job:
    """The vectors of a table for the words of queries."""
    plan, planned = jobs.plan, jobs.plan.table(model)
    asked = plan.asked.get(("slices", model, queries), [])
    random = random_of(jobs, model, asked)
    read = {
        "words": path_of(plan, "words", queries=queries),
        **planned.store_files(jobs.models),
        "record": path_of(plan, "record", model=planned.origin.name),
        "order": [path_of(plan, "order", model=model)] if random["random_words"] else [],
    }
    # A model that knows almost no word is refused, where it is not one that a study names.
    how = {"model": model, **lookups_of(jobs, asked), "prefix": planned.prefix, **random}
    how["most_are_found"] = bool(plan.audited)
    return Job(read, how, ("fairflow.vectors.vocabulary", "fairflow.vectors.derivation"))


@job("{answers}/scores/{model}/{metric}/{queries}.parquet")
def scores(jobs: Jobs, model: str, metric: str, queries: str) -> Job:
    """The scores of a metric on the queries of a file and one model.

    Variants that are computed alike have one file, under the name of the first.
    """
    how, answers = score_settings(jobs, model, metric, queries)
    code = "fairflow.scores.word_cell", jobs.plan.metrics[metric].module
    return Job({"slices": answers}, how, code)


def score_settings(
    jobs: Jobs, model: str, metric: str, queries: str
) -> tuple[dict[str, Any], list[str]]:
    """What decides scores of whatever is measured, and the files of answers."""
    plan, variant = jobs.plan, jobs.plan.metrics[metric]
    asked = plan.scored_together.get((model, metric, queries), [])
    tested = [query for query in asked if is_tested(jobs, Cell(model, metric, query))]
    how = {
        "variant": variant.base_variant.definition,
        "queries": asked,
        "tested": tested,
        "seed": plan.seed if variant.draws or tested else 0,
        "statistics": asdict(plan.statistics) if tested else None,
    }
    answers = dict.fromkeys(answers_file(plan, Slice(model, query)) for query in asked)
    return how, [*answers]


@job("results/differences/{study}/{model}.parquet")
def differences(jobs: Jobs, study: str, model: str) -> Job:
    """The word cells of a changed model, each paired with the cell of the model before."""
    plan, changed = jobs.plan, jobs.plan.studies[study]
    of_words = [c for c in changed.cells if jobs.plan.metrics[c.metric].of_words]
    there, after = {*of_words}, [cell for cell in of_words if cell.model == model]
    pairs = [(cell._replace(model=changed.before), cell) for cell in after]
    pairs = [pair for pair in pairs if pair[0] in there]
    slices = dict.fromkeys((before.slice, after.slice) for before, after in pairs)
    variants = {after.metric: plan.metrics[after.metric] for _, after in pairs}
    inputs = {
        "slices": [*dict.fromkeys(answers_file(plan, one) for pair in slices for one in pair)]
    }
    how = {
        "cells": [[[*cell] for cell in pair] for pair in pairs],
        "variants": {name: variant.definition for name, variant in variants.items()},
        "seed": plan.seed,
        "statistics": asdict(plan.statistics),
    }
    modules = dict.fromkeys(variant.module for variant in variants.values())
    return Job(inputs, how, ("fairflow.scores.paired_cell", *modules))


def answers_file(plan: Plan, slice_: Slice) -> str:
    """The file with what a model answers to a query: vectors, tokens or completions."""
    kind = plan.models[slice_.model].folder_of(plan.queries[slice_.query])
    return path_of(plan, kind, model=slice_.model, queries=plan.file_of(slice_.query))


def lookups_of(jobs: Jobs, asked: list[str]) -> dict[str, Any]:
    """How the words of queries are looked up: query -> name, and what the names stand for."""
    named = {query: jobs.plan.of_vectors(query).lookup for query in asked}
    every = {name: jobs.plan.lookups[name] for name in dict.fromkeys(named.values())}
    return {"queries": named, "lookups": every}


def random_of(jobs: Jobs, model: str, asked: list[str]) -> dict[str, Any]:
    """Which queries of a model have random words for the null band, how many, and their seed."""
    plan, number = jobs.plan, jobs.plan.statistics.random_words
    # Sentences have no random counterparts.
    of_words = (query for query in asked if plan.queries[query].kind == WORDS)
    drawn = [q for q in of_words if Slice(model, q) in plan.tested_slices] if number else []
    seed = plan.seed if drawn else 0
    return {"random": drawn, "random_words": number if drawn else 0, "seed": seed}


def is_tested(jobs: Jobs, cell: Cell) -> bool:
    """Whether a cell has tests and intervals."""
    return jobs.plan.scored([cell])[0] in jobs.plan.tested_cells


def seed_of(jobs: Jobs, cell: Cell) -> int:
    """The seed of the random draws of a cell; 0 if nothing is random."""
    return jobs.plan.seed if jobs.plan.metrics[cell.metric].draws or is_tested(jobs, cell) else 0


def definition(planned: PlannedQuery, sets: Sets) -> dict[str, Any]:
    """Words of each set of a query by role; of a lexicon its name and how to read it.

    Sentences also have "units": the word and template of each sentence. The declared inputs
    follow, a property as the path of its file; in a query of pairs alone their words are targets.
    """
    roles: dict[str, dict[str, Any]] = {
        role: {name: content_of_set(sets[reference]) for name, reference in named.items()}
        for role, named in (("targets", planned.targets), ("attributes", planned.attributes))
    }
    units = [sets[name]["units"] for name in planned.references if "units" in sets[name]]
    merged = {text: unit for of_query in units for text, unit in of_query.items()}
    if not roles["targets"]:
        roles["targets"] = query_inputs(planned.declared).as_targets()
    more = {PROPERTY: {"file": planned.property_file}} if planned.property_file else {}
    return roles | ({"units": merged} if units else {}) | dict(planned.declared) | more


# Of the attributes of a study those that a reader of a run asks for.
_OF_A_STUDY = (
    *("name", "title", "checks", "subject", "models", "metrics", "signed", "of_others", "readings"),
    *("ability", "aggregation", "minimum_coverage", "statistics", "families", "controls", "labels"),
    *("question", "heading"),
)
MODEL_FACTS = ("dims", "vocabulary", "licence", "citation", "note")


def run_description(plan: Plan) -> dict[str, Any]:
    """Studies, models, metrics, tables, figures, seed and settings of the statistics.

    Lists are in the order of the configuration, but that the user's own studies go first and those
    that only check documentation last; models and metrics are those of some study.
    """

    def turn(study: Study) -> int:
        return 0 if study.name not in SHIPPED else 2 if study.checks else 1

    studies = sorted(plan.studies.values(), key=turn)
    models = dict.fromkeys(name for study in studies for name in study.models)
    metrics = dict.fromkeys(name for study in studies for name in study.metrics)
    tables = {study.name: study_tables(REPORT, *study.kinds) for study in studies}
    return {
        "seed": plan.seed,
        "statistics": asdict(plan.statistics),
        "studies": [_study(study, plan) for study in studies],
        "models": {name: _model(plan.models[name]) for name in models},
        "audited": [name for name in models if plan.models[name].kind == VECTORS],
        "metrics": {
            name: {"label": variant.label, "normalize": False, **variant.definition}
            for name, variant in ((name, plan.metrics[name]) for name in metrics)
        },
        "tables": [f"{name}/{table.file}" for name, listed in tables.items() for table in listed],
        "figures": [f"{study.name}/{figure}" for study in studies for figure in study.figures],
    }


def _study(study: Study, plan: Plan) -> dict[str, Any]:
    values = {key: getattr(study, key) for key in _OF_A_STUDY}
    plain = {key: [*value] if isinstance(value, tuple) else value for key, value in values.items()}
    criteria = {name: [*queries] for name, queries in study.criteria.items()}
    # Of a model that only the command line names `fairflow explain` knows nothing.
    explained = [name for name in study.models if not plan.is_audited(name)]
    own = study.name not in SHIPPED
    return {**plain, "own": own, "criteria": criteria, "explained": explained}


def _model(model: Lineage) -> dict[str, Any]:
    facts = {key: model.entry.get(key) for key in MODEL_FACTS}
    facts["citation"] = full_citation(facts["citation"])
    return {"label": model.label, "origin": model.source_and_revision, **facts}
