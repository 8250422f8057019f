"""Reduce the scores of each criterion to one number per metric and model."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_table
from fairflow.studies.aggregation import aggregate
from fairflow.vectors.query_vectors import as_found


def aggregate_scores(
    path_to_scores: str,
    paths_to_found: list[str],
    how: dict[str, Any],
    path_to_table: str,
) -> None:
    aggregates = aggregate(read_table(path_to_scores), **as_found(how, paths_to_found))
    write_table(aggregates, path_to_table)


if __name__ == "__main__":
    run(snakemake, aggregate_scores)
