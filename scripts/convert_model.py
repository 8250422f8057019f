"""Convert a model to word2vec format and index it."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.vectors.convert import convert


def convert_model(job: Any) -> None:
    how = dict(job.params.how["entry"])
    convert(job.input.source, how.pop("format"), **dict(job.output.items()), **how)


if __name__ == "__main__":
    run(snakemake, convert_model)
