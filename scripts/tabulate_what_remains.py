"""Tabulate what remains of a bias in the models of a study, and what was lost."""

from collections.abc import Iterable, Mapping

from fairflow.files.jobs import run
from fairflow.files.tables import write_table
from fairflow.remains.findings import read_findings
from fairflow.studies.before_after import what_remains


def tabulate_what_remains(
    paths_to_findings: Iterable[str],
    before: str,
    labels: Mapping[str, str],
    level: float,
    seed: int,
    path_to_table: str,
) -> None:
    found = map(read_findings, paths_to_findings)
    write_table(what_remains(found, before, labels, level, seed), path_to_table)


if __name__ == "__main__":
    run(snakemake, tabulate_what_remains)
