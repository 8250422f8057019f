"""Measure the lengths of a model's vectors."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.vectors.derivation import open_store
from fairflow.vectors.directions import vector_norms, write_vector_norms


def measure_vector_norms(model: str, store: dict[str, Any], path_to_norms: str) -> None:
    with open_store(**store) as vectors:
        write_vector_norms(vector_norms(vectors), model, path_to_norms)


if __name__ == "__main__":
    run(snakemake, measure_vector_norms, store=dict(snakemake.input.items()))
