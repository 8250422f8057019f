"""Numbers and names in sentences."""

from __future__ import annotations

from collections.abc import Iterable


def counted(number: int, one: str, several: str | None = None) -> str:
    """'1 model', '2 models'."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def listed(names: Iterable[str]) -> str:
    """'a, b and c'; empty without names."""
    items = list(names)
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else ""
