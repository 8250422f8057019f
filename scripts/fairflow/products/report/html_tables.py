"""The tables of the page: their columns, headers and short numbers.

`templates/tables.yaml` defines how the page shows each table of a study.
"""

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.capabilities import files_of_capabilities
from fairflow.files.configuration_files import read_yaml
from fairflow.studies.tables import KINDS, REPORT, study_tables

TEMPLATES = Path(__file__).parent / "templates"
_SETTINGS = read_yaml(TEMPLATES / "tables.yaml")
_OF_CAPABILITIES = [read_yaml(file) for file in files_of_capabilities("report.yaml")]
# What the page says of metrics that measure no words: "warning" and "reading".
OVERVIEWS = [one["overview"] for one in _OF_CAPABILITIES if "overview" in one]
# The details of a score: (column, label, kind), as columns of a table.
DETAILS = tuple(map(tuple, _SETTINGS["details"]))
MISSING = "—"
CLIPPED = 90
# Columns with the name of a model, metric or query; the page shows its label.
NAMES = (
    *("model", "other", "more_biased", "metric", "query", "variant", "metric_row"),
    *("metric_column", "scope"),
)
WIDTHS = ((45, "widest"), (22, "wider"), (12, "wide"))


@dataclass(frozen=True)
class HtmlColumn:
    """A column of a page's table, as `templates/tables.yaml` explains it."""

    name: str
    label: str
    kind: str = "text"
    choice: str = ""

    @property
    def numeric(self) -> bool:
        """Whether the page sorts and aligns it as numbers."""
        return self.kind not in ("text", "state")

    @property
    def source(self) -> str:
        """The column of the frame that it needs; for an interval the first."""
        return self.end("low") if self.kind == "interval" else self.name

    def end(self, which: str) -> str:
        """The column of an interval's end, "low" or "high"; that alone where it has no name."""
        return f"{self.name}_{which}".removeprefix("_")


@dataclass(frozen=True)
class Layout:
    """The layout of a table, as `templates/tables.yaml` explains it."""

    name: str
    title: str
    caption: str
    columns: tuple[HtmlColumn, ...]
    others: bool = False
    hidden: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    group: str = ""


_ENTRIES = [entry for one in _OF_CAPABILITIES for entry in one["tables"]]
LAYOUTS = tuple(
    Layout(**entry | {"columns": tuple(HtmlColumn(*column) for column in entry["columns"])})
    for entry in (*_SETTINGS["tables"], *_ENTRIES)
)
# Tables whose content the page has as expected ranks, and in a figure.
PARTS_OF_OTHERS = ("rank_probabilities",)


def layouts_of(tables: Container[str]) -> list[Layout]:
    """The layout of each table; a table without a layout in the file has all its columns."""
    named = {*PARTS_OF_OTHERS, *(layout.name for layout in LAYOUTS)}
    plain = [
        Layout(one.name, _capitalised(one.name), f"{one.about}.", (), others=True)
        for one in study_tables(REPORT, *KINDS)
        if one.name not in named
    ]
    return [layout for layout in (*LAYOUTS, *plain) if layout.name in tables]


def has_values(frame: pd.DataFrame, layout: Layout) -> bool:
    """Whether a page shows a table: it has rows, and one of the layout's values in some of them."""
    named = [name for name in layout.values if name in frame]
    return len(frame) > 0 and (not named or bool(frame[named].notna().any(axis=None)))


@dataclass(frozen=True)
class HtmlCell:
    """Text of a cell; `sort` is another key to sort it by."""

    text: str
    sort: str | None = None

    @property
    def clipped(self) -> str | None:
        """The beginning of a text that is too long for a table, or None."""
        if len(self.text) <= CLIPPED:
            return None
        return self.text[:CLIPPED].rsplit(" ", 1)[0] + " …"

    @property
    def width(self) -> str | None:
        """The class of a cell with a long text, which gets a minimum width."""
        return next((name for length, name in WIDTHS if len(self.text) > length), None)


NO_VALUE = HtmlCell(MISSING, "")


@dataclass(frozen=True)
class HtmlTable:
    """A table for the template: `columns`, and as many cells in each of `rows`."""

    layout: Layout
    columns: tuple[HtmlColumn, ...]
    rows: tuple[tuple[HtmlCell, ...], ...]


def html_table(frame: pd.DataFrame, layout: Layout, labels: Mapping[str, str]) -> HtmlTable:
    """The rows of a frame in a layout; names of models, metrics and queries become labels.

    A column that is missing in the frame, or empty in every row, is omitted, except the first.
    """
    columns = [c for c in layout.columns if c.source in frame]
    if layout.others:
        columns += _unnamed(frame, layout)
    filled = tuple(c for n, c in enumerate(columns) if n == 0 or _any_value(frame[c.source]))
    records = frame.to_dict("records")
    rows = tuple(tuple(_cell(record, c, labels) for c in filled) for record in records)
    return HtmlTable(layout, filled, rows)


def _unnamed(frame: pd.DataFrame, layout: Layout) -> list[HtmlColumn]:
    named = {c.name for c in layout.columns} | set(layout.hidden)
    is_number = pd.api.types.is_numeric_dtype
    return [
        HtmlColumn(
            str(name), _capitalised(name), "number" if is_number(frame[name].dtype) else "text"
        )
        for name in frame
        if name not in named
    ]


def _capitalised(name: object) -> str:
    return str(name).replace("_", " ").capitalize()


def _any_value(column: pd.Series) -> bool:
    return bool((column.notna() & (column.astype(object) != "")).any())


def _cell(record: Mapping[str, Any], column: HtmlColumn, labels: Mapping[str, str]) -> HtmlCell:
    if column.kind == "interval":
        low, high = record[column.source], record[column.end("high")]
        if _is_missing(low) or _is_missing(high):
            return NO_VALUE
        return HtmlCell(f"{number_text(low)} to {number_text(high)}", number_text(low))
    value, decimals = record[column.name], record.get("decimals", math.nan)
    if _is_missing(value):
        return NO_VALUE
    if column.kind == "printed" and not _is_missing(decimals):
        return HtmlCell(f"{float(value):.{int(decimals)}f}")
    if column.numeric:
        # A computed number is compared with the digits of a printed one.
        return HtmlCell(number_text(float(value), 4 if column.kind == "computed" else 3))
    text = str(value)
    label = labels.get(text, text) if column.name in NAMES else text
    return HtmlCell(f"{text}: {label}" if column.name == "scope" and label != text else label)


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def number_text(value: float, digits: int = 3) -> str:
    """`digits` significant digits; whole numbers unchanged."""
    if not math.isfinite(value):
        return MISSING if math.isnan(value) else str(value)
    return str(int(value)) if value == int(value) and abs(value) < 1e9 else f"{value:.{digits}g}"


def with_thousands(value: Any) -> str:
    """A whole number with commas between its thousands; anything else unchanged."""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
