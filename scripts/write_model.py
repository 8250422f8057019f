"""Write a derived model as a whole, for other programs."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.vectors.derivation import open_store
from fairflow.vectors.store import write_word2vec


def write_model(job: Any) -> None:
    with open_store(**dict(job.input.items())) as vectors:
        write_word2vec(vectors, job.output.vectors)


if __name__ == "__main__":
    run(snakemake, write_model)
