"""Tabulate how the scores of a study differ before and after."""

from collections.abc import Mapping, Sequence

from fairflow.files.jobs import run
from fairflow.files.tables import read_scores, read_table, write_table
from fairflow.studies.before_after import before_after


def tabulate_before_after(
    path_to_scores: str,
    paths_to_differences: Sequence[str],
    before: str,
    after: Sequence[str],
    directions: Mapping[str, Mapping[str, bool]],
    scaling: Mapping[str, bool],
    path_to_table: str,
) -> None:
    pairs = read_scores(paths_to_differences)
    table = before_after(read_table(path_to_scores), pairs, before, after, directions, scaling)
    write_table(table, path_to_table)


if __name__ == "__main__":
    run(snakemake, tabulate_before_after)
