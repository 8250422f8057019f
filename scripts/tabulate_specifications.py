"""Compare every two models of a study in every specification that could be defended."""

from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.files.logs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.studies.specification_curve import specification_curve
from fairflow.studies.specification_summary import specification_summary


def tabulate_specifications(
    path_to_scores: str,
    paths_to_other_scores: Sequence[str],
    settings: Mapping[str, Any],
    absent: Sequence[str],
    path_to_curve: str,
    path_to_summary: str,
) -> None:
    others = [read_table(path) for path in paths_to_other_scores]
    curve = specification_curve(read_table(path_to_scores), others, **settings)
    write_table(curve, path_to_curve)
    write_table(specification_summary(curve, absent), path_to_summary)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        tabulate_specifications(
            path_to_scores=snakemake.input.scores,
            paths_to_other_scores=snakemake.input.get("others", []),
            settings=snakemake.params.settings,
            absent=snakemake.params.absent,
            path_to_curve=snakemake.output.curve,
            path_to_summary=snakemake.output.summary,
        )
