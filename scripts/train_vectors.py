"""Make the word vectors of a subcorpus."""

from typing import Any

from fairflow.corpora.embeddings import Training, write_vectors
from fairflow.corpora.sample import Sample
from fairflow.files.jobs import run


def train_vectors(
    files: dict[str, str], part: dict[str, Any], training: dict[str, Any], path_to_vectors: str
) -> None:
    write_vectors(*Training(**training).vectors(Sample.open(files, **part)), path_to_vectors)


if __name__ == "__main__":
    run(snakemake, train_vectors, files=dict(snakemake.input.items()))
