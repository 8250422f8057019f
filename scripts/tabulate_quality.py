"""Tabulate how good the models of a study are, beside each other."""

from collections.abc import Iterable, Mapping

from fairflow.files.jobs import log_to
from fairflow.files.tables import write_table
from fairflow.remains.findings import read_findings
from fairflow.studies.before_after import quality


def tabulate_quality(
    paths_to_findings: Iterable[str],
    labels: Mapping[str, str],
    level: float,
    seed: int,
    path_to_table: str,
) -> None:
    found = [read_findings(path) for path in paths_to_findings]
    write_table(quality(found, labels, level, seed), path_to_table)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        tabulate_quality(
            paths_to_findings=snakemake.input.findings,
            labels=snakemake.params.labels,
            level=snakemake.params.level,
            seed=snakemake.params.seed,
            path_to_table=snakemake.output[0],
        )
