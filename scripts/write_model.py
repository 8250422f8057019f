"""Write a derived model as a whole, for other programs."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.vectors.derivation import open_store
from fairflow.vectors.store import write_word2vec


def write_model(store: dict[str, Any], path_to_vectors: str) -> None:
    with open_store(**store) as vectors:
        write_word2vec(vectors, path_to_vectors)


if __name__ == "__main__":
    store = dict(snakemake.input.items())
    run(snakemake, write_model, store=store, path_to_vectors=snakemake.output.vectors)
