"""Score queries on one model, each with one metric variant."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.jobs import log_to, several
from fairflow.scores.records import write_records
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.bootstrap import kept_draws
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import read_slice


def score_queries(
    paths_to_slices: Sequence[str],
    cells: Sequence[Sequence[str]],
    how: Sequence[Mapping[str, Any]],
    paths_to_scores: Sequence[str],
) -> None:
    slices = {Path(path).stem: read_slice(path) for path in paths_to_slices}
    # Word sets that several queries share are resampled once.
    with kept_draws():
        for names, asked, path in zip(cells, how, paths_to_scores, strict=True):
            cell, statistics = Cell(*names), asked["statistics"]
            records = score_cell(
                slices[cell.query],
                WordVariant(cell.metric, **asked["variant"]),
                cell,
                asked["seed"],
                Statistics(**statistics) if statistics else None,
            )
            write_records(records, path)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        score_queries(
            paths_to_slices=several(snakemake.input.slice),
            cells=snakemake.params.cells,
            how=snakemake.params.how,
            paths_to_scores=list(snakemake.output),
        )
