"""The rows of tables (CSV, TSV, JSONL, parquet) one at a time, and the text of a file."""

from __future__ import annotations

import codecs
import csv
import io
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

from fairflow.errors import ConfigurationError, FairflowError, nearest
from fairflow.files.packed_files import open_packed, read_packed

Row = tuple[str, dict[str, Any]]

_KINDS = {".csv": "csv", ".tsv": "csv", ".json": "jsonl", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_KINDS |= {".parquet": "parquet", ".pq": "parquet", ".txt": "text"}
_PACKED = {".gz", ".bz2", ".xz"}
# Characters of a field; a longer one is a sign of a quotation mark that is not closed.
_LONGEST = 1 << 28
# Rows of a parquet file that are in memory at a time.
_TOGETHER = 256


def without_packing(name: str) -> PurePosixPath:
    """The path of a file as it is unpacked."""
    path = PurePosixPath(name)
    return path.with_suffix("") if path.suffix.lower() in _PACKED else path


def kind_of(name: str) -> str | None:
    """csv, jsonl, parquet or text, by the ending of a name; None for any other ending."""
    return _KINDS.get(without_packing(name).suffix.lower())


def kind_of_content(path: Path) -> str:
    """csv, jsonl or parquet, by the first bytes of a file."""
    with open_packed(path) as stream:
        head = stream.read(64)
    start = head.removeprefix(codecs.BOM_UTF8).lstrip()[:4]
    return "parquet" if start == b"PAR1" else "jsonl" if start[:1] in (b"{", b"[") else "csv"


def codec(encoding: str) -> str:
    """The name under which an encoding is read; a byte order mark is no part of a UTF-8 text.

    Raises
    ------
    ConfigurationError : there is no such encoding.
    """
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        raise ConfigurationError([f"encoding: {encoding!r} is no encoding; try utf-8"]) from None
    return "utf-8-sig" if name == "utf-8" else name


def check_column(row: Mapping[str, Any], column: str, where: str, key: str) -> None:
    """Compare a row with the column that a key of the definition names.

    Raises
    ------
    FairflowError : the row has no such column; with those that it has.
    """
    if column not in row:
        raise FairflowError(
            f"{where}: no column {column!r} ({key}), but {', '.join(row) or 'none'}. "
            f"{nearest(column, row)}"
        )


def value_text(value: Any) -> str:
    """A value of a table as the text of a field; "" for none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = json.dumps(value, default=str) if isinstance(value, list | dict) else str(value)
    # Halves of characters, which JSON can hold, cannot be written.
    return text.encode("utf-8", "replace").decode()


def text_of(path: Path, where: str, encoding: str) -> str:
    """The text of a file.

    Raises
    ------
    FairflowError : it is not in that encoding, or cannot be read.
    """
    with _readable(path, where, encoding):
        text = read_packed(path).decode(encoding)
    if "\0" in text:
        raise _null(f"{where}, line {text.count(chr(10), 0, text.index(chr(0))) + 1}")
    return text


def rows(path: Path, where: str, kind: str, encoding: str) -> Iterator[Row]:
    """Where each row of a table is, and its values by column.

    Raises
    ------
    FairflowError : it cannot be read, with the line.
    """
    with _readable(path, where, encoding):
        if kind == "parquet":
            yield from _rows_of_parquet(path, where)
            return
        with open_packed(path) as stream:
            buffer = io.BufferedReader(stream, 1 << 20)
            lines = _lines(io.TextIOWrapper(buffer, encoding, newline=""), where)
            yield from (_rows_of_csv if kind == "csv" else _rows_of_jsonl)(lines, where)


def _lines(text: io.TextIOWrapper, where: str) -> Iterator[str]:
    for number, line in enumerate(text, start=1):
        if "\0" in line:
            raise _null(f"{where}, line {number}")
        yield line


def _null(where: str) -> FairflowError:
    return FairflowError(
        f"{where}: a NUL byte, which no text has. Declare the encoding (perhaps utf-16-le or "
        "utf-16-be), or remove these bytes"
    )


def _rows_of_csv(lines: Iterator[str], where: str) -> Iterator[Row]:
    csv.field_size_limit(_LONGEST)
    first = next(lines, "")
    # Of tables with one column, any will do.
    delimiter = max(",;\t|", key=first.count)
    reader = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
    line = 1
    try:
        head = [name.strip() for name in next(reader)]
        twice = [name for name, times in Counter(head).items() if name and times > 1]
        if twice:
            raise FairflowError(f"{where}, line 1: several columns are named {twice[0]!r}")
        line = reader.line_num + 1
        for values in reader:
            if values and len(values) != len(head):
                raise FairflowError(
                    f"{where}, line {line}: {len(values)} fields, expected {len(head)} as in line "
                    "1. Put texts that contain the separator or line breaks in double quotes"
                )
            if values:
                pairs = zip(head, values, strict=True)
                yield f"{where}, line {line}", {name: value for name, value in pairs if name}
            line = reader.line_num + 1
    except csv.Error as error:
        advice = "Perhaps a double quote is not closed, or not doubled inside a text"
        raise FairflowError(f"{where}, line {line}: {error}. {advice}") from None


def _rows_of_jsonl(lines: Iterator[str], where: str) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if line.isspace():
            continue
        here = f"{where}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            problem = f"{here}: no JSON ({error}); expected one object on each line"
            raise FairflowError(problem) from None
        if not isinstance(row, dict):
            found = f"{here}: a JSON {type(row).__name__}"
            raise FairflowError(f"{found}; expected one object on each line, with its text")
        yield here, row


def _rows_of_parquet(path: Path, where: str) -> Iterator[Row]:
    import pyarrow as pa
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
        number = 0
        for batch in file.iter_batches(_TOGETHER, use_threads=False):
            for row in batch.to_pylist():
                number += 1
                yield f"{where}, row {number}", row
    except pa.ArrowException as error:
        raise FairflowError(f"{where} is no whole parquet file: {error}") from error


@contextmanager
def _readable(path: Path, where: str, encoding: str) -> Iterator[None]:
    """Say where a file is not in its encoding, or that it cannot be read."""
    try:
        yield
    except UnicodeError:
        raise _not_encoded(path, where, encoding) from None
    except OSError as error:
        raise FairflowError(f"{where}: cannot be read ({error.strerror or error})") from error


def _not_encoded(path: Path, where: str, encoding: str) -> FairflowError:
    """The error for a file that is not in its encoding, with the first line that is not."""
    declared = encoding.removesuffix("-sig")
    with open_packed(path) as stream:
        data = io.BufferedReader(stream)
        marked = data.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        tried = ((n, line, _wrong(line, encoding)) for n, line in enumerate(data, start=1))
        number, line, place = next((at for at in tried if at[2] is not None), (1, b"?", 0))
    guess = "utf-16" if marked else "utf-8" if _wrong(line, "utf-8") is None else "cp1252"
    shown = (line if marked else line[max(0, place - 20) : place + 20]).decode(guess, "replace")
    return FairflowError(
        f"{where}, line {number}: not {declared} (byte {line[place]:#04x}). If {shown[:40]!r} is "
        f"what it says, declare encoding: {guess}; otherwise the one in which it was saved"
    )


def _wrong(data: bytes, encoding: str) -> int | None:
    """The first byte that is not in an encoding, or None."""
    try:
        data.decode(encoding)
    except UnicodeError as error:
        return getattr(error, "start", 0)
    return None
