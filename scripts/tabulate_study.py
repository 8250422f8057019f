"""Tabulate a study, from its scores to its conclusions."""

from fairflow.files.jobs import log_to
from fairflow.studies.tabulate import tabulate_study

if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        files = dict(snakemake.input.items())
        read = {n: [path] if isinstance(path, str) else [*path] for n, path in files.items()}
        tabulate_study(read, snakemake.params.how, [*snakemake.output])
