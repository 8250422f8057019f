"""Tabulate a study, from its scores to its conclusions."""

from fairflow.files.jobs import running
from fairflow.studies.tabulate import tabulate_study

with running(snakemake) as job:
    files = dict(job.input.items())
    read = {name: [path] if isinstance(path, str) else [*path] for name, path in files.items()}
    tabulate_study(read, job.params.how, job.output)
