"""Take the vectors of a query's words or sentences out of a table of embeddings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.language_models.slices.derived_texts import derived_texts
from fairflow.language_models.slices.slices import read_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import read_query, read_units
from fairflow.vectors.derivation import read_derivation
from fairflow.vectors.query_vectors import write_slice
from fairflow.vectors.word_embedding_model import WordEmbeddingModel


def slice_embeddings(
    path_to_query: str,
    path_to_embeddings: str,
    paths_to_derivations: Sequence[str],
    lookup: Mapping[str, Any],
    path_to_slice: str,
) -> None:
    derivations = [read_derivation(path) for path in paths_to_derivations]
    embedded = derived_texts(read_embeddings(path_to_embeddings), derivations)
    found = WordEmbeddingModel(embedded).look_up(read_query(path_to_query), Lookup(**lookup))
    units = read_units(path_to_query)
    write_slice(replace(found, random=embedded.random, units=units), path_to_slice)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        slice_embeddings(
            path_to_query=snakemake.input.query,
            path_to_embeddings=snakemake.input.embeddings[0],
            paths_to_derivations=snakemake.input.derivations,
            path_to_slice=snakemake.output.slice,
            **snakemake.params.how,
        )
