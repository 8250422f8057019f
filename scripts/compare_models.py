"""Tell how sure the ranking of a study's models is."""

import logging
from collections.abc import Mapping
from typing import Any

from fairflow.files.logs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.studies.model_comparison import compare_models


def compare(
    path_to_scores: str,
    comparison: Mapping[str, Any],
    vectors: Mapping[str, str],
    derived: Mapping[str, str],
    scaling: Mapping[str, bool],
    paths_to_tables: Mapping[str, str],
) -> None:
    scores = read_table(path_to_scores)
    compared = compare_models(
        scores, **comparison, vectors=vectors, derived=derived, scaling=scaling
    )
    if compared.rank_probabilities.empty:
        for note in compared.rank_uncertainty["note"].unique():
            logging.info("No rank probabilities: %s", note)
    for name, path in paths_to_tables.items():
        write_table(getattr(compared, name), path)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        compare(
            path_to_scores=snakemake.input.scores,
            comparison=snakemake.params.comparison,
            vectors=snakemake.params.vectors,
            derived=snakemake.params.derived,
            scaling=snakemake.params.scaling,
            paths_to_tables=dict(snakemake.output.items()),
        )
