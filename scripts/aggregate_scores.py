"""Reduce the scores of each criterion to one number per metric and model."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_table
from fairflow.studies.aggregation import aggregate


def aggregate_scores(
    path_to_scores: str,
    comparison: Mapping[str, Any],
    vectors: Mapping[str, str],
    derived: Mapping[str, str],
    path_to_table: str,
) -> None:
    scores = read_table(path_to_scores)
    aggregates = aggregate(scores, **comparison, vectors=vectors, derived=derived)
    write_table(aggregates, path_to_table)


if __name__ == "__main__":
    run(snakemake, aggregate_scores)
