"""Set the numbers of publications beside those of a study."""

from collections.abc import Mapping, Sequence

from fairflow.files.logs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.studies.published.comparison import compare_published
from fairflow.studies.published.publication import read_published


def compare(
    paths_to_published: Sequence[str],
    path_to_scores: str,
    path_to_aggregates: str,
    models: Mapping[str, str],
    absent: Mapping[str, str],
    left_out: Sequence[str],
    directions: Mapping[str, Mapping[str, bool]],
    drawn: str,
    path_to_comparison: str,
) -> None:
    published = read_published(paths_to_published)
    comparison = compare_published(
        published[~published["model"].isin(left_out)],
        read_table(path_to_scores),
        read_table(path_to_aggregates),
        models,
        absent,
        directions,
        drawn,
    )
    write_table(comparison, path_to_comparison)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        compare(
            paths_to_published=snakemake.input.get("published", []),
            path_to_scores=snakemake.input.scores,
            path_to_aggregates=snakemake.input.aggregates,
            models=snakemake.params.models,
            absent=snakemake.params.absent,
            left_out=snakemake.params.left_out,
            directions=snakemake.params.directions,
            drawn=snakemake.params.drawn,
            path_to_comparison=snakemake.output.table,
        )
