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
    paths_to_slices: dict[str, tuple[str, str]],
    cells: list[tuple[list[str], list[str]]],
    variants: dict[str, dict[str, Any]],
    seed: int,
    statistics: dict[str, Any],
    path_to_differences: str,
) -> None:
    settings = Statistics(**statistics)
    slices = {query: [*map(read_slice, paths)] for query, paths in paths_to_slices.items()}
    rows = [
        row
        for before, after in (map(Cell._make, pair) for pair in cells)
        for row in compare_cell(
            slices[after.query],
            WordVariant(after.metric, **variants[after.metric]),
            (before, after),
            seed,
            settings,
        )
    ]
    write_rows(rows, SCHEMA, path_to_differences)


if __name__ == "__main__":
    inputs, queries = snakemake.input, snakemake.params.how["queries"]
    pairs = zip(inputs.before, inputs.after, strict=True)
    run(snakemake, compare_pairs, paths_to_slices=dict(zip(queries, pairs, strict=True)))
