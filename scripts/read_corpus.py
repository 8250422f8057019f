"""Read the texts of a corpus."""

from typing import Any

from fairflow.corpora.corpus import read_corpus
from fairflow.files.jobs import run


def read(job: Any) -> None:
    read_corpus(job.input.source, job.params.how["definition"], dict(job.output.items()))


if __name__ == "__main__":
    run(snakemake, read)
