"""Take the vectors of the words of queries out of a model."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.vectors.slice_files import keep_store_slices


def look_up_words(
    path_to_slices: str,
    store: dict[str, Any],
    path_to_record: str,
    paths_to_order: list[str],
    path_to_words: str,
    how: dict[str, Any],
    code: str,
) -> None:
    keep_store_slices(
        path_to_slices, store, path_to_record, paths_to_order, path_to_words, how, code
    )


if __name__ == "__main__":
    names = ("vectors", "index", "card", "derivations")
    run(snakemake, look_up_words, store={name: snakemake.input.get(name) for name in names})
