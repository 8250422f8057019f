"""Take the vectors of the words of queries out of a model."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import read_query
from fairflow.vectors.derivation import open_store
from fairflow.vectors.query_vectors import check_found, write_slice
from fairflow.vectors.vocabulary import with_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_frequency import UNKNOWN, read_word_frequency


def slice_vectors(
    store: dict[str, Any],
    paths_to_query: list[str],
    paths_to_order: list[str],
    jobs: list[dict[str, Any]],
    paths_to_slice: list[str],
    most_are_found: bool = False,
) -> None:
    frequency = read_word_frequency(*paths_to_order) if paths_to_order else UNKNOWN
    looked_up = []
    with open_store(**store) as vectors:
        for path, how in zip(paths_to_query, jobs, strict=True):
            model = WordEmbeddingModel(vectors, vocab_prefix=how["prefix"])
            found = model.look_up(
                read_query(path),
                Lookup(**how["lookup"]),
                random_words=how["random_words"],
                seed=how["seed"],
                frequency=frequency,
            )
            looked_up.append(with_vocabulary(found, model))
    if most_are_found:
        check_found(looked_up)
    for found, path in zip(looked_up, paths_to_slice, strict=True):
        write_slice(found, path)


if __name__ == "__main__":
    names = ("vectors", "index", "card", "derivations")
    run(snakemake, slice_vectors, store={name: snakemake.input.get(name) for name in names})
