"""Frames as tables of text for a page: columns chosen and labelled, numbers shortened."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

MISSING = "—"
CLIPPED = 90
# Columns that name one model, metric or query, which is shown by its label.
NAMES = (
    "model",
    "other",
    "more_biased",
    "metric",
    "query",
    "variant",
    "metric_row",
    "metric_column",
    "scope",
)
WIDTHS = ((45, "widest"), (22, "wider"), (12, "wide"))


@dataclass(frozen=True)
class Column:
    """A column of a page's table.

    Attributes
    ----------
    name : of the frame's column; of an interval the part before `_low` and `_high`.
    label : what the header says.
    kind : 'text'; 'number'; 'interval'; 'printed', a number with the decimals that a publication
        gives it; 'state', a word that is shown with a sign.
    choice : the page offers the column's values as a filter.
    """

    name: str
    label: str
    kind: str = "text"
    choice: bool = False

    @property
    def numeric(self) -> bool:
        """Whether it is sorted and set as numbers."""
        return self.kind not in ("text", "state")

    def is_in(self, frame: pd.DataFrame) -> bool:
        """Whether a frame holds it."""
        needed = f"{self.name}_low" if self.kind == "interval" else self.name
        return needed in frame


@dataclass(frozen=True)
class Layout:
    """How a table is shown.

    Attributes
    ----------
    caption : one or two sentences on how to read it.
    columns : in order; the first heads the row.
    folded : closed until it is asked for.
    others : columns of the frame that `columns` does not name are shown too.
    hidden : columns that `others` leaves out.
    values : columns of which a row at least must have a value, or there is nothing to show.
        every_row : and so must every row that is shown.
    """

    name: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    folded: bool = False
    others: bool = False
    hidden: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    every_row: bool = False


@dataclass(frozen=True)
class Cell:
    """Text of a cell; `sort` where the page should sort by something else."""

    text: str
    sort: str | None = None

    @property
    def clipped(self) -> str | None:
        """The beginning of a text that is too long for a table, else None."""
        if len(self.text) <= CLIPPED:
            return None
        return self.text[:CLIPPED].rsplit(" ", 1)[0] + " …"

    @property
    def width(self) -> str | None:
        """The class of a cell whose text needs room, so that its row does not grow tall."""
        return next((name for length, name in WIDTHS if len(self.text) > length), None)


@dataclass(frozen=True)
class HtmlTable:
    """What the template draws: `columns` and as many cells in each of `rows`."""

    layout: Layout
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


def html_table(frame: pd.DataFrame, layout: Layout, labels: Mapping[str, str]) -> HtmlTable:
    """The rows of a frame in a layout; names of models, metrics and queries become labels.

    A column that the frame lacks, or that is empty in every row, is left out, except the first.
    """
    columns = [c for c in layout.columns if c.is_in(frame)]
    if layout.others:
        columns += _unnamed(frame, layout)
    filled = tuple(c for n, c in enumerate(columns) if n == 0 or _any_value(frame, c))
    records = frame.to_dict("records")
    rows = tuple(tuple(_cell(record, c, labels) for c in filled) for record in records)
    return HtmlTable(layout, filled, rows)


def number_text(value: float) -> str:
    """Four significant digits; whole numbers as they are."""
    if not math.isfinite(value):
        return MISSING if math.isnan(value) else str(value)
    return str(int(value)) if value == int(value) and abs(value) < 1e9 else f"{value:.4g}"


def with_thousands(value: Any) -> str:
    """A whole number with commas between its thousands; anything else as it is."""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _unnamed(frame: pd.DataFrame, layout: Layout) -> list[Column]:
    named = {c.name for c in layout.columns} | set(layout.hidden)
    return [
        Column(
            name=str(name),
            label=str(name).replace("_", " ").capitalize(),
            kind="number" if pd.api.types.is_numeric_dtype(frame[name].dtype) else "text",
        )
        for name in frame
        if name not in named
    ]


def _any_value(frame: pd.DataFrame, column: Column) -> bool:
    name = f"{column.name}_low" if column.kind == "interval" else column.name
    return bool((frame[name].notna() & (frame[name].astype(object) != "")).any())


def _cell(record: Mapping[str, Any], column: Column, labels: Mapping[str, str]) -> Cell:
    return CELLS.get(column.kind, _text)(record, column.name, labels)


def _text(record: Mapping[str, Any], name: str, labels: Mapping[str, str]) -> Cell:
    value = record[name]
    if _is_missing(value):
        return Cell(MISSING, "")
    text = str(value)
    label = labels.get(text, text) if name in NAMES else text
    return Cell(f"{text}: {label}" if name == "scope" and label != text else label)


def _number(record: Mapping[str, Any], name: str, labels: Mapping[str, str]) -> Cell:
    value = record[name]
    return Cell(MISSING, "") if _is_missing(value) else Cell(number_text(float(value)))


def _printed(record: Mapping[str, Any], name: str, labels: Mapping[str, str]) -> Cell:
    value, decimals = record[name], record.get("decimals")
    if _is_missing(value) or _is_missing(decimals):
        return _number(record, name, labels)
    return Cell(f"{float(value):.{int(decimals)}f}")


def _interval(record: Mapping[str, Any], name: str, labels: Mapping[str, str]) -> Cell:
    low, high = record[f"{name}_low"], record[f"{name}_high"]
    if _is_missing(low) or _is_missing(high):
        return Cell(MISSING, "")
    return Cell(f"{number_text(low)} to {number_text(high)}", number_text(low))


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


CELLS: dict[str, Callable[[Mapping[str, Any], str, Mapping[str, str]], Cell]] = {
    "text": _text,
    "state": _text,
    "number": _number,
    "printed": _printed,
    "interval": _interval,
}
