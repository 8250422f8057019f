"""Tell whether the control queries of a study come out on each of its models."""

from collections.abc import Mapping, Sequence
from typing import Any

from pandas import DataFrame

from fairflow.files.logs import log_to
from fairflow.files.tables import read_scores, write_table
from fairflow.studies.controls import control_table
from fairflow.studies.variant_rows import variant_rows


def check_controls(
    paths_to_scores: Sequence[str],
    variants: Mapping[str, Mapping[str, Any]],
    labels: Mapping[str, str],
    path_to_controls: str,
) -> None:
    scores = read_scores(paths_to_scores) if paths_to_scores else DataFrame()
    scores = variant_rows(scores, variants, [*labels])
    write_table(control_table(scores, labels), path_to_controls)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        check_controls(
            paths_to_scores=snakemake.input.scores,
            variants=snakemake.params.variants,
            labels=snakemake.params.labels,
            path_to_controls=snakemake.output.table,
        )
