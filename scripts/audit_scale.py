"""Tell how much of a study's rankings is the length of the models' vectors."""

from collections.abc import Mapping, Sequence

from pandas import DataFrame, concat

from fairflow.files.logs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.studies.scale import scale_audit


def audit_scale(
    path_to_scores: str,
    paths_to_audits: Sequence[str],
    scaling: Mapping[str, bool],
    aggregation: str,
    directions: Mapping[str, Mapping[str, bool]],
    minimum_coverage: float,
    path_to_scale: str,
) -> None:
    audits = [read_table(path) for path in paths_to_audits]
    audit = scale_audit(
        read_table(path_to_scores),
        concat(audits or [DataFrame(columns=["model", "mean_norm"])], ignore_index=True),
        scaling,
        aggregation,
        directions,
        minimum_coverage,
    )
    write_table(audit, path_to_scale)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        audit_scale(
            path_to_scores=snakemake.input.scores,
            paths_to_audits=snakemake.input.audits,
            scaling=snakemake.params.scaling,
            aggregation=snakemake.params.aggregation,
            directions=snakemake.params.directions,
            minimum_coverage=snakemake.params.minimum_coverage,
            path_to_scale=snakemake.output.table,
        )
