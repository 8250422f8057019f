"""Take the vectors of a query's words or sentences out of a table of embeddings."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.language_models.slices import read_embeddings
from fairflow.logs import log_to
from fairflow.lookup import Lookup
from fairflow.query import Query
from fairflow.vectors.query_vectors import write_slice
from fairflow.word_embedding_model import WordEmbeddingModel


def slice_embeddings(
    path_to_query: str, path_to_embeddings: str, lookup: Mapping[str, Any], path_to_slice: str
) -> None:
    words = json.loads(Path(path_to_query).read_text(encoding="utf-8"))
    query = Query(
        list(words["targets"].values()),
        list(words["attributes"].values()),
        list(words["targets"]),
        list(words["attributes"]),
    )
    model = WordEmbeddingModel(read_embeddings(path_to_embeddings))
    write_slice(model.look_up(query, Lookup(**lookup)), path_to_slice)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        slice_embeddings(
            path_to_query=snakemake.input.query,
            path_to_embeddings=snakemake.input.embeddings,
            lookup=snakemake.params.lookup,
            path_to_slice=str(snakemake.output),
        )
