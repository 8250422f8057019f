"""What the files of models are made from: downloads, vectors, derived models, records."""

from __future__ import annotations

from typing import Any

from fairflow.planning.catalogue import file_of
from fairflow.planning.models import Lineage
from fairflow.planning.named_sets import benchmark_reading
from fairflow.planning.registry import Job, Jobs, job, path_of

MODEL_RECORDS = "results/provenance/models"


@job("results/downloads/{download}")
def download(jobs: Jobs, download: str) -> Job:
    """A file from the first source that answers."""
    asked = jobs.plan.downloads[download]
    names = ("sources", "size", "checksum", "names", "uses")
    return Job({}, {name: getattr(asked, name) for name in names})


@job("{models}/{model}/vectors")
def convert(jobs: Jobs, model: str) -> Job:
    """The vectors of a model, its index and its card, in the folder of models."""
    planned = jobs.plan.table(model)
    read = {"source": planned.file, "words": planned.word_files, "beside": planned.files_beside}
    return Job(read, {"entry": planned.conversion}, ("fairflow.vectors.convert",))


@job("{models}/{model}/derivation.npz")
def derivation(jobs: Jobs, model: str) -> Job:
    """How a model comes from another one, in the folder of models."""
    planned = jobs.plan.table(model)
    assert planned.transform
    how = derivation_settings(planned) | {"prefix": planned.prefix}
    code = "fairflow.vectors.derivation", planned.transform.module
    return Job(_store(jobs, planned.lineage[-2]), how, code)


def derivation_settings(model: Lineage) -> dict[str, Any]:
    """What decides how the vectors of a derived model come from those of its base."""
    by = model.transform
    assert by
    facts = {"from": by.base, "transform": by.name, "parameters": by.recorded}
    return {"transform": by.name, "parameters": by.parameters, "facts": facts}


@job("{models}/{model}/vectors")
def whole(jobs: Jobs, model: str) -> Job:
    """All vectors of a derived model, for other programs."""
    return Job(_store(jobs, model), {}, ("fairflow.vectors.derivation",))


@job(f"{MODEL_RECORDS}/{{model}}.json")
def record(jobs: Jobs, model: str) -> Job:
    """The checksums of a model, with its vectors' lengths, quality, and order of words."""
    plan, planned = jobs.plan, jobs.plan.table(model)
    code = ("fairflow.provenance.model_record", "fairflow.vectors.derivation")
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


def _store(jobs: Jobs, model: str) -> dict[str, Any]:
    return jobs.plan.table(model).store_files(jobs.models)
