"""The jobs of language models as data: files, answers to queries, scores of items, tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fairflow.language_models import ITEMS, LANGUAGE
from fairflow.language_models.planned.models import PACKED
from fairflow.language_models.planned.views import in_plan, in_study
from fairflow.planning.jobs import is_tested, lookups_of, random_of, score_settings, seed_of
from fairflow.planning.model_jobs import MODEL_RECORDS, derivation_settings
from fairflow.planning.queries import LOOKUP
from fairflow.planning.registry import Job, Jobs, Parts, job, path_of, tables_of
from fairflow.planning.study import Study
from fairflow.scores.variant import Slice

_ROOM = "fairflow.language_models"
FOLDER = "results/language_models"
_EMBED, _SLICES = f"{_ROOM}.inference.embed_query", f"{_ROOM}.slices.slices"
_TABLES, _ITEM_TABLES = "fairflow.files.tables", f"{_ROOM}.item_tables"
_DERIVED, _ITEM_SET = f"{_ROOM}.slices.derived_texts", f"{_ROOM}.items.item_set"


@job(f"{FOLDER}/{{model}}/manifest.json")
def manifest(jobs: Jobs, model: str) -> Job:
    """The files of a language model: of a hub, of a folder, or out of one file."""
    planned = jobs.plan.models[model]
    how = {"source": planned.definition}
    if planned.source == PACKED:
        return Job({"file": planned.file}, how, (f"{_ROOM}.checkpoints.packed_model",))
    return Job({"files": planned.local_files}, how, (f"{_ROOM}.checkpoints.model_files",))


@job(f"{FOLDER}/{{model}}/facts.json")
def facts(jobs: Jobs, model: str) -> Job:
    """What a reader of a score has to know of a language model."""
    planned = jobs.plan.models[model]
    how = {"loading": planned.loading, "reading": planned.reading}
    how["audited"] = jobs.plan.is_audited(model)
    return Job(network_files(jobs, model), how, (f"{_ROOM}.inference.model_facts",))


def network_files(jobs: Jobs, model: str) -> dict[str, str]:
    """The files of a network, and the list of them, which alone counts."""
    manifest_file = path_of(jobs.plan, "manifest", model=model)
    return {"folder": f"{FOLDER}/{model}/model", "manifest": manifest_file}


@job("{models}/{model}/derivation.npz")
def encoder(jobs: Jobs, model: str) -> Job:
    """How a language model comes from another one, in the folder of models."""
    planned = jobs.plan.models[model]
    derivations = planned.base.derivations(jobs.models)
    read = {"embeddings": in_plan(jobs.plan).training_files(model), "derivations": derivations}
    return Job(read, derivation_settings(planned), (_DERIVED, planned.transform.module))


@job(f"{MODEL_RECORDS}/{{model}}.json")
def encoder_record(jobs: Jobs, model: str) -> Job:
    """The checksums of a language model that is derived from another."""
    of_origin = path_of(jobs.plan, "manifest", model=jobs.plan.models[model].origin.name)
    read = {"derivation": f"{jobs.models}/{model}/derivation.npz", "manifest": of_origin}
    return Job(read, {}, ("fairflow.provenance.model_record", "fairflow.vectors.derivation"))


@job("results/items/{query}.json")
def items(jobs: Jobs, query: str) -> Job:
    """The items of a query, or a sample of them: the smallest that a study of the run asks.

    A larger sample holds the smaller, and each study says how many of all items it used.
    """
    plan, planned = jobs.plan, jobs.plan.queries[query]
    asked = (study for study in plan.studies.values() if query in study.queries)
    number = min((n for study in asked if (n := in_study(study).items)), default=None)
    if number and number >= planned.items.number_of_all:
        number = None
    return Job(
        {"files": planned.files, "published": planned.published_files},
        {
            "entry": planned.definition,
            "number": number,
            "seed": plan.seed if number else 0,
        },
        (f"{_ROOM}.items.query_entry", _ITEM_SET),
    )


@job("{answers}/embeddings/{model}/{queries}.parquet")
def embeddings(jobs: Jobs, model: str, queries: str) -> Job:
    """The vectors that a network gives the words or sentences of queries, or other texts.

    These are what a transform learns from, under the name of `TrainingTexts`.
    """
    if queries in in_plan(jobs.plan).training_texts:
        return _training(jobs, model, queries)
    plan, planned = jobs.plan, jobs.plan.models[model]
    # What models that are derived from it are asked, too.
    own = [n for n, one in in_plan(plan).models.items() if one.origin.name == model]
    asked = sorted({q for name in own for q in plan.asked.get(("slices", name, queries), ())})
    return Job(
        {"words": path_of(plan, "words", queries=queries), **network_files(jobs, model)},
        {
            "model": model,
            **lookups_of(jobs, asked),
            "loading": planned.loading,
            "reading": planned.reading,
            **jobs.running,
            "language": planned.frequency_list,
            **random_of(jobs, model, asked),
            "audited": plan.is_audited(model),
        },
        (_EMBED,),
    )


def _training(jobs: Jobs, model: str, texts: str) -> Job:
    """The vectors that a network gives the texts that a transform learns from."""
    planned, asked = jobs.plan.models[model], in_plan(jobs.plan).training_texts[texts]
    # Sentences are read as they are.
    bare = {"context_templates": []} if asked.sentences else {}
    how = {
        "model": model,
        # As the words of a query are read, and as they are written.
        "words": {"training": {"targets": {"texts": [*asked.texts]}, "attributes": {}}},
        **{"queries": {"training": LOOKUP}, "lookups": {LOOKUP: {}}},
        **{"loading": planned.loading, "reading": {**planned.reading, **bare}, **jobs.running},
        **{"language": None, "random": [], "random_words": 0, "seed": 0, "audited": False},
    }
    return Job(network_files(jobs, model), how, (_EMBED,))


@job("{answers}/slices/{model}/{queries}.parquet")
def text_slices(jobs: Jobs, model: str, queries: str) -> Job:
    """The vectors of a language model for the words or sentences of queries."""
    plan, planned = jobs.plan, jobs.plan.models[model]
    read = {
        "words": path_of(plan, "words", queries=queries),
        "embeddings": path_of(plan, "embeddings", model=planned.origin.name, queries=queries),
        "derivations": planned.derivations(jobs.models),
    }
    asked = plan.asked.get(("slices", model, queries), [])
    how = {"model": model, **lookups_of(jobs, asked)}
    return Job(read, how, (_DERIVED, "fairflow.vectors.word_embedding_model"))


@job("results/tokens/{model}/{queries}.parquet")
def tokens(jobs: Jobs, model: str, queries: str) -> Job:
    """The scores that a network gives the tokens of queries' texts."""
    plan, planned = jobs.plan, jobs.plan.models[model]
    asked = plan.asked.get(("tokens", model, queries), [])

    def needs(query: str) -> list[str]:
        names = {c.metric for c in plan.cells if c.slice == Slice(model, query)}
        return sorted({n for name in names for n in plan.metrics[name].made.needs(planned.kind)})

    return Job(
        {"item_sets": in_plan(plan).files("items", asked), **network_files(jobs, model)},
        {
            "needs": {query: needs(query) for query in asked},
            "loading": planned.loading,
            **jobs.running,
        },
        (f"{_ROOM}.inference.score_tokens", _ITEM_SET, _SLICES),
    )


