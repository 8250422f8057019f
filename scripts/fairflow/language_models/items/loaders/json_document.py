"""Reading a JSON document, and finding the line of something in it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairflow.language_models.errors import ItemError


@dataclass(frozen=True)
class JsonDocument:
    """A parsed document and its text."""

    path: str | Path
    text: str
    content: Any

    def line_of(self, near: Any) -> int:
        """The line on which `near` first occurs as a JSON string; 1 if it does not."""
        start = self.text.find(json.dumps(near, ensure_ascii=False))
        if start < 0:
            start = self.text.find(json.dumps(near))
        return self.text.count("\n", 0, max(start, 0)) + 1

    def problem(self, near: Any, what: str) -> ItemError:
        """An error with the line on which `near` first occurs."""
        return ItemError(f"{self.path}, line {self.line_of(near)}: {what}")


def read_json(path: str | Path) -> JsonDocument:
    """Read a document.

    Raises
    ------
    ItemError : not UTF-8, or no JSON; with the line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ItemError(f"{path}: {error}") from error
    try:
        return JsonDocument(path, text, json.loads(text))
    except json.JSONDecodeError as error:
        raise ItemError(f"{path}, line {error.lineno}: {error.msg}") from error
