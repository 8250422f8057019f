"""Published files read with their lines: tables, JSON, lines of JSON, and lexicons."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import InvalidItem


@dataclass(frozen=True)
class Row:
    """A row of a table, or the object of a line of JSON.

    Attributes
    ----------
    place : its place in the file, such as "line 3", the last line of the row.
    cells : column or key -> value; of a row that is too short or too long as far as they go.
    problem : why the row cannot be read, or None.
    """

    place: str
    cells: Mapping[str, Any] = field(default_factory=dict)
    problem: str | None = None

    def made(
        self, make: Callable[[str, Row], Any], item_id: str, category: str = "", where: str = ""
    ) -> Any:
        """What is made of id and row, or an invalid item; `where` stands before why."""
        try:
            if self.problem:
                raise ItemError(self.problem)
            return make(item_id, self)
        except ItemError as error:
            return InvalidItem(item_id, f"{where}{self.place}: {error}", category)

    def text(self, column: str) -> str:
        """A cell without the white space around it; "" if the row has no such cell."""
        return self.cells.get(column, "").strip()

    def texts(self, *keys: str) -> list[str]:
        """The texts of keys; raises ItemError as `of_type`."""
        return [self.of_type(key, str) for key in keys]

    def of_type(self, key: str, type_: type | UnionType) -> Any:
        """The value of a key; keys of keys are written with points.

        Raises
        ------
        ItemError : no such key, or a value of another type.
        """
        value: Any = self.cells
        for part in key.split("."):
            if not isinstance(value, dict) or part not in value:
                raise ItemError(f"it lacks {key}")
            value = value[part]
        if not isinstance(value, type_) or isinstance(value, bool):
            expected = getattr(type_, "__name__", str(type_))
            raise ItemError(f"{key} is {value!r}, {expected} is expected")
        return value


def text_of(path: str | Path, what: str = "") -> str:
    """The text of a file.

    Raises
    ------
    ItemError : not UTF-8; `what` says what the file then is not.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ItemError(f"{path}{what}: {error}") from error


def table_rows(
    path: str | Path, dialect: type[csv.Dialect], columns: Sequence[str]
) -> Iterator[Row]:
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
                yield Row(
                    f"line {reader.line_num}", dict(zip(header, cells, strict=False)), problem
                )
    except (csv.Error, UnicodeDecodeError) as error:
        raise ItemError(f"{path}, after row {n_rows}: {error}") from error
    if not n_rows:
        raise ItemError(f"{path} has no rows below its header")


def whole_rows(path: str | Path, dialect: type[csv.Dialect], columns: Sequence[str]) -> list[Row]:
    """The rows of a file that needs all of them; raises ItemError as `table_rows`, or for a row."""
    rows = list(table_rows(path, dialect, columns))
    for row in rows:
        if row.problem:
            raise ItemError(f"{path}, {row.place}: {row.problem}")
    return rows


def read_document(path: str | Path) -> Any:
    """The content of a document.

    Raises
    ------
    ItemError : not UTF-8, or no JSON; with the line.
    """
    try:
        return json.loads(text_of(path))
    except json.JSONDecodeError as error:
        raise ItemError(f"{path}, line {error.lineno}: {error.msg}") from error


def json_lines(path: str | Path) -> Iterator[Row]:
    """The lines of a file that are not empty.

    Raises
    ------
    ItemError : not UTF-8, or no line.
    """
    lines = text_of(path).split("\n")
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not numbered:
        raise ItemError(f"{path} has no lines")
    for number, line in numbered:
        try:
            content = json.loads(line)
        except json.JSONDecodeError as error:
            content, problem = {}, f"no JSON: {error.msg} in column {error.colno}"
        else:
            problem = None if isinstance(content, dict) else "it is no object"
        yield Row(f"line {number}", {} if problem else content, problem)


COLUMN = "lemma"
LONGEST_TERM = 8
SEPARATOR = re.compile(r"[\t,;|]")
LETTER = re.compile(r"[^\W\d_]")


def read_lexicon(path: str | Path) -> list[str]:
    """The terms of a file, each once.

    Either one term per line, where empty lines and lines that start with # are left out; or, as
    HurtLex (Bassignana et al. 2018) is published, a table of columns between tabs, where
    "lemma" holds the terms, of every level and category. The first line says which format it is.

    Raises
    ------
    ItemError : not UTF-8, no term, a table without that column, or a line that is no term (it
        has columns, more than eight words, or no letter); with the line.
    """
    lines = text_of(path, " is no lexicon").splitlines()
    if "\t" in next((line for line in lines if line.strip()), ""):
        rows = whole_rows(path, csv.excel_tab, [COLUMN])
        terms = {row.place: row.text(COLUMN) for row in rows}
    else:
        terms = {f"line {number}": line.strip() for number, line in enumerate(lines, start=1)}
        terms = {place: term for place, term in terms.items() if not term.startswith("#")}
    for place, term in terms.items():
        words = len(term.split())
        if term and (words > LONGEST_TERM or SEPARATOR.search(term) or not LETTER.search(term)):
            raise ItemError(
                f"{path}, {place}: {term[:60]!r} is no term of at most {LONGEST_TERM} words; a "
                f"lexicon has one term per line, or is a table with tabs and a column {COLUMN}"
            )
    if not any(terms.values()):
        raise ItemError(f"{path} has no words")
    return list(dict.fromkeys(filter(None, terms.values())))
