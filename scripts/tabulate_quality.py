"""Tabulate the quality of the models of a study."""

from fairflow.files.jobs import run
from fairflow.files.tables import write_table
from fairflow.studies.quality import quality, read_findings


def tabulate_quality(
    paths_to_findings: list[str],
    labels: dict[str, str],
    level: float,
    seed: int,
    path_to_table: str,
) -> None:
    found = map(read_findings, paths_to_findings)
    write_table(quality(found, labels, level, seed), path_to_table)


if __name__ == "__main__":
    run(snakemake, tabulate_quality)
