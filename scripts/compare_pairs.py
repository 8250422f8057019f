"""Compare the scores of a study in two models, on the same resampled words."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.files.parquet import write_rows
from fairflow.scores.paired_cell import SCHEMA, compare_cell
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import read_slice


def compare_pairs(
    paths_to_before: list[str],
    paths_to_after: list[str],
    how: dict[str, Any],
    path_to_differences: str,
) -> None:
    pairs = zip(map(read_slice, paths_to_before), map(read_slice, paths_to_after), strict=True)
    slices = dict(zip(how["queries"], map(list, pairs), strict=True))
    rows = [
        row
        for before, after in (map(Cell._make, pair) for pair in how["cells"])
        for row in compare_cell(
            slices[after.query],
            WordVariant(after.metric, **how["variants"][after.metric]),
            (before, after),
            how["seed"],
            Statistics(**how["statistics"]),
        )
    ]
    write_rows(rows, SCHEMA, path_to_differences)


if __name__ == "__main__":
    run(snakemake, compare_pairs)
