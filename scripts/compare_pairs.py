"""Compare the scores of a study in two models, on the same resampled words."""

from functools import cache
from typing import Any

from fairflow.files.jobs import run
from fairflow.files.parquet import write_rows
from fairflow.scores.paired_cell import SCHEMA, compare_cell
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import read_slices


def compare_pairs(
    paths_to_slices: list[str], how: dict[str, Any], path_to_differences: str
) -> None:
    read = cache(read_slices(paths_to_slices).__getitem__)
    rows = [
        row
        for pair in ([Cell(*names) for names in both] for both in how["cells"])
        for row in compare_cell(
            [read(cell.slice) for cell in pair],
            WordVariant(pair[1].metric, **how["variants"][pair[1].metric]),
            tuple(pair),
            how["seed"],
            Statistics(**how["statistics"]),
        )
    ]
    write_rows(rows, SCHEMA, path_to_differences)


if __name__ == "__main__":
    run(snakemake, compare_pairs)
