"""Take the vectors of the words of queries out of a model."""

from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.files.jobs import log_to, several
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import read_query
from fairflow.vectors.derivation import open_store
from fairflow.vectors.query_vectors import check_found, write_slice
from fairflow.vectors.remembered_store import RememberedStore
from fairflow.vectors.vocabulary import with_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_frequency import UNKNOWN, read_word_frequency


def slice_vectors(
    store: Mapping[str, Any],
    paths_to_queries: Sequence[str],
    how: Sequence[Mapping[str, Any]],
    paths_to_order: Sequence[str],
    most_are_found: bool,
    paths_to_slices: Sequence[str],
) -> None:
    frequency = read_word_frequency(*paths_to_order) if paths_to_order else UNKNOWN
    looked_up = []
    with open_store(**store) as vectors:
        kept = RememberedStore(vectors)
        for path, asked in zip(paths_to_queries, how, strict=True):
            model = WordEmbeddingModel(kept, vocab_prefix=asked["prefix"])
            found = model.look_up(
                read_query(path),
                Lookup(**asked["lookup"]),
                random_words=asked["random_words"],
                seed=asked["seed"],
                frequency=frequency,
            )
            looked_up.append(with_vocabulary(found, model))
    if most_are_found:
        check_found(looked_up)
    for found, path in zip(looked_up, paths_to_slices, strict=True):
        write_slice(found, path)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        slice_vectors(
            store={
                "vectors": snakemake.input.vectors,
                "index": snakemake.input.index,
                "card": snakemake.input.card,
                "derivations": snakemake.input.derivations,
            },
            paths_to_queries=several(snakemake.input.query),
            how=snakemake.params.how,
            paths_to_order=snakemake.input.order,
            most_are_found=snakemake.params.get("most_are_found", False),
            paths_to_slices=list(snakemake.output),
        )
