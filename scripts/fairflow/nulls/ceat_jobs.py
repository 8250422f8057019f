"""The jobs of words in contexts as data: sentences, vectors of words in them, the table."""

from __future__ import annotations

from typing import Any

from fairflow.language_models.jobs import network_files
from fairflow.language_models.planned.views import in_plan
from fairflow.nulls import CONTEXTS
from fairflow.nulls.ceat_plan import contexts_of_study
from fairflow.planning.registry import Job, Jobs, Parts, job, path_of, tables_of
from fairflow.planning.study import Study

_ROOM = "fairflow.nulls"


@job("results/contexts/{study}.json")
def contexts(jobs: Jobs, study: str) -> Job:
    """Sentences with the words of a study."""
    part = contexts_of_study(jobs.plan.studies[study])
    texts = jobs.of("corpus", corpus=part.corpus)
    how = {"texts": dict(texts.how), "most": part.most, "seed": jobs.plan.seed}
    read = {"source": texts.inputs["source"], **_words(jobs, study)}
    modules = f"{_ROOM}.contexts", "fairflow.corpora.documents"
    return Job(read, how | {"queries": [*part.queries]}, modules)


@job("results/contextual_associations/{study}/{model}.parquet")
def contextual_associations(jobs: Jobs, study: str, model: str) -> Job:
    """The associations of words in these sentences, by one model."""
    planned, part = in_plan(jobs.plan).models[model], contexts_of_study(jobs.plan.studies[study])
    read: dict[str, Any] = {"contexts": path_of(jobs.plan, "contexts", study=study)}
    how: dict[str, Any] = {"model": model, "queries": [*part.queries], **jobs.running}
    how |= {"seed": jobs.plan.seed, "loading": planned.loading, "layer": planned.reading["layer"]}
    modules = f"{_ROOM}.contexts", "fairflow.language_models.inference.embed_texts"
    return Job(read | _words(jobs, study) | network_files(jobs, model), how, modules)


def _words(jobs: Jobs, study: str) -> dict[str, Any]:
    files = map(jobs.plan.file_of, contexts_of_study(jobs.plan.studies[study]).queries)
    named = dict.fromkeys(files)
    return {"words": [path_of(jobs.plan, "words", queries=name) for name in named]}


@tables_of(CONTEXTS)
def tables_of_contexts(jobs: Jobs, study: Study) -> Parts:
    """What `fairflow.nulls.ceat_tables` takes."""
    part = contexts_of_study(study)
    made = "contextual_associations"
    files = [path_of(jobs.plan, made, study=study.name, model=model) for model in part.models]
    return {made: files}, {}, (f"{_ROOM}.ceat_tables", "fairflow.files.tables")
