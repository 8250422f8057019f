"""Take the vectors of all queries of an audit out of a model."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.atomic import atomic_folder
from fairflow.files.jobs import log_to
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import query_of, words_of_sets
from fairflow.vectors.derivation import open_store
from fairflow.vectors.query_vectors import check_found, write_slice
from fairflow.vectors.remembered_store import RememberedStore
from fairflow.vectors.vocabulary import with_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_frequency import UNKNOWN, read_word_frequency


def slice_audited_model(
    store: Mapping[str, Any],
    queries: Mapping[str, Mapping[str, Any]],
    prefix: str | None,
    paths_to_order: Sequence[str],
    folder_of_slices: str,
) -> None:
    frequency = read_word_frequency(*paths_to_order) if paths_to_order else UNKNOWN
    with open_store(**store) as vectors, atomic_folder(Path(folder_of_slices)) as made:
        model = WordEmbeddingModel(RememberedStore(vectors), vocab_prefix=prefix)
        looked_up = []
        for name, asked in queries.items():
            found = model.look_up(
                query_of(words_of_sets(asked["definition"])),
                Lookup(**asked["lookup"]),
                random_words=asked["random_words"],
                seed=asked["seed"],
                frequency=frequency,
            )
            looked_up.append(found)
            write_slice(with_vocabulary(found, model), made / f"{name}.npz")
        check_found(looked_up)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        slice_audited_model(
            store={name: snakemake.input.get(name) for name in ("vectors", "index", "card")}
            | {"derivations": snakemake.input.derivations},
            queries=snakemake.params.queries,
            prefix=snakemake.params.prefix,
            paths_to_order=snakemake.input.order,
            folder_of_slices=snakemake.output.slices,
        )
