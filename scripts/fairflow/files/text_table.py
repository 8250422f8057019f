"""Tables for a terminal: aligned columns, whose cells wrap where a row would be too long."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import chain, zip_longest
from textwrap import wrap

# Between columns, and before further lines of the first. Widths of a column at least, where there
# is room for the first of them.
GAP, FLOORS = 2, (20, 14, 0)
# A number with its interval stays on one line: its spaces are hidden from the wrapping.
_INTERVAL, _HIDDEN = re.compile(r"\S+ \[[^\[\]]{,24}\]"), "\N{NO-BREAK SPACE}"


def table_lines(
    rows: Sequence[Sequence[str]], columns: int | None, right: Container[int] = ()
) -> list[list[str]]:
    """The lines of each row; none is longer than `columns` unless a single word is.

    Parameters
    ----------
    rows : of cells; a short one is filled with empty cells. columns : None where nothing wraps.
    right : numbers of the columns whose cells stand to the right.
    """
    number = max(map(len, rows), default=0)
    whole = [[_INTERVAL.sub(lambda one: one[0].replace(" ", _HIDDEN), c) for c in r] for r in rows]
    filled = [[*row, *[""] * (number - len(row))] for row in whole]
    widths = [max(map(len, column)) for column in zip(*filled, strict=True)]
    if columns is not None:
        least = [max(map(_longest_word, column)) for column in zip(*filled, strict=True)]
        widths = _fitted(widths, least, columns - GAP * (number - 1))
    cells = [[*_wrapped(row, widths)] for row in filled]
    # As narrow as the longest line.
    tight = [max(map(len, chain(*column))) for column in zip(*cells, strict=True)]
    return [_lines(row, tight, right) for row in cells]


def _longest_word(cell: str) -> int:
    return max(map(len, cell.split(" ")))


def _fitted(longest: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widths that fit: each letter goes to the column whose longest cell takes the most lines."""
    for floor in FLOORS:
        # The first column has a hanging indent.
        words = (max(one + GAP * (not n), floor) for n, one in enumerate(least))
        widths = [*map(min, words, longest)]
        if sum(widths) <= room:
            break
    while sum(widths) < room:
        pairs = zip(longest, widths, strict=True)
        lines = [whole / width if width < whole else 0 for whole, width in pairs]
        if not any(lines):
            break
        widths[lines.index(max(lines))] += 1
    return widths


def _wrapped(row: Sequence[str], widths: Sequence[int]) -> Iterator[list[str]]:
    for n, (cell, width) in enumerate(zip(row, widths, strict=True)):
        hang = " " * GAP * (not n)
        fits = len(cell) <= width
        yield [cell] if fits else wrap(cell, width, subsequent_indent=hang, break_on_hyphens=False)


def _lines(
    cells: Sequence[Sequence[str]], widths: Sequence[int], right: Container[int]
) -> list[str]:
    signs = [">" if n in right else "<" for n in range(len(widths))]
    forms = [f"{{:{sign}{width}}}" for sign, width in zip(signs, widths, strict=True)]
    row = (" " * GAP).join(forms)
    lines = zip_longest(*cells, fillvalue="")
    return [row.format(*line).replace(_HIDDEN, " ").rstrip() for line in lines]
