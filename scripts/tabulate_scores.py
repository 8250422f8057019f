"""Gather the scores of a study, its control queries, and the words that its models hold."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.files.tables import write_table
from fairflow.studies.whole_study import gathered_scores
from fairflow.vectors.equal_vectors import as_found
from fairflow.vectors.query_vectors import read_slice


def tabulate_scores(
    paths_to_scores: Sequence[str],
    paths_to_control_scores: Sequence[str],
    paths_to_slices: Sequence[str],
    slices: Sequence[tuple[str, str]],
    how: Mapping[str, Any],
    paths_to_tables: Sequence[str],
) -> None:
    vectors = (
        (model, query, read_slice(path))
        for path, (model, query) in zip(paths_to_slices, slices, strict=True)
    )
    tables = gathered_scores(paths_to_scores, paths_to_control_scores, vectors, how)
    for path in paths_to_tables:
        write_table(tables[Path(path).name], path)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        tabulate_scores(
            paths_to_scores=snakemake.input.scores,
            paths_to_control_scores=snakemake.input.controls,
            paths_to_slices=snakemake.input.slices,
            slices=snakemake.params.slices,
            how=as_found(snakemake.params.how, snakemake.input.found),
            paths_to_tables=snakemake.output,
        )
