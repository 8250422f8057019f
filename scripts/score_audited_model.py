"""Score all queries of an audit on a model, each as a cell by itself."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.scores.records import write_records
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_model
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import read_slice


def score_audited_model(
    folder_of_slices: str,
    cells: Sequence[tuple[Sequence[str], int]],
    variants: Mapping[str, Mapping[str, Any]],
    statistics: Mapping[str, Any] | None,
    path_to_scores: str,
) -> None:
    asked = [(Cell(*cell), seed) for cell, seed in cells]
    queries = dict.fromkeys(cell.query for cell, _ in asked)
    slices = {query: read_slice(Path(folder_of_slices, f"{query}.npz")) for query in queries}
    settings = Statistics(**statistics) if statistics else None
    write_records(score_model(slices, asked, variants, settings), path_to_scores)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        score_audited_model(
            folder_of_slices=snakemake.input.slices,
            cells=snakemake.params.cells,
            **snakemake.params.how,
            path_to_scores=snakemake.output.scores,
        )
