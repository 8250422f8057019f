"""Tell how sure the ranking of a study's models is."""

import logging
from collections.abc import Mapping

from fairflow.files.logs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.studies.model_comparison import compare_models


def compare(
    path_to_scores: str,
    aggregation: str,
    directions: Mapping[str, Mapping[str, bool]],
    minimum_coverage: float,
    vectors: Mapping[str, str],
    scaling: Mapping[str, bool],
    paths_to_tables: Mapping[str, str],
) -> None:
    scores = read_table(path_to_scores)
    how = aggregation, directions, minimum_coverage, vectors, scaling
    comparison = compare_models(scores, *how)
    if comparison.rank_probabilities.empty:
        for note in comparison.rank_uncertainty["note"].unique():
            logging.info("No rank probabilities: %s", note)
    for name, path in paths_to_tables.items():
        write_table(getattr(comparison, name), path)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        compare(
            path_to_scores=snakemake.input.scores,
            aggregation=snakemake.params.aggregation,
            directions=snakemake.params.directions,
            minimum_coverage=snakemake.params.minimum_coverage,
            vectors=snakemake.params.vectors,
            scaling=snakemake.params.scaling,
            paths_to_tables=dict(snakemake.output.items()),
        )
