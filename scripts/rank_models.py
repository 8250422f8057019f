"""Rank the models of a study, and those of its publication, by each metric."""

from collections.abc import Mapping, Sequence

from fairflow.logs import log_to
from fairflow.publication import printed_scores, read_published
from fairflow.ranking import rank_models
from fairflow.tables import read_table, write_table


def rank(
    path_to_aggregates: str,
    paths_to_published: Sequence[str],
    directions: Mapping[str, Mapping[str, bool]],
    scaling: Mapping[str, bool],
    path_to_ranking: str,
) -> None:
    aggregates = read_table(path_to_aggregates)
    published = printed_scores(read_published(paths_to_published))
    write_table(rank_models(aggregates, published, directions, scaling), path_to_ranking)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        rank(
            path_to_aggregates=snakemake.input.aggregates,
            paths_to_published=snakemake.input.get("published", []),
            directions=snakemake.params.directions,
            scaling=snakemake.params.scaling,
            path_to_ranking=str(snakemake.output),
        )
