"""Tabulate how far the scores of a study can be trusted: their validity and reliability."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_tables
from fairflow.studies.validity.checks import validity_tables
from fairflow.studies.validity.evidence import read_evidence


def tabulate_validity(
    path_to_scores: str,
    paths_to_slices: list[str],
    paths_to_words: list[str],
    paths_to_shares: list[str],
    settings: dict[str, Any],
    paths_to_tables: list[str],
) -> None:
    files = {"slices": paths_to_slices, "words": paths_to_words, "shares": paths_to_shares}
    evidence = read_evidence(files, **settings)
    write_tables(validity_tables(evidence, read_table(path_to_scores)), paths_to_tables)


if __name__ == "__main__":
    run(snakemake, tabulate_validity)
