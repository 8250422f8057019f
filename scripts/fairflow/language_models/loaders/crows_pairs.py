"""Reading the CSV file of CrowS-Pairs (Nangia et al. 2020)."""

from __future__ import annotations

import csv
from pathlib import Path

from fairflow.language_models.errors import ItemError
from fairflow.language_models.loaders.table_rows import table_rows
from fairflow.language_models.pair_item import PairItem

COLUMNS = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")


def read_crows_pairs(path: str | Path) -> list[PairItem]:
    """The pairs of a file, in its order; ids are numbers from 0.

    Raises
    ------
    ItemError : a column missing, an empty sentence, an unknown direction, no pair; with the line.
    """
    items = []
    for line, row in table_rows(path, csv.excel, COLUMNS):
        empty = [name for name in COLUMNS if not row[name].strip()]
        if empty:
            raise ItemError(f"{path}, line {line}: {', '.join(empty)} is empty")
        try:
            items.append(
                PairItem(
                    str(len(items)),
                    row["sent_more"],
                    row["sent_less"],
                    row["stereo_antistereo"].strip(),
                    row["bias_type"].strip(),
                )
            )
        except ItemError as error:
            raise ItemError(f"{path}, line {line}: {error}") from None
    return items
