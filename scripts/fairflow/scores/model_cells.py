"""All cells of a model at once, each as by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fairflow.scores.cell import Cell
from fairflow.scores.records import Record
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.settings import Statistics
from fairflow.statistics.word_draws import kept_draws
from fairflow.vectors.query_vectors import QueryVectors


def score_model(
    slices: Mapping[str, QueryVectors],
    cells: Iterable[tuple[Cell, int]],
    variants: Mapping[str, Mapping[str, Any]],
    statistics: Statistics | None,
) -> list[Record]:
    """The rows of some cells of a model, in their order.

    Parameters
    ----------
    slices : the vectors of each query. cells : with the seed of each.
    variants : the definition of each metric variant. statistics : of every cell.
    """
    # Word sets that several queries share are resampled once.
    with kept_draws():
        return [
            record
            for cell, seed in cells
            for record in score_cell(
                slices[cell.query],
                WordVariant(cell.metric, **variants[cell.metric]),
                cell,
                seed,
                statistics,
            )
        ]
