"""JSON and CSV with equal bytes for equal contents, whole files or none."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.atomic import atomic_path


def write_text(text: str, path: str | Path) -> None:
    """Write a text as UTF-8."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(contents: Any, path: str | Path) -> None:
    """Write plain values; keys stay in their order."""
    write_text(json.dumps(contents, ensure_ascii=False, indent=1) + "\n", path)


def write_rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], path: str | Path) -> None:
    """Write rows as CSV with a head line; None is empty."""
    with atomic_path(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
