"""Set the numbers of a publication beside those of a study."""

from collections.abc import Mapping

from pandas import concat

from fairflow.logs import log_to
from fairflow.publication import compare_correlations, compare_published, read_published
from fairflow.tables import read_table, write_table


def compare(
    path_to_published: str | None,
    path_to_published_correlations: str | None,
    path_to_scores: str,
    path_to_aggregates: str,
    path_to_correlations: str,
    models: Mapping[str, str],
    path_to_comparison: str,
) -> None:
    comparison = compare_published(
        read_published(path_to_published),
        read_table(path_to_scores),
        read_table(path_to_aggregates),
        models,
    )
    if path_to_published_correlations:
        printed = read_table(path_to_published_correlations)
        found = compare_correlations(printed, read_table(path_to_correlations))
        comparison = concat([comparison, found])
    write_table(comparison, path_to_comparison)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        compare(
            path_to_published=snakemake.input.get("published"),
            path_to_published_correlations=snakemake.input.get("published_correlations"),
            path_to_scores=snakemake.input.scores,
            path_to_aggregates=snakemake.input.aggregates,
            path_to_correlations=snakemake.input.correlations,
            models=snakemake.params.models,
            path_to_comparison=str(snakemake.output),
        )
