"""The shape of a file of published numbers, checked without pandas."""

from __future__ import annotations

import _csv
import csv
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from fairflow.errors import NAME_ADVICE, UNPRINTABLE, not_utf8

FILE_COLUMNS = [
    *("paper", "place", "model", "metric", "scope", "item", "measure", "value", "decimals"),
    *("tolerance", "draws", "erratum", "reproducible", "cause", "note"),
]
# Cells that name the number; `item`, and what is only a remark, may be empty.
NAMING_COLUMNS = ("paper", "place", "model", "metric", "scope", "measure")
# Least, most, and whether it is a whole number; up to 30 decimals can have been printed.
LIMITS = {
    "value": (-math.inf, math.inf, False),
    "decimals": (0, 30, True),
    "tolerance": (0, math.inf, False),
    "draws": (1, math.inf, True),
}
TEXT_COLUMNS = [name for name in FILE_COLUMNS if name not in LIMITS]

# Why a published number is not expected from these vectors, lists and formulas. That one was drawn
# without a seed is no declaration: its `draws` are compared with ours.
CAUSES = (
    *("list", "ddof", "method", "erratum", "vectors", "model version", "other measurement"),
    *("unverified", "unknown"),
)


def published_problems(path: Path) -> list[str]:
    """A sentence for each fault of a file of published numbers, with its line."""
    if UNPRINTABLE.search(path.name):
        return [f"{str(path)!r}: {NAME_ADVICE}"]
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        return [f"{path}{not_utf8(error)}"]
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return [f"{path}, line {line}: a CSV file cannot contain a NUL character: remove it"]
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        return [f"{path}{problem}" for problem in _problems(reader)]
    except csv.Error as error:
        return [f"{path}, line {reader.line_num}: {error}: close the quotes of that cell"]


def _problems(reader: _csv.Reader) -> Iterator[str]:
    header = next(reader, [])
    if sorted(header) != sorted(FILE_COLUMNS):
        yield f": the columns must be {', '.join(FILE_COLUMNS)}; found {', '.join(header)}"
        return
    for cells in reader:
        where = f", line {reader.line_num}: "
        if len(cells) != len(header):
            yield f"{where}{len(cells)} cells, expected {len(header)}"
            continue
        row = dict(zip(header, cells, strict=True))
        yield from (where + sentence for sentence in _row_problems(row))


def _row_problems(row: Mapping[str, str]) -> Iterator[str]:
    yield from (f"{name} is empty" for name in NAMING_COLUMNS if not row[name].strip())
    for name in LIMITS:
        yield from _number_problems(name, row[name])
    reproducible, cause = row["reproducible"], row["cause"]
    if reproducible not in ("yes", "no"):
        yield f"reproducible must be yes or no, found {reproducible!r}"
    elif reproducible == "yes" and cause:
        yield "a reproducible number has no cause"
    elif reproducible == "no" and cause not in CAUSES and (cause or not row["draws"]):
        yield (
            "a number that is not reproducible needs a cause, one of "
            f"{', '.join(CAUSES)}, or draws; found {cause!r}"
        )


def _number_problems(name: str, cell: str) -> Iterator[str]:
    if not cell:
        if name == "decimals":
            yield "decimals are missing"
        return
    try:
        number = float(cell) if cell.isascii() and "_" not in cell else math.nan
    except ValueError:
        number = math.nan
    least, most, is_whole = LIMITS[name]
    if not math.isfinite(number):
        yield f"{name} {cell!r} is no finite number; leave it empty for none"
    elif not least <= number <= most or (is_whole and not number.is_integer()):
        kind, end = "whole number" if is_whole else "number", f" to {most}" * math.isfinite(most)
        yield f"{name} {cell!r} must be a {kind} from {least}{end}"
