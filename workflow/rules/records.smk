"""What rules ask of the plan: functions of wildcards that index its records and entries."""

from operator import attrgetter
from types import SimpleNamespace


def attribute_of(things, wildcard):
    """What rules ask of the thing that a wildcard names: an attribute, or one of its parts."""
    return lambda what: lambda w: attrgetter(what)(things[getattr(w, wildcard)])


def job_of(record):
    """The functions of wildcards that a rule needs whose jobs have records."""
    return SimpleNamespace(
        inputs=lambda w: record(w).inputs,
        how=lambda w: record(w).how,
        # Of a script that makes several files in an audit.
        jobs=lambda w: [record(w).how],
        code=lambda w: fingerprint(*record(w).modules),
    )


words_job = job_of(lambda w: JOBS.words[w.query])
items_job = job_of(lambda w: JOBS.items[w.query])
slice_job = job_of(lambda w: JOBS.slices[w.model, w.query])
embeddings_job = job_of(lambda w: JOBS.embeddings[w.model, w.query])
training_job = job_of(lambda w: JOBS.training[w.model, w.texts])
tokens_job = job_of(lambda w: JOBS.tokens[w.model, w.query])
completions_job = job_of(lambda w: JOBS.completions[w.model, w.query])
cell_job = job_of(lambda w: JOBS.cells[w.model, w.metric, w.query])
item_tables_job = job_of(lambda w: JOBS.tables["items", w.study])
model_tables_job = job_of(lambda w: JOBS.tables["language_models", w.study])

of_download = attribute_of(PLAN.downloads, "download")
of_model = attribute_of(PLAN.models, "model")
of_metric = attribute_of(PLAN.metrics, "metric")
of_study = attribute_of(PLAN.studies, "study")

FORMATS = ["svg"] if AUDITS else ["pdf", "svg", "png"]


def drawn_as(format):
    """The file of a figure in a format, if this run draws it."""
    return [f"results/figures/{{study}}/{{figure}}.{format}"] if format in FORMATS else []
