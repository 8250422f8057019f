"""Properties of words: files with a number for each word, and their source."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fairflow.errors import FairflowError, not_utf8
from fairflow.queries.lookup import spelling_problem

# What is said of a property before its first word, each on a line "# key: text".
HEADER = ("label", "unit", "source", "citation")
COLUMNS = ["word", "value"]
# What a unit of this name counts lies between 0 and 1.
SHARE = "share"


class Property(NamedTuple):
    """A number for each of some words.

    Attributes
    ----------
    name : of the file, without its ending. label : for an axis. unit : what a number counts,
        "share" of numbers from 0 to 1.
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

    A byte order mark and the line ends of other systems are accepted.

    Raises
    ------
    FairflowError : the file is not UTF-8, a key of the header is missing, unknown or there twice, a
        line is not a word and a finite number (of a share: from 0 to 1), a word is listed twice,
        or there is no word; file and line are named, with what was found and what was expected.
    FileNotFoundError : there is no such file.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FairflowError(f"{path}{not_utf8(error)}") from error
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
    said = _header(path, lines[:first])
    if lacking := [key for key in HEADER if not said.get(key)]:
        raise FairflowError(
            f"{path}, line {first + 1}: expected a line '# {lacking[0]}: ...' before the words"
        )
    return Property(path.stem, **said, values=_values(path, lines[first:], first, said["unit"]))


def _header(path: Path, lines: list[str]) -> dict[str, str]:
    said: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        key, colon, text = line.removeprefix("#").strip().partition(":")
        if not colon or key not in HEADER or key in said:
            names = ", ".join(HEADER)
            raise FairflowError(
                f"{path}, line {number}: expected '# KEY: text', each of {names} once, found "
                f"{line!r}"
            )
        said[key] = text.strip()
    return said


def _values(path: Path, lines: list[str], before: int, unit: str) -> dict[str, float]:
    """Word -> number; `before` lines stand before these."""
    values: dict[str, float] = {}
    lines_of: dict[str, int] = {}
    for number, row in _rows(path, lines, before):
        if number == before + 1:
            if row != COLUMNS:
                raise FairflowError(f"{path}, line {number}: expected word,value, found {row}")
            continue
        if not row:
            continue
        word, value = _entry(path, number, row, unit)
        if word in values:
            raise FairflowError(
                f"{path}, line {number}: expected each word once, found {word!r} with "
                f"{value:g}, which has {values[word]:g} in line {lines_of[word]}"
            )
        values[word], lines_of[word] = value, number
    if not values:
        raise FairflowError(f"{path}, line {before + 2}: expected a word and a number, found none")
    return values


def _rows(path: Path, lines: list[str], before: int) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line, with its number in the file."""
    rows = csv.reader((f"{line}\n" for line in lines), strict=True)
    try:
        for row in rows:
            yield before + rows.line_num, row
    except csv.Error as error:
        line = before + rows.line_num
        raise FairflowError(f"{path}, line {line}: expected closed quotes: {error}") from error


def _entry(path: Path, number: int, row: list[str], unit: str) -> tuple[str, float]:
    if len(row) != len(COLUMNS) or not row[0].strip():
        raise FairflowError(f"{path}, line {number}: expected a word and a number, found {row}")
    word, cell = row[0].strip(), row[1].strip()
    if problem := spelling_problem(word):
        raise FairflowError(f"{path}, line {number}: {problem}")
    try:
        # Python alone would take 1_000 and digits of other scripts.
        value = float(cell) if cell.isascii() and "_" not in cell else math.nan
    except ValueError:
        value = math.nan
    share = unit == SHARE
    if not math.isfinite(value) or (share and not 0 <= value <= 1):
        expected = "a share from 0 to 1" if share else "a finite number"
        raise FairflowError(
            f"{path}, line {number}: expected {expected} of {word!r}, found {cell!r}"
        )
    return word, value
