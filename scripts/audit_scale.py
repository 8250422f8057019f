"""Tell how much of a study's rankings is the length of the models' vectors."""

from collections.abc import Mapping, Sequence
from typing import Any

from pandas import DataFrame, concat

from fairflow.files.logs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.studies.scale import scale_audit


def audit_scale(
    path_to_scores: str,
    paths_to_audits: Sequence[str],
    scaling: Mapping[str, bool],
    comparison: Mapping[str, Any],
    path_to_scale: str,
) -> None:
    audits = [read_table(path) for path in paths_to_audits]
    audit = scale_audit(
        read_table(path_to_scores),
        concat(audits or [DataFrame(columns=["model", "mean_norm"])], ignore_index=True),
        scaling,
        **comparison,
    )
    write_table(audit, path_to_scale)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        audit_scale(
            path_to_scores=snakemake.input.scores,
            paths_to_audits=snakemake.input.audits,
            scaling=snakemake.params.scaling,
            comparison=snakemake.params.comparison,
            path_to_scale=snakemake.output.table,
        )
