"""What the files of models are made from: downloads, vectors, derived models, records."""

from __future__ import annotations

from typing import Any

from fairflow.planning.catalogue import file_of
from fairflow.planning.models import VECTORS, PlannedLanguageModel
from fairflow.planning.named_sets import benchmark_reading
from fairflow.planning.plan import Plan
from fairflow.planning.registry import Job, Jobs, job, path_of

MODEL_RECORDS = "results/provenance/models"
LANGUAGE_MODELS = "results/language_models"
_CHECKPOINTS = "fairflow.language_models.checkpoints"


@job("results/downloads/{download}")
def download(jobs: Jobs, download: str) -> Job:
    """A file from the first source that answers."""
    asked = jobs.plan.downloads[download]
    names = ("sources", "size", "checksum", "names", "uses")
    return Job({}, {name: getattr(asked, name) for name in names})


@job("{models}/{model}/vectors")
def convert(jobs: Jobs, model: str) -> Job:
    """The vectors of a model, its index and its card, in the folder of models."""
    planned = jobs.plan.models[model]
    read = {"source": planned.file, "words": planned.word_files, "beside": planned.files_beside}
    return Job(read, {"entry": planned.conversion}, ("fairflow.vectors.convert",))


@job("{models}/{model}/derivation.npz")
def derivation(jobs: Jobs, model: str) -> Job:
    """How a model comes from another one, in the folder of models."""
    planned = jobs.plan.models[model]
    transform = planned.transform
    how = {"base": transform.base, "transform": transform.name, "recorded": transform.recorded}
    how |= {"parameters": transform.parameters}
    if planned.kind != VECTORS:
        derivations = planned.base.derivations(jobs.models)
        read = {"embeddings": training_files(jobs.plan, planned), "derivations": derivations}
        code = "fairflow.language_models.slices.derived_texts", transform.module
        return Job(read, how, code)
    code = "fairflow.vectors.derivation", transform.module
    return Job(planned.base.store_files(jobs.models), how | {"prefix": planned.prefix}, code)


def training_files(plan: Plan, model: PlannedLanguageModel) -> list[str]:
    """The vectors of texts that the transform of a language model learns from, if it needs any."""
    texts = model.training
    named = {"model": model.origin.name, "queries": texts.name}
    return [path_of(plan, "embeddings", **named)] if texts.texts else []


@job("{models}/{model}/vectors")
def whole(jobs: Jobs, model: str) -> Job:
    """All vectors of a derived model, for other programs."""
    return Job(_store(jobs, model), {}, ("fairflow.vectors.derivation",))


@job(f"{MODEL_RECORDS}/{{model}}.json")
def record(jobs: Jobs, model: str) -> Job:
    """The checksums of a model, with its vectors' lengths, quality, and order of words."""
    plan, planned = jobs.plan, jobs.plan.models[model]
    code = ("fairflow.provenance.records", "fairflow.vectors.derivation")
    if planned.kind != VECTORS:
        of_origin: Any = path_of(plan, "manifest", model=planned.origin.name)
        derived = f"{jobs.models}/{model}/derivation.npz"
        return Job({"derivation": derived, "manifest": of_origin}, {}, code)
    benchmarks = plan.benchmarks_of(model)
    of_origin = path_of(plan, "record", model=planned.origin.name)
    read = {
        **_store(jobs, model),
        # A derived model has the words of its origin.
        "origin": of_origin if planned.transform else [],
        "benchmarks": [*dict.fromkeys(map(file_of, benchmarks.values()))],
    }
    how = {
        "prefix": planned.prefix,
        "frequency": planned.frequency,
        "benchmarks": benchmark_reading(benchmarks),
    }
    measured = ("studies.quality", "vectors.word_frequency", "vectors.directions")
    return Job(read, how, (*code, *(f"fairflow.{name}" for name in measured)))


@job("results/word_orders/{model}.json")
def order(jobs: Jobs, model: str) -> Job:
    """How frequent the words of a model are, written with its record."""
    return record(jobs, model)


@job("results/vector_norms/{model}.csv")
def norms(jobs: Jobs, model: str) -> Job:
    """The lengths of a model's vectors, written with its record."""
    return record(jobs, model)


@job("results/quality/{model}.npz")
def quality(jobs: Jobs, model: str) -> Job:
    """How good the vectors of a model are, written with its record."""
    return record(jobs, model)


@job(f"{LANGUAGE_MODELS}/{{model}}/manifest.json")
def manifest(jobs: Jobs, model: str) -> Job:
    """The files of a language model: of a hub, of a folder, or out of one file."""
    planned = jobs.plan.models[model]
    how = {"source": planned.definition}
    if model in jobs.plan.models_from("sources"):
        return Job({"file": planned.file}, how, (f"{_CHECKPOINTS}.packed_model",))
    return Job({"files": planned.local_files}, how, (f"{_CHECKPOINTS}.model_files",))


@job(f"{LANGUAGE_MODELS}/{{model}}/facts.json")
def facts(jobs: Jobs, model: str) -> Job:
    """What a reader of a score has to know of a language model."""
    planned = jobs.plan.models[model]
    how = {"loading": planned.loading, "reading": planned.reading}
    how["audited"] = jobs.plan.is_audited(model)
    return Job(network_files(jobs, model), how, ("fairflow.language_models.inference.model_facts",))


def network_files(jobs: Jobs, model: str) -> dict[str, str]:
    """The files of a network, and the list of them, which alone counts."""
    manifest_file = path_of(jobs.plan, "manifest", model=model)
    return {"folder": f"{LANGUAGE_MODELS}/{model}/model", "manifest": manifest_file}


def _store(jobs: Jobs, model: str) -> dict[str, Any]:
    return jobs.plan.models[model].store_files(jobs.models)
