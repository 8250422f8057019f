"""Score one query on one model with one metric variant."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.jobs import run
from fairflow.scores.records import write_records
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import read_slice


def score_query(
    path_to_slice: str,
    cell: Mapping[str, str],
    variant: Mapping[str, Any],
    seed: int,
    statistics: Mapping[str, Any] | None,
    path_to_scores: str,
) -> None:
    records = score_cell(
        read_slice(path_to_slice),
        WordVariant(cell["metric"], **variant),
        Cell(**cell),
        seed,
        Statistics(**statistics) if statistics else None,
    )
    write_records(records, path_to_scores)


if __name__ == "__main__":
    run(snakemake, score_query, cell=dict(snakemake.wildcards.items()))
