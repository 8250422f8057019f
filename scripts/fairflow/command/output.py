"""Rows as people read them, as CSV or as JSON."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any

Row = Mapping[str, Any]


def as_text(rows: Sequence[Row]) -> str:
    """Aligned columns below their names, numbers to the right; the last column is not padded."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[_shown(row.get(name)) for name in columns] for row in rows]
    right = [any(isinstance(row.get(name), int | float) for row in rows) for name in columns]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in [columns, *cells]
    )
    return "\n".join(lines) + "\n"


def as_csv(rows: Sequence[Row]) -> str:
    """Comma-separated, with a line of names; what is undefined stays empty."""
    buffer = StringIO()
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(buffer, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _in_csv(value) for name, value in row.items()} for row in rows)
    return buffer.getvalue()


def as_json(contents: Any) -> str:
    """Indented; what is undefined is null."""
    return json.dumps(_defined(contents), indent=2, ensure_ascii=False) + "\n"


FORMATS: dict[str, Callable[[Sequence[Row]], str]] = {
    "text": as_text,
    "csv": as_csv,
    "json": as_json,
}


def _shown(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _in_csv(value: Any) -> Any:
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return _defined(value)


def _defined(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _defined(item) for key, item in value.items()}
    return [_defined(item) for item in value] if isinstance(value, list | tuple) else value
