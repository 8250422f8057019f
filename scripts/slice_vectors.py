"""Take the vectors of a query's words out of a model."""

from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import read_query
from fairflow.vectors.derivation import open_store
from fairflow.vectors.query_vectors import write_slice
from fairflow.vectors.vocabulary import with_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_frequency import UNKNOWN, read_word_frequency


def slice_vectors(
    path_to_query: str,
    store: Mapping[str, Any],
    lookup: Mapping[str, Any],
    prefix: str | None,
    random_words: int,
    seed: int,
    paths_to_order: Sequence[str],
    path_to_slice: str,
) -> None:
    query = read_query(path_to_query)
    with open_store(**store) as vectors:
        model = WordEmbeddingModel(vectors, vocab_prefix=prefix)
        frequency = read_word_frequency(*paths_to_order) if paths_to_order else UNKNOWN
        found = model.look_up(
            query,
            Lookup(**lookup),
            random_words=random_words,
            seed=seed,
            frequency=frequency,
        )
        write_slice(with_vocabulary(found, model), path_to_slice)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        slice_vectors(
            path_to_query=snakemake.input.query,
            store={
                "vectors": snakemake.input.vectors,
                "index": snakemake.input.index,
                "card": snakemake.input.card,
                "derivations": snakemake.input.derivations,
            },
            paths_to_order=snakemake.input.order,
            path_to_slice=snakemake.output.slice,
            **snakemake.params.how,
        )
