"""Rows of a table with a header, each with its line."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from fairflow.language_models.errors import ItemError


def table_rows(
    path: str | Path, dialect: type[csv.Dialect], columns: Sequence[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """(last line of the row, column -> text) of each row.

    Raises
    ------
    ItemError : not UTF-8, a column missing, a row of another length, or no row; with the line.
    """
    n_rows = 0
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, dialect, strict=True)
            header = next(reader, [])
            missing = [name for name in columns if name not in header]
            if missing:
                raise ItemError(
                    f"{path}, line 1: the columns {', '.join(missing)} are missing; found "
                    f"{', '.join(header) or 'nothing'}"
                )
            for cells in reader:
                if not cells:
                    continue
                if len(cells) != len(header):
                    raise ItemError(
                        f"{path}, line {reader.line_num}: {len(cells)} cells, the header has "
                        f"{len(header)}"
                    )
                n_rows += 1
                yield reader.line_num, dict(zip(header, cells, strict=True))
    except (csv.Error, UnicodeDecodeError) as error:
        raise ItemError(f"{path}, after row {n_rows}: {error}") from error
    if not n_rows:
        raise ItemError(f"{path} has no rows below its header")