@job("results/completions/{model}/{queries}.parquet")
def completions(jobs: Jobs, model: str, queries: str) -> Job:
    """The answers in text to queries, by a network or given in files."""
    plan, planned = jobs.plan, jobs.plan.models[model]
    asked = plan.asked.get(("completions", model, queries), [])
    read: dict[str, Any] = {"item_sets": in_plan(plan).files("items", asked)}
    if not planned.is_network:
        given = {query: planned.given(query) for query in asked}
        files = dict.fromkeys(file for own in given.values() for file in own["files"])
        code = f"{_ROOM}.scoring.given_answers", _SLICES
        return Job({**read, "files": [*files]}, {"given": given}, code)
    return Job(
        {**read, **network_files(jobs, model)},
        {
            "kind": planned.kind,
            "decodings": {q: plan.queries[q].decoding(planned.kind, plan.seed) for q in asked},
            "loading": planned.loading,
            **jobs.running,
        },
        (f"{_ROOM}.inference.complete_prompts", _ITEM_SET, _SLICES),
    )


@job("{answers}/scores/{model}/{metric}/{queries}.parquet")
def scored_items(jobs: Jobs, model: str, metric: str, queries: str) -> Job:
    """The scores of a metric on the items of queries of a file and one language model."""
    plan, variant = jobs.plan, jobs.plan.metrics[metric]
    how, answers = score_settings(jobs, model, metric, queries)
    code = f"{_ROOM}.cells.item_cell", _SLICES, variant.module
    read = {"item_sets": in_plan(plan).files("items", how["queries"]), "answers": answers}
    return Job(read, {**how, "model_kind": plan.models[model].kind}, code)


@job("results/item_scores/{model}/{metric}/{queries}.parquet")
def item_scores(jobs: Jobs, **wildcards: str) -> Job:
    """The value of each item of these scores, which the same job writes."""
    return scored_items(jobs, **wildcards)


@tables_of(ITEMS)
def tables_of_items(jobs: Jobs, study: Study) -> Parts:
    """The scores of items by category, and the influential items."""
    plan, own, statistics = jobs.plan, in_study(study), asdict(jobs.plan.statistics)
    of = in_plan(plan)
    inputs = {
        "item_sets": of.files("items", own.queries),
        "answers": of.answers(study),
        "item_scores": of.item_scores(own.cells),
    }
    how = {
        "queries": own.queries,
        "slices": [[*one] for one in own.slices()],
        "cells": [
            [[*cell], seed_of(jobs, cell), statistics if is_tested(jobs, cell) else None]
            for cell in own.cells
        ],
        "variants": {name: plan.metrics[name].definition for name in own.metrics},
        "kinds": {name: plan.models[name].kind for name in own.models},
        "ability": {name: one["measure"] for name, one in study.ability.items()},
        "counted": {name: [*plan.metrics[name].metric_class.counted] for name in own.metrics},
    }
    code = f"{_ROOM}.cells.item_cell", _ITEM_TABLES, _ITEM_SET, _SLICES, _TABLES
    return inputs, how, (*code, *(plan.metrics[name].module for name in own.metrics))


@tables_of(LANGUAGE)
def tables_of_models(jobs: Jobs, study: Study) -> Parts:
    """The facts and the answers of each language model."""
    models, own, of = jobs.plan.models, in_study(study), in_plan(jobs.plan)
    inputs = {
        "facts": of.files("facts", own.networks),
        "answers": of.answers(study),
        "embeddings": of.embeddings(own.embedded),
        "item_scores": of.item_scores(own.cells),
    }
    how = {
        "planned": {name: models[name].stated for name in own.models},
        "networks": own.networks,
        "origins": {name: models[name].origin.name for name in own.models},
        "asked": [[*one] for one in own.slices("tokens")],
        "cells": [[*one] for one in own.cells],
        "embedded": [[*one] for one in own.embedded],
    }
    return inputs, how, (_ITEM_TABLES, _TABLES)
