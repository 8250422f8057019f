"""Gather the scores of a study, its control queries, and the words that its models hold."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.files.tables import write_tables
from fairflow.studies.score_table import gathered_scores
from fairflow.vectors.query_vectors import as_found, read_slice


def tabulate_scores(
    paths_to_scores: list[str],
    paths_to_controls: list[str],
    paths_to_slices: list[str],
    paths_to_found: list[str],
    slices: list[tuple[str, str]],
    how: dict[str, Any],
    paths_to_tables: list[str],
) -> None:
    vectors = (
        (model, query, read_slice(path))
        for path, (model, query) in zip(paths_to_slices, slices, strict=True)
    )
    tables = gathered_scores(
        paths_to_scores, paths_to_controls, vectors, as_found(how, paths_to_found)
    )
    write_tables(tables, paths_to_tables)


if __name__ == "__main__":
    run(snakemake, tabulate_scores)
