"""Functions of wildcards that give rules the records and entries of the plan."""

from operator import attrgetter
from types import SimpleNamespace


def attribute_of(things, wildcard):
    """For rules: an attribute of the thing that a wildcard names, or of one of its parts."""
    return lambda what: lambda w: attrgetter(what)(things[getattr(w, wildcard)])


def jobs_of(records, *differing):
    """Inputs and parameters of a rule whose job makes several records, which differ in these inputs."""

    def inputs(wildcards):
        made = records(wildcards)
        files = {n: dict.fromkeys(f for job in made for f in job.files(n)) for n in differing}
        return made[0].inputs | {name: [*paths] for name, paths in files.items()}

    def code(wildcards):
        return fingerprint(*dict.fromkeys(m for job in records(wildcards) for m in job.modules))

    how = lambda w: records(w)[0].how
    jobs = lambda w: [job.how for job in records(w)]
    return SimpleNamespace(
        # Only the files in the manifest of a language model's folder count, not its date.
        inputs=lambda w: {n: ancient(f) if n == "folder" else f for n, f in inputs(w).items()},
        code=code,
        params={"how": how, "code": code},
        listed={"jobs": jobs, "code": code},
    )


def job_of(record):
    """The same for one record: `params` of its script, or `listed` for a script of several."""
    return jobs_of(lambda w: [record(w)])


words_job = job_of(lambda w: JOBS.words[w.query])
items_job = job_of(lambda w: JOBS.items[w.query])
slice_job = job_of(lambda w: JOBS.slices[w.model, w.query])
embeddings_job = job_of(lambda w: JOBS.embeddings[w.model, w.query])
training_job = job_of(lambda w: JOBS.training[w.model, w.texts])
tokens_job = job_of(lambda w: JOBS.tokens[w.model, w.query])
completions_job = job_of(lambda w: JOBS.completions[w.model, w.query])
cell_job = job_of(lambda w: JOBS.cells[w.model, w.metric, w.query])
corpus_job = job_of(lambda w: CORPUS_JOBS.corpora[w.corpus])
trained_job = job_of(lambda w: CORPUS_JOBS.trained[w.model])
counts_job = job_of(lambda w: CORPUS_JOBS.counts[w.study, w.subcorpus])
draws_job = job_of(lambda w: CORPUS_JOBS.draws[w.study, w.model, w.batch])
# By rule, and also by model for a rule that compares a model with another.
study_job = {
    name: job_of(lambda w, name=name: STUDY_JOBS[name, w.study, *filter(None, [w.get("model")])])
    for name in study_jobs.RULES
}

of_download = attribute_of(PLAN.downloads, "download")
of_model = attribute_of(PLAN.models, "model")
of_metric = attribute_of(PLAN.metrics, "metric")
of_study = attribute_of(PLAN.studies, "study")

FORMATS = ["svg"] if AUDITS else ["pdf", "svg", "png"]


def drawn_as(format):
    """The file of a figure in a format, if this run draws it."""
    return [f"results/figures/{{study}}/{{figure}}.{format}"] if format in FORMATS else []
