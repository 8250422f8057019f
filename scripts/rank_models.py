"""Rank the models of a study, and those of its publication, by each metric."""

from collections.abc import Mapping, Sequence

from fairflow.files.logs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.studies.controls import with_controls
from fairflow.studies.published.publication import printed_scores, read_published
from fairflow.studies.ranking import rank_models


def rank(
    path_to_aggregates: str,
    path_to_controls: str,
    paths_to_published: Sequence[str],
    directions: Mapping[str, Mapping[str, bool]],
    scaling: Mapping[str, bool],
    of_items: Sequence[str],
    path_to_ranking: str,
) -> None:
    aggregates = read_table(path_to_aggregates)
    published = printed_scores(read_published(paths_to_published))
    ranking = rank_models(aggregates, published, directions, scaling)
    write_table(with_controls(ranking, read_table(path_to_controls), of_items), path_to_ranking)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        rank(
            path_to_aggregates=snakemake.input.aggregates,
            path_to_controls=snakemake.input.controls,
            paths_to_published=snakemake.input.get("published", []),
            directions=snakemake.params.directions,
            scaling=snakemake.params.scaling,
            of_items=snakemake.params.of_items,
            path_to_ranking=snakemake.output.table,
        )
