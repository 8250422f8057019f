"""The jobs of corpora as data: texts read, vectors trained, words counted, draws scored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairflow.corpora import KIND
from fairflow.corpora.documents import listing
from fairflow.corpora.embeddings import CONTEXTS
from fairflow.corpora.plan import corpora_of, corpus_of, counts_files, draws_files
from fairflow.corpora.planned_corpus import COUNTED, PlannedCorpus
from fairflow.planning.catalogue import download_name
from fairflow.planning.registry import Job, Jobs, Parts, job, path_of, tables_of
from fairflow.planning.study import Study

_ROOM = "fairflow.corpora"
# The modules whose functions the scripts of counting and scoring call.
_SCORES, _VECTORS, _SAMPLE = (
    "fairflow.corpora.drawn_scores",
    f"{_ROOM}.embeddings",
    f"{_ROOM}.sample",
)


@job()
def corpus(jobs: Jobs, corpus: str) -> Job:
    """The documents of a corpus."""
    planned = corpora_of(jobs.plan)[corpus]
    # Snakemake compares the time of a folder, which says nothing of the files in it, and takes
    # a file that changes while it is read for the one that was read. A download is known by
    # its checksum, and is not there before the first run.
    files = [] if download_name(planned.entry) else listing(Path(planned.source))
    how = {"definition": planned.definition, "listing": files}
    return Job({"source": planned.source}, how, (f"{_ROOM}.corpus",))


@job("results/trained/{model}.bin")
def trained(jobs: Jobs, model: str) -> Job:
    """The vectors of a subcorpus."""
    planned = corpora_of(jobs.plan)[jobs.plan.table(model).trained["corpus"]]
    return Job(planned.files, _how(jobs, planned, model), (_VECTORS, _SAMPLE))


@job("results/cooccurrences/{study}/{subcorpus}.npz")
def counts(jobs: Jobs, study: str, subcorpus: str) -> Job:
    """How often the words of a study occur together in a subcorpus."""
    planned = jobs.plan.studies[study]
    corpus = corpus_of(planned).corpus
    inputs, lookups = _read(jobs, planned)
    batches = corpus.batches(COUNTED).values()
    counting = {
        "name": f"{corpus.name}-{subcorpus}",
        **corpus.settings,
        "contexts": corpus.embeddings.get(COUNTED, {}).get("contexts", CONTEXTS),
        "shuffled": sum(kind == "shuffled" for drawn in batches for kind, _ in drawn),
        "seed": jobs.plan.seed,
    }
    how = {"part": _part(corpus, subcorpus, True), "counting": counting, **lookups}
    return Job(inputs, how, (_SCORES, _SAMPLE))


@job("results/draws/{study}/{model}/{batch}.parquet")
def draws(jobs: Jobs, study: str, model: str, batch: str) -> Job:
    """The scores of draws of a model."""
    planned = jobs.plan.studies[study]
    told = jobs.plan.table(model).trained
    inputs, lookups = _read(jobs, planned)
    counted = path_of(jobs.plan, "counts", study=study, subcorpus=told["subcorpus"])
    variants = planned.variants
    how = {
        **_how(jobs, corpus_of(planned).corpus, model, True),
        "draws": corpus_of(planned).draws[model, batch],
        "computed": {name: jobs.plan.base_variants[name] for name in variants},
        "variants": {name: variant.definition for name, variant in variants.items()},
        **lookups,
    }
    modules = (_SCORES, _VECTORS, _SAMPLE, *(one.module for one in variants.values()))
    read = [counted] if told["embedding"] == COUNTED else []
    return Job({**inputs, "counts": read}, how, modules)


def _how(jobs: Jobs, corpus: PlannedCorpus, model: str, drawn: bool = False) -> dict[str, Any]:
    """The subcorpus of a model, and the fields of its `Training`."""
    told = jobs.plan.table(model).trained
    training = {
        "name": model,
        "embedding": told["embedding"],
        "parameters": corpus.embeddings[told["embedding"]],
        **corpus.settings,
        "seed": jobs.plan.seed,
    }
    return {"part": _part(corpus, told["subcorpus"], drawn), "training": training}


def _read(jobs: Jobs, study: Study) -> tuple[dict[str, Any], dict[str, Any]]:
    """The corpus of a study, the words of its queries, and how these are looked up."""
    named = {query: jobs.plan.of_vectors(query).lookup for query in study.queries}
    files = dict.fromkeys(map(jobs.plan.file_of, study.queries))
    words = [path_of(jobs.plan, "words", queries=name) for name in files]
    lookups = {query: jobs.plan.lookups[name] for query, name in named.items()}
    return {**corpus_of(study).corpus.files, "words": words}, {"lookups": lookups}


def _part(corpus: PlannedCorpus, subcorpus: str, drawn: bool) -> dict[str, Any]:
    """What `Sample.open` takes; how documents are drawn decides no vectors of all of them."""
    part = {"divisions": corpus.entry.get("divisions", {}), "subcorpus": subcorpus}
    return part | ({"cluster": corpus.cluster} if drawn else {})


@tables_of(KIND)
def tables_of_corpus(jobs: Jobs, study: Study) -> Parts:
    """What `fairflow.corpora.tables` takes in addition to scores."""
    own = corpus_of(study)
    parts = {part.name: part for part in own.corpus.subcorpora}
    inputs = {"counts": counts_files(jobs.plan, study), "draws": draws_files(jobs.plan, study)}
    how = {
        "subcorpora": [parts[name]._asdict() for name in own.subcorpora],
        "draws": [[*job] for job in own.draws],
        "models": {name: dict(told) for name, told in own.trained.items()},
        "level": jobs.plan.statistics.level,
        "seed": jobs.plan.seed,
    }
    return inputs, how, (f"{_ROOM}.tables", "fairflow.files.tables")
