"""Files of words: the words of queries in results/words, and lexicons of other authors."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairflow.errors import FairflowError, not_utf8
from fairflow.files.checked_files import read_sealed, write_sealed
from fairflow.files.packed_files import text_of_packed
from fairflow.queries.lookup import spelling_problem
from fairflow.queries.query import PROPERTY, QUERY_INPUTS, Query, query_inputs

Words = Mapping[str, Mapping[str, Sequence[str]]]


def write_words(words: Mapping[str, Words], path: str | Path) -> None:
    """Write the words of queries: {"targets": {name: words}, "attributes": {name: words}} of each.

    With what else is declared, see `fairflow.queries.query.QueryInputs.plain`, and of sentences
    `units`, the word and template of each.
    """
    write_sealed(words, path)


def read_words(path: str | Path) -> dict[str, Words]:
    """The inverse of `write_words`.

    Raises
    ------
    FairflowError : the file is damaged.
    """
    return read_sealed(path, "file of words")


def query_of(sets: Words) -> Query:
    """The query of {"targets": {name: words}, "attributes": {name: words}} and what it declares."""
    targets, attributes = sets["targets"], sets["attributes"]
    words = list(targets.values()), list(attributes.values())
    return Query(*words, list(targets), list(attributes), query_inputs(sets))


def words_of_sets(definition: Mapping[str, Any]) -> dict[str, Any]:
    """The words of each set of a query, those of lexicons read from their files.

    Parameters
    ----------
    definition : role -> name of a set -> its words, or how to read them: the arguments of
        `parse_lexicon`, its path as `file`. And what else is declared, as
        `fairflow.queries.query.QueryInputs.plain` has it, a property by the path of its `file`.

    Raises
    ------
    FairflowError : a lexicon or a property that cannot be read.
    """
    found: dict[str, Any] = {}
    for role, given in definition.items():
        if role == PROPERTY:
            found[role] = dict(read_property(Path(given["file"])).values)
        elif role in QUERY_INPUTS:
            found[role] = given
        else:
            found[role] = {name: _words(entry) for name, entry in given.items()}
    return found


def _words(entry: Any) -> list[str]:
    if not isinstance(entry, Mapping):
        return entry
    return parse_lexicon(Path(entry["file"]), entry["encoding"], entry["comment"], entry["packing"])


def parse_lexicon(
    path: Path, encoding: str, comment: str | None, packing: Mapping[str, Any] | None = None
) -> list[str]:
    """The words of a lexicon, in the order of the file; empty lines and comments are skipped.

    Parameters
    ----------
    packing : how the lexicon is packed in the file at `path`, see `open_packed`.

    Raises
    ------
    DownloadError : the file is not the one promised.
    FairflowError : it is not in that encoding, holds no word, or a line that cannot be a word.
    """
    text = text_of_packed(path, packing, encoding)
    # A mark of byte order belongs to the file, not to its first word.
    lines = (line.strip() for line in text.removeprefix("\ufeff").split("\n"))
    words = {
        number: line
        for number, line in enumerate(lines, start=1)
        if line and not (comment and line.startswith(comment))
    }
    if not words:
        raise FairflowError(f"{path.name} holds no word")
    for number, word in words.items():
        if problem := spelling_problem(word):
            raise FairflowError(f"{path.name}, line {number}: {problem}")
    return [*words.values()]


# What is said of a property before its first word, each on a line "# key: text".
HEADER = ("label", "unit", "source", "citation")
_HEADER_LINE = re.compile(rf"#\s*({'|'.join(HEADER)}):(.*)")
COLUMNS = ["word", "value"]
_FINITE_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d\d?)?", re.ASCII | re.IGNORECASE)
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
        found = _HEADER_LINE.fullmatch(line)
        if not found or found[1] in said:
            raise FairflowError(
                f"{path}, line {number}: expected '# KEY: text', each of {', '.join(HEADER)} once, "
                f"found {line!r}"
            )
        said[found[1]] = found[2].strip()
    return said


def _values(path: Path, lines: list[str], before: int, unit: str) -> dict[str, float]:
    """Word -> number; `before` lines stand before these."""
    values: dict[str, float] = {}
    rows = csv.reader(f"{line}\n" for line in lines)
    if (head := next(rows, COLUMNS)) != COLUMNS:
        raise FairflowError(f"{path}, line {before + 1}: expected word,value, found {head}")
    for row in filter(None, rows):
        where = f"{path}, line {before + rows.line_num}"
        word, value = _entry(where, row, unit)
        if word in values:
            raise FairflowError(
                f"{where}: expected each word once, found {word!r} with {value:g}, which has "
                f"{values[word]:g} before"
            )
        values[word] = value
    if not values:
        raise FairflowError(f"{path}, line {before + 2}: expected a word and a number, found none")
    return values


def _entry(where: str, row: list[str], unit: str) -> tuple[str, float]:
    if len(row) != len(COLUMNS) or not row[0].strip():
        raise FairflowError(f"{where}: expected a word and a number, found {row}")
    word, cell = row[0].strip(), row[1].strip()
    if problem := spelling_problem(word):
        raise FairflowError(f"{where}: {problem}")
    # Python alone would take 1_000 and digits of other scripts.
    number = _FINITE_NUMBER.fullmatch(cell)
    if not number or (unit == SHARE and not 0 <= float(cell) <= 1):
        expected = "a share from 0 to 1" if unit == SHARE else "a finite number"
        raise FairflowError(f"{where}: expected {expected} of {word!r}, found {cell!r}")
    return word, float(cell)
