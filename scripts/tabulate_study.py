"""Compare the models of a study with each other, with published ones, and by vector length."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_tables
from fairflow.studies.model_comparison import compared_models
from fairflow.vectors.query_vectors import as_found


def tabulate_study(
    path_to_scores: str,
    path_to_aggregates: str,
    paths_to_norms: list[str],
    paths_to_found: list[str],
    how: dict[str, Any],
    paths_to_published: list[str],
    paths_to_checks: list[str],
    paths_to_tables: list[str],
) -> None:
    tables = compared_models(
        read_table(path_to_scores),
        read_table(path_to_aggregates),
        paths_to_published,
        [read_table(path) for path in paths_to_norms],
        as_found(how, paths_to_found),
        next(map(read_table, paths_to_checks), None),
    )
    write_tables(tables, paths_to_tables)


if __name__ == "__main__":
    run(snakemake, tabulate_study)
