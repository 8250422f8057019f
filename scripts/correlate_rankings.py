"""Correlate the rankings of every two metrics."""

from collections.abc import Mapping

from fairflow.files.jobs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.statistics.rank_tests import METHODS
from fairflow.studies.ranking import correlate_rankings


def correlate(
    path_to_ranking: str,
    directions: Mapping[str, Mapping[str, bool]],
    seed: int,
    path_to_correlations: str,
) -> None:
    ranking = read_table(path_to_ranking)
    correlations = correlate_rankings(ranking, METHODS, directions, seed)
    write_table(correlations, path_to_correlations)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        correlate(
            path_to_ranking=snakemake.input.ranking,
            directions=snakemake.params.directions,
            seed=snakemake.params.seed,
            path_to_correlations=snakemake.output[0],
        )
