"""Rank the models of a study, and those of its publication, by each metric."""

from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_table
from fairflow.studies.published.publication import printed_scores, read_published
from fairflow.studies.ranking import rank_models


def rank(
    path_to_aggregates: str,
    directions: dict[str, dict[str, bool]],
    incomparable: dict[str, str],
    ranks_every: bool,
    paths_to_published: list[str],
    path_to_table: str,
) -> None:
    aggregates = read_table(path_to_aggregates)
    published = printed_scores(read_published(paths_to_published))
    ranking = rank_models(aggregates, published, directions, incomparable, ranks_every)
    write_table(ranking, path_to_table)


if __name__ == "__main__":
    run(snakemake, rank)
