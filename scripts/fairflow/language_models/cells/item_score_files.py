"""Score files of items: the cells of a metric and a language model, and the value of every item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from fairflow.files.checksums import sha256
from fairflow.files.kept import Rows, digest, keep_up_to_date, read_cells
from fairflow.language_models.cells.item_cell import ItemVariant, score_items
from fairflow.language_models.items.item_set import read_items
from fairflow.language_models.slices.slices import read_kept_answers
from fairflow.scores.records import SCHEMA, Record, plain_row
from fairflow.scores.score_files import settings_of, wanted_cells
from fairflow.scores.variant import Cell

_TEXT = pa.string()
# One row per item; a metric has one or several measures of it.
ITEM_SCHEMA = pa.schema(
    [
        *((name, _TEXT) for name in ("model", "query", "metric", "item", "template")),
        *(("cluster", _TEXT), ("category", _TEXT)),
        ("values", pa.list_(pa.struct({"measure": _TEXT, "value": pa.float64()}))),
        *(("status", _TEXT), ("reason", _TEXT)),
    ]
)
_OF_AN_ITEM = frozenset(ITEM_SCHEMA.names)


def keep_item_scores(
    path: str | Path,
    path_to_items: str | Path,
    item_sets: Mapping[str, str | Path],
    paths_to_answers: Sequence[str | Path],
    model: str,
    metric: str,
    how: Mapping[str, Any],
    code: str,
) -> int:
    """The same of queries of items, with a second file of the value of every item.

    Parameters
    ----------
    item_sets : query -> the file of its items. paths_to_answers : tokens or completions.
    how : with `model_kind`.
    """
    read = read_kept_answers(paths_to_answers)
    answers = {query: read[model, query] for query in how["queries"]}
    contents = {q: digest(sha256(item_sets[q]), one.digest) for q, one in answers.items()}
    wanted = wanted_cells(how, contents, code, model, metric)

    @cache
    def scored(query: str) -> tuple[list[Record], list[dict[str, Any]]]:
        variant = ItemVariant(metric, **how["variant"])
        items, cell = read_items(item_sets[query]), Cell(model, metric, query)
        kind = how["model_kind"]
        return score_items(
            items, answers[query].read(), variant, cell, kind, *settings_of(how, query)
        )

    def records(queries: list[str]) -> Iterator[tuple[str, Rows]]:
        return ((query, [*map(plain_row, scored(query)[0])]) for query in queries)

    def values(queries: list[str]) -> Iterator[tuple[str, Rows]]:
        return ((query, [*map(_item_row, scored(query)[1])]) for query in queries)

    keep_up_to_date(path_to_items, ITEM_SCHEMA, wanted, values)
    return keep_up_to_date(path, SCHEMA, wanted, records)


def _item_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of `ItemScores.rows`, with its measures in one column."""
    values = [{"measure": n, "value": value} for n, value in row.items() if n not in _OF_AN_ITEM]
    about = {name: value for name, value in row.items() if name in _OF_AN_ITEM}
    return about | {"values": values}


def read_item_scores(
    paths: Iterable[str | Path],
) -> dict[tuple[str, str, str], list[dict[str, Any]]]:
    """(Model, metric, query) -> the value of each item, with a key for each measure.

    Raises
    ------
    FairflowError : a file is damaged.
    """
    found: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for path in paths:
        for query, table in read_cells(path):
            rows = [*map(_wide, table.to_pylist())]
            found |= {(rows[0]["model"], rows[0]["metric"], query): rows} if rows else {}
    return found


def _wide(row: dict[str, Any]) -> dict[str, Any]:
    measures = {one["measure"]: one["value"] for one in row.pop("values")}
    ends = {name: row.pop(name) for name in ("status", "reason")}
    return row | measures | ends
