"""Correlate the rankings of every two metrics."""

from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_table
from fairflow.statistics.rank_tests import METHODS
from fairflow.studies.ranking import correlate_rankings


def correlate(
    path_to_ranking: str,
    directions: dict[str, dict[str, bool]],
    seed: int,
    path_to_table: str,
) -> None:
    ranking = read_table(path_to_ranking)
    correlations = correlate_rankings(ranking, METHODS, directions, seed)
    write_table(correlations, path_to_table)


if __name__ == "__main__":
    run(snakemake, correlate)
