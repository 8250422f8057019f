"""Make the word vectors of a subcorpus."""

from typing import Any

from fairflow.corpora.embeddings import Training, write_vectors
from fairflow.corpora.sample import Sample
from fairflow.files.jobs import run


def train_vectors(job: Any) -> None:
    sample = Sample.open(dict(job.input.items()), **job.params.how["part"])
    write_vectors(*Training(**job.params.how["training"]).vectors(sample), job.output.vectors)


if __name__ == "__main__":
    run(snakemake, train_vectors)
