"""Reading the CSV file of CrowS-Pairs (Nangia et al. 2020)."""

from __future__ import annotations

import csv
from pathlib import Path

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.loaders.table_rows import TableRow, table_rows
from fairflow.language_models.items.pair_item import PairItem
from fairflow.language_models.items.unreadable_item import UnreadableItem, some_readable

COLUMNS = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")


def read_crows_pairs(path: str | Path) -> list[PairItem | UnreadableItem]:
    """The pairs of a file, in its order; ids are numbers from 0.

    A row with an empty sentence, an unknown direction or too few cells is an unreadable item.

    Raises
    ------
    ItemError : a column missing, no row that can be read; with the line.
    """
    rows = enumerate(table_rows(path, csv.excel, COLUMNS))
    return some_readable((_pair(str(number), row) for number, row in rows), path)


def _pair(number: str, row: TableRow) -> PairItem | UnreadableItem:
    cells = {name: row.cells.get(name, "") for name in COLUMNS}
    more, less, direction, category = cells.values()
    empty = [name for name, text in cells.items() if not text.strip()]
    problem = row.problem or (f"{', '.join(empty)} is empty" if empty else None)
    if problem:
        return UnreadableItem(number, row.why(problem), category.strip())
    try:
        return PairItem(number, more, less, direction.strip(), category.strip())
    except ItemError as error:
        return UnreadableItem(number, row.why(error), category.strip())
