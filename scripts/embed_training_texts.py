"""Embed the words or sentences that a transform learns from with a language model."""

from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.language_models.slices.slices import write_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query


def embed_training_texts(
    path_to_model: str,
    texts: Sequence[str],
    device: str,
    threads: int,
    path_to_embeddings: str,
    loading: Mapping[str, Any],
    **how: Any,
) -> None:
    from fairflow.language_models.networks.embed_query import embed_query
    from fairflow.language_models.networks.language_model import load_language_model

    model = load_language_model(path_to_model, device, threads, **loading)
    # As the words of a query are read, and as they are written.
    embedded = embed_query(model, Query([list(texts)], []), Lookup(), **how)
    write_embeddings(embedded, path_to_embeddings)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        embed_training_texts(
            path_to_model=snakemake.input.folder,
            threads=snakemake.threads,
            path_to_embeddings=snakemake.output.embeddings,
            **snakemake.params.how,
        )
