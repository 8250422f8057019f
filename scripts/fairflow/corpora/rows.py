"""The rows of tables (CSV, TSV, JSONL, parquet) one at a time, the lines of a file, and dates."""

from __future__ import annotations

import codecs
import csv
import io
import json
import math
import re
from calendar import isleap
from collections.abc import Collection, Iterator
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

from fairflow.errors import ConfigurationError, FairflowError, nearest
from fairflow.files.packed_files import open_packed

Row = tuple[str, dict[str, Any]]

# Characters of a field; a longer one is a sign of a quotation mark that is not closed.
_LONGEST = 1 << 28
# Rows of a parquet file that are in memory at a time.
_TOGETHER = 256


def _codec(encoding: str) -> str:
    """The name under which an encoding is read; a byte order mark is no part of a UTF-8 text."""
    try:
        # It may be one of bytes alone, such as hex.
        "".encode(encoding)
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise ConfigurationError([f"encoding: {encoding!r} is no encoding; try utf-8"]) from None
    return "utf-8-sig" if name == "utf-8" else name


def check_field(name: str, names: Collection[str], where: str) -> None:
    """Compare a field that a key of the definition names with those that there are.

    Raises
    ------
    FairflowError : there is no such field; with those that there are.
    """
    if name not in names:
        found = f"{where}: no field {name!r}, but {', '.join(names) or 'none'}"
        raise FairflowError(f"{found}. {nearest(name, names)}")


def value_text(value: Any) -> str:
    """A value of a table as the text of a field; "" for none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = json.dumps(value, default=str) if isinstance(value, list | dict) else str(value)
    return _writable(text)


def _writable(text: str) -> str:
    """A text without halves of characters, which JSON can hold and which cannot be written."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def lines(path: Path, where: str, encoding: str) -> Iterator[str]:
    """The lines of a file, packed or not, with their ends.

    Raises
    ------
    FairflowError : a line is not in that encoding, or holds a NUL byte. ConfigurationError : there
        is no such encoding.
    """
    number, codec = 0, _codec(encoding)
    try:
        with open_packed(path) as stream:
            file = io.TextIOWrapper(io.BufferedReader(stream, 1 << 20), codec, newline="")
            for line in file:
                number += 1
                yield line
    except UnicodeError as error:
        # Complete lines before these bytes were given.
        data, place = getattr(error, "object", b""), getattr(error, "start", 0)
        marked = data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        guess = "utf-16" if marked else "cp1252" if codec == "utf-8-sig" else "utf-8"
        shown = data[max(0, place - 20) :][:40].decode(guess, "replace")
        number += 1 + data.count(b"\n", 0, place)
        raise FairflowError(
            f"{where}, line {number}: not {encoding} ({error}). If {shown!r} "
            f"is what it says, declare encoding: {guess} (key or option); otherwise the one in "
            f"which it was saved. If other files are {encoding}, save this one so"
        ) from None


def rows(path: Path, where: str, encoding: str, quotes: bool | None = None) -> Iterator[Row]:
    """Where each row of a table is, and its values by column. Its content shows its format.

    Parameters
    ----------
    quotes : whether double quotes enclose fields of a CSV or TSV; None if nobody has said so, where
        a field with tabs and lines of a TSV is refused.

    Raises
    ------
    FairflowError : it cannot be read, with the line.
    """
    with open(path, "rb") as file:
        if file.read(4) == b"PAR1":
            yield from _rows_of_parquet(path, where)
            return
    of_table = lines(path, where, encoding)
    first = next(of_table, "")
    if first.lstrip()[:9].lower().startswith(("<!doctype", "<html")):
        raise FairflowError(f"{where} is a web page, no table. Download the file itself")
    jsonl, of_table = first.lstrip().startswith(("{", "[")), chain([first], of_table)
    yield from _rows_of_jsonl(of_table, where) if jsonl else _rows_of_csv(of_table, where, quotes)


