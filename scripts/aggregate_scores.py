"""Reduce the scores of each criterion to one number per metric and model."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.studies.aggregation import aggregate
from fairflow.vectors.equal_vectors import as_found


def aggregate_scores(path_to_scores: str, how: Mapping[str, Any], path_to_aggregates: str) -> None:
    write_table(aggregate(read_table(path_to_scores), **how), path_to_aggregates)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        aggregate_scores(
            path_to_scores=snakemake.input.scores,
            how=as_found(snakemake.params.how, snakemake.input.found),
            path_to_aggregates=snakemake.output[0],
        )
