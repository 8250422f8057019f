"""Compare the models of a study with each other, with published ones, and by vector length."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.studies.whole_study import compared_models
from fairflow.vectors.equal_vectors import as_found


def tabulate_study(
    path_to_scores: str,
    path_to_aggregates: str,
    paths_to_published: Sequence[str],
    paths_to_audits: Sequence[str],
    how: Mapping[str, Any],
    paths_to_tables: Sequence[str],
) -> None:
    tables = compared_models(
        read_table(path_to_scores),
        read_table(path_to_aggregates),
        paths_to_published,
        [read_table(path) for path in paths_to_audits],
        how,
    )
    for path in paths_to_tables:
        write_table(tables[Path(path).name], path)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        tabulate_study(
            path_to_scores=snakemake.input.scores,
            path_to_aggregates=snakemake.input.aggregates,
            paths_to_published=snakemake.input.get("published", []),
            paths_to_audits=snakemake.input.audits,
            how=as_found(snakemake.params.how, snakemake.input.found),
            paths_to_tables=snakemake.output,
        )
