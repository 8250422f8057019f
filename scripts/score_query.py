"""Score queries on one model, each with one metric variant."""

from pathlib import Path
from typing import Any

from fairflow.files.jobs import run
from fairflow.scores.records import Record, write_records
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import WordVariant, score_cell
from fairflow.statistics.uncertainty import Statistics
from fairflow.statistics.word_draws import kept_draws
from fairflow.vectors.query_vectors import read_slice


def score_queries(
    paths_to_slice: list[str],
    cells: list[list[str]],
    jobs: list[dict[str, Any]],
    path_to_scores: str,
) -> None:
    slices = {Path(path).stem: read_slice(path) for path in paths_to_slice}
    records: list[Record] = []
    # Word sets that several queries share are resampled once.
    with kept_draws():
        for names, how in zip(cells, jobs, strict=True):
            cell, statistics = Cell(*names), how["statistics"]
            records += score_cell(
                slices[cell.query],
                WordVariant(cell.metric, **how["variant"]),
                cell,
                how["seed"],
                Statistics(**statistics) if statistics else None,
            )
    write_records(records, path_to_scores)


if __name__ == "__main__":
    run(snakemake, score_queries)
