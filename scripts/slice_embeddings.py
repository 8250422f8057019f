"""Take the vectors of the words or sentences of queries out of tables of embeddings."""

from dataclasses import replace
from typing import Any

from fairflow.files.jobs import run
from fairflow.language_models.slices.derived_texts import derived_texts
from fairflow.language_models.slices.slices import read_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import read_query, read_units
from fairflow.vectors.derivation import read_derivation
from fairflow.vectors.query_vectors import write_slice
from fairflow.vectors.word_embedding_model import WordEmbeddingModel


def slice_embeddings(
    paths_to_query: list[str],
    paths_to_embeddings: list[str],
    paths_to_derivations: list[str],
    jobs: list[dict[str, Any]],
    paths_to_slice: list[str],
) -> None:
    derivations = [read_derivation(path) for path in paths_to_derivations]
    files = zip(paths_to_query, paths_to_embeddings, jobs, paths_to_slice, strict=True)
    for path_to_query, path_to_embeddings, how, path_to_slice in files:
        embedded = derived_texts(read_embeddings(path_to_embeddings), derivations)
        lookup = Lookup(**how["lookup"])
        found = WordEmbeddingModel(embedded).look_up(read_query(path_to_query), lookup)
        units = read_units(path_to_query)
        write_slice(replace(found, random=embedded.random, units=units), path_to_slice)


if __name__ == "__main__":
    run(snakemake, slice_embeddings)