def _rows_of_csv(lines: Iterator[str], where: str, quotes: bool | None) -> Iterator[Row]:
    csv.field_size_limit(_LONGEST)
    head = next(lines)
    # Of tables with one column, any will do.
    line, delimiter = 1, max(",;\t|", key=head.count)
    how: dict[str, Any] = {"quoting": csv.QUOTE_NONE} if quotes is False else {}
    reader = csv.reader(chain([head], lines), delimiter=delimiter, strict=True, **how)
    names: list[str] = []
    try:
        for values in reader:
            if quotes is None and delimiter == "\t" and any({*"\t\n"} <= {*one} for one in values):
                raise csv.Error("a field holds tabs and line breaks")
            if not names:
                names = [name.strip() for name in values]
                if twice := [name for name in names if name and names.count(name) > 1]:
                    raise FairflowError(
                        f"{where}, line {line}: several columns are named {twice[0]!r}"
                    )
            elif len(values) == len(names):
                pairs = zip(names, values, strict=True)
                yield f"{where}, line {line}", {name: value for name, value in pairs if name}
            elif values:
                raise FairflowError(
                    f"{where}, line {line}: {len(values)} fields, expected {len(names)} as in line "
                    "1. Put texts with the separator or line breaks in double quotes"
                )
            line = reader.line_num + 1
    except csv.Error as error:
        advice = "Perhaps a double quote is not closed; where none encloses a field, quotes: false"
        raise FairflowError(f"{where}, line {line}: {error}. {advice}") from None


def _rows_of_jsonl(lines: Iterator[str], where: str) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if line.isspace():
            continue
        try:
            row = json.loads(line)
            if "\\u" in line:
                row = {_writable(key): value for key, value in row.items()}
        except (ValueError, RecursionError, AttributeError):
            row = None
        if not isinstance(row, dict):
            raise FairflowError(
                f"{where}, line {number}: {line[:40]!r}, expected one JSON object on each line"
            )
        yield f"{where}, line {number}", row


def _rows_of_parquet(path: Path, where: str) -> Iterator[Row]:
    import pyarrow as pa
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
        batches = file.iter_batches(_TOGETHER, use_threads=False)
        some = chain.from_iterable(batch.to_pylist() for batch in batches)
        yield from ((f"{where}, row {number}", row) for number, row in enumerate(some, start=1))
    except pa.ArrowException as error:
        raise FairflowError(f"{where} is no whole parquet file: {error}") from error


# What may follow: the time of the day, or the .0 of a year that was stored as a number. 05-12-20
# may be three days.
_DATE = re.compile(r"(\d{1,4}(?!-)|\d{4})(?:-(\d\d?)(?:-(\d\d?)(?:[T ].*)?)?|\.0+)?", re.ASCII)
_YEAR_LAST = re.compile(r"(\d\d?)([-/.])(\d\d?)\2(\d{4})(?:[T ].*)?", re.ASCII)
# Which of the first two numbers of a date with the year last is the month, and the day.
ORDERS = {"day first": (3, 1), "month first": (1, 3)}


def first_day(text: str, order: str | None = None) -> date | None:
    """The day, or the first day of the month or year; None for what is no date.

    Parameters
    ----------
    order : one of `ORDERS`, by which 05/12/1920 is a date, too.
    """
    text = text.strip()
    last = _YEAR_LAST.fullmatch(text) if order else None
    places = (4, *ORDERS[order]) if order and last else (1, 2, 3)
    found = last or _DATE.fullmatch(text)
    try:
        return found and date(*(int(part or 1) for part in found.group(*places)))
    except ValueError:
        return None


def decimal_year(text: str, order: str | None = None) -> float:
    """The date in years, 1850.5 for the middle of 1850; NaN for what is no date."""
    day = first_day(text, order)
    if day is None:
        return math.nan
    return day.year + (day.timetuple().tm_yday - 1) / (365 + isleap(day.year))
