"""Rows of a table with a header, each with its line."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairflow.language_models.errors import ItemError


@dataclass(frozen=True)
class TableRow:
    """A row.

    Attributes
    ----------
    line : the last one of the row. cells : column -> text; of a row that is too short or too long
        as far as they go.
    problem : why the row cannot be read, or None.
    """

    line: int
    cells: dict[str, str]
    problem: str | None = None

    def why(self, what: object) -> str:
        """What is wrong, with the line."""
        return f"line {self.line}: {what}"


def table_rows(
    path: str | Path, dialect: type[csv.Dialect], columns: Sequence[str]
) -> Iterator[TableRow]:
    """The rows of a file.

    Raises
    ------
    ItemError : not UTF-8, a column missing, quotes that do not close, or no row; with the line.
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
            for cells in filter(None, reader):
                n_rows += 1
                same = len(cells) == len(header)
                problem = None if same else f"{len(cells)} cells, the header has {len(header)}"
                yield TableRow(reader.line_num, dict(zip(header, cells, strict=False)), problem)
    except (csv.Error, UnicodeDecodeError) as error:
        raise ItemError(f"{path}, after row {n_rows}: {error}") from error
    if not n_rows:
        raise ItemError(f"{path} has no rows below its header")
