"""Tabulate a study, from its scores to its conclusions."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.studies.tabulate import tabulate_study


def tabulate(job: Any) -> None:
    files = dict(job.input.items())
    read = {name: [path] if isinstance(path, str) else [*path] for name, path in files.items()}
    tabulate_study(read, job.params.how, job.output)


if __name__ == "__main__":
    run(snakemake, tabulate)
