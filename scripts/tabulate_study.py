"""Rank the models of a study, and compare them with each other and with published ones."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_tables
from fairflow.studies.model_comparison import compared_models
from fairflow.studies.quality import quality, read_findings
from fairflow.vectors.query_vectors import as_found


def tabulate_study(
    path_to_scores: str,
    paths_to_found: list[str],
    how: dict[str, Any],
    paths_to_published: list[str],
    paths_to_ranked: list[str],
    paths_to_checks: list[str],
    paths_to_findings: list[str],
    paths_to_tables: list[str],
) -> None:
    tables = compared_models(
        read_table(path_to_scores),
        paths_to_published,
        paths_to_ranked,
        as_found(how, paths_to_found),
        next(map(read_table, paths_to_checks), None),
    )
    found = map(read_findings, paths_to_findings)
    tables["quality.csv"] = quality(found, how["benchmarks"], how["level"], how["seed"])
    write_tables(tables, paths_to_tables)


if __name__ == "__main__":
    run(snakemake, tabulate_study)
