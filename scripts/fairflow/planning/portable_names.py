"""Names of files and sources as every machine can read them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def source_text(source: Mapping[str, Any]) -> str:
    """A source in one word: its address, its package, or its file without an absolute folder."""
    if "url" in source:
        return source["url"]
    return f"pypi:{source['pypi']}" if "pypi" in source else portable(source["file"])


def portable(path: str) -> str:
    """A path that says nothing about the machine: an absolute one is cut to its name."""
    return Path(path).name if Path(path).is_absolute() else path
