"""Properties of words: files of a number for each word, with their source."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fairflow.errors import FairflowError

# What is said of a property before its first word, each on a line "# key: text".
HEADER = ("label", "unit", "source", "citation")
COLUMNS = ["word", "value"]


class Property(NamedTuple):
    """A number of each of some words.

    Attributes
    ----------
    name : of the file, without its ending. label : for an axis. unit : what a number counts.
    source : where the numbers come from. citation : the publication that used them.
    values : word -> number, in the order of the file.
    """

    name: str
    label: str
    unit: str
    source: str
    citation: str
    values: dict[str, float]


def read_property(path: str | Path) -> Property:
    """The property of a CSV file: lines "# key: text", the header word,value, a line for each word.

    Raises
    ------
    FairflowError : a key of the header is missing or unknown, a line is not a word and a finite
        number, a word stands twice, or there is no word; file and line are named.
    FileNotFoundError : there is no such file.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FairflowError(f"{path} is not utf-8: {error.reason}") from error
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
    said = dict(_header(path, lines[:first]))
    if lacking := [key for key in HEADER if not said.get(key)]:
        raise FairflowError(f"{path}: no line '# {lacking[0]}: ...' before the first word")
    return Property(path.stem, **said, values=_values(path, lines[first:], first))


def _header(path: Path, lines: list[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, start=1):
        key, colon, text = line.removeprefix("#").strip().partition(":")
        if not colon or key not in HEADER:
            raise FairflowError(
                f"{path}, line {number}: expected '# KEY: text' with one of {', '.join(HEADER)}, "
                f"found {line!r}"
            )
        yield key, text.strip()


def _values(path: Path, lines: list[str], before: int) -> dict[str, float]:
    """Word -> number; `before` lines stand before these."""
    rows = csv.reader(io.StringIO("\n".join(lines)))
    values: dict[str, float] = {}
    lines_of: dict[str, int] = {}
    for row in rows:
        number = before + rows.line_num
        if number == before + 1:
            if row != COLUMNS:
                raise FairflowError(f"{path}, line {number}: expected word,value, found {row}")
            continue
        if not row:
            continue
        word, value = _entry(path, number, row)
        if word in values:
            raise FairflowError(
                f"{path}, line {number}: {word!r} has a value in line {lines_of[word]} already"
            )
        values[word], lines_of[word] = value, number
    if not values:
        raise FairflowError(f"{path} holds no word")
    return values


def _entry(path: Path, number: int, row: list[str]) -> tuple[str, float]:
    if len(row) != len(COLUMNS) or not row[0].strip():
        raise FairflowError(f"{path}, line {number}: expected a word and a number, found {row}")
    try:
        value = float(row[1])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FairflowError(f"{path}, line {number}: {row[1]!r} of {row[0]!r} is not a number")
    return row[0], value
