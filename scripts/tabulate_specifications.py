"""Compare every two models of a study in every specification that could be defended."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.studies.multiverse import specification_curve, specification_summary


def tabulate_specifications(
    path_to_scores: str,
    paths_to_other_scores: Sequence[str],
    settings: Mapping[str, Any],
    absent: Sequence[str],
    paths_to_tables: Sequence[str],
) -> None:
    others = [read_table(path) for path in paths_to_other_scores]
    curve = specification_curve(read_table(path_to_scores), others, **settings)
    tables = {
        "specification_curve": curve,
        "specification_summary": specification_summary(curve, absent),
    }
    for path in paths_to_tables:
        write_table(tables[Path(path).stem], path)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        tabulate_specifications(
            path_to_scores=snakemake.input.scores,
            paths_to_other_scores=snakemake.input.get("others", []),
            settings=snakemake.params.settings,
            absent=snakemake.params.absent,
            paths_to_tables=snakemake.output,
        )
