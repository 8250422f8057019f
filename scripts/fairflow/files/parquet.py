"""Parquet files: our own, in which no bit can change unnoticed, and those that others wrote.

pyarrow puts a checksum on each page, so that any reader can compare it. The format has no
checksum for the footer, which holds the names, types and positions of the columns: with flipped
bits there, 0.7 to 4 in 100 files gave other values instead of an error. So we write the sha256 of
the footer in front of it, where the format leaves room and other readers do not look.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.json
import pyarrow.parquet

from fairflow.errors import FairflowError, VectorFormatError
from fairflow.files.atomic import atomic_path, damaged

# At the end of a file: the footer, its length as 4 bytes, and a mark of 4 bytes.
_LENGTH, _TAIL = 4, 8
_SEAL = hashlib.sha256().digest_size


def write_parquet(table: pa.Table, path: str | Path) -> None:
    """Write a table; equal tables give equal bytes."""
    with parquet_parts(path, table.schema) as add:
        add(table)


@contextmanager
def parquet_parts(path: str | Path, schema: pa.Schema) -> Iterator[Callable[[pa.Table], None]]:
    """A function that adds a part to a table, as a row group; the file is there after the block.

    Equal parts give equal bytes, a single one those of `write_parquet`. No part stays in memory.
    """
    with atomic_path(path) as temporary, open(temporary, "w+b") as file:
        with pyarrow.parquet.ParquetWriter(file, schema, write_page_checksum=True) as writer:
            yield writer.write_table
        file.flush()
        start, footer = _footer(file)
        file.seek(start)
        file.write(hashlib.sha256(footer).digest() + footer)


@contextmanager
def _opened(path: str | Path, what: str) -> Iterator[pyarrow.parquet.ParquetFile]:
    """A file whose footer is found to be as written; pyarrow compares the pages that are read.

    A thread of pyarrow may hold the file until the process ends. A file of Python needs Python,
    which has ended by then, and the process would abort.
    """
    with pa.OSFile(str(path)) as data:
        try:
            start, footer = _footer(data)
            data.seek(max(0, start - _SEAL))
            if data.read(_SEAL) != hashlib.sha256(footer).digest():
                raise FairflowError("its bytes are not those that were written")
            yield pyarrow.parquet.ParquetFile(data, page_checksum_verification=True)
        except (pa.ArrowException, FairflowError, OSError) as error:
            raise damaged(path, what, error) from error


def _footer(file: BinaryIO | pa.NativeFile) -> tuple[int, bytes]:
    """Where the footer begins, and its bytes to the end of the file."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _TAIL))
    start = max(0, size - _TAIL - int.from_bytes(file.read(_LENGTH), "little"))
    file.seek(start)
    return start, file.read()


def read_parquet(path: str | Path, what: str, columns: list[str] | None = None) -> pa.Table:
    """The inverse of `write_parquet`; pandas is not imported.

    Parameters
    ----------
    what : the file in a word or two, for the error.
    columns : those to read; all by default.

    Raises
    ------
    FairflowError : a bit has changed, or something else wrote the file.
    FileNotFoundError : there is no such file.
    """
    with _opened(path, what) as file:
        # pyarrow.parquet.read_table would import pandas.
        return file.read(columns)


def parquet_schema(path: str | Path, what: str) -> pa.Schema:
    """The names and types of the columns of a file, and what was written about the whole.

    Errors as of `read_parquet`.
    """
    with _opened(path, what) as file:
        return file.schema_arrow


class ParquetCells:
    """An opened file, whose rows are read by their position; errors as of `read_parquet`."""

    def __init__(self, path: str | Path, what: str) -> None:
        self._path, self._what = path, what

    def __enter__(self) -> ParquetCells:
        self._opened = _opened(self._path, self._what)
        self._file = self._opened.__enter__()
        self.schema = self._file.schema_arrow
        # What is written about the whole file would be copied with each cell.
        self._plain = self.schema.remove_metadata()
        about = self._file.metadata
        self._ends = [*accumulate(about.row_group(k).num_rows for k in range(about.num_row_groups))]
        self.n_rows = about.num_rows
        self._kept: tuple[object, pa.Table] | None = None
        return self

    def __exit__(self, *raised: Any) -> None:
        self._opened.__exit__(None, None, None)

    def rows(self, start: int, number: int, columns: list[str] | None = None) -> pa.Table:
        """Some successive rows; one row group is kept in memory."""
        parts, at = [empty_table(self._plain).select(columns or self._plain.names)], start
        while at < start + number:
            group = bisect_right(self._ends, at)
            first = self._ends[group - 1] if group else 0
            stop = min(start + number, self._ends[group])
            parts.append(self._group(group, columns).slice(at - first, stop - at))
            at = stop
        return pa.concat_tables(parts)

    def _group(self, group: int, columns: list[str] | None) -> pa.Table:
        key = group, columns
        if self._kept is None or self._kept[0] != key:
            try:
                read = self._file.read_row_group(group, columns, use_threads=False)
                self._kept = key, read.replace_schema_metadata(None)
            except (pa.ArrowException, OSError) as error:
                raise damaged(self._path, self._what, error) from error
        return self._kept[1]


def write_parquet_rows(rows: list[dict[str, Any]], schema: pa.Schema, path: str | Path) -> None:
    """Write rows; NaN becomes null, equal rows give equal bytes."""
    write_parquet(table_of(rows, schema), path)


def empty_table(schema: pa.Schema) -> pa.Table:
    """A table without rows; schema.empty_table would import pandas."""
    return pa.Table.from_batches([], schema)


def table_of(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    """Rows as a table, through JSON, as pa.array and pa.table would import pandas."""
    if not rows:
        return empty_table(schema)
    lines = b"\n".join(
        json.dumps({k: _plain(v) for k, v in row.items()}, ensure_ascii=False).encode()
        for row in rows
    )
    return pyarrow.json.read_json(
        io.BytesIO(lines),
        read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(lines) + 1),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=schema, unexpected_field_behavior="error"
        ),
    )


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def texts_of_column(data: bytes, column: str | None, origin: str) -> list[Any]:
    """The values of a column, from its first row to its last; pandas is not imported.

    Parameters
    ----------
    data : the whole file. column : None for the only one that there is.
    origin : the file's name, for errors.

    Raises
    ------
    VectorFormatError : the file is damaged or not parquet, or has no such column.
    """
    try:
        file = pyarrow.parquet.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)
        names = file.schema_arrow.names
        if column not in names and (column or len(names) != 1):
            raise VectorFormatError(
                f"{origin} has the columns {', '.join(names) or 'none'}; name the one of the words "
                "as words_column"
            )
        return file.read(columns=[column or names[0]]).column(0).to_pylist()
    except (pa.ArrowException, OSError, UnicodeError) as error:
        what = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        raise VectorFormatError(
            f"{origin} is no whole parquet file: {what}. Fetch or write it again"
        ) from error
