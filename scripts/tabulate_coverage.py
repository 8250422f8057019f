"""Tell which words of which set each model of a study holds."""

from collections.abc import Sequence

from fairflow.files.logs import log_to
from fairflow.files.tables import write_table
from fairflow.studies.coverage import coverage
from fairflow.vectors.query_vectors import read_slice


def tabulate_coverage(
    paths_to_slices: Sequence[str], slices: Sequence[tuple[str, str]], path_to_coverage: str
) -> None:
    vectors = (
        (model, query, read_slice(path))
        for path, (model, query) in zip(paths_to_slices, slices, strict=True)
    )
    write_table(coverage(vectors), path_to_coverage)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        tabulate_coverage(
            paths_to_slices=snakemake.input.slices,
            slices=snakemake.params.slices,
            path_to_coverage=snakemake.output.table,
        )
