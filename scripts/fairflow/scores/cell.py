"""The cell: one model, one metric variant, one query; and the slice that it is measured on."""

from __future__ import annotations

from typing import NamedTuple


class Slice(NamedTuple):
    """What one model answers to one query, whatever it is measured by."""

    model: str
    query: str

    @property
    def path(self) -> str:
        """'model/query', as in the names of files."""
        return "/".join(self)


class Cell(NamedTuple):
    """What one score file is about."""

    model: str
    metric: str
    query: str

    @property
    def path(self) -> str:
        """'model/metric/query', as in the names of files."""
        return "/".join(self)

    @property
    def slice(self) -> Slice:
        """What it is measured on."""
        return Slice(self.model, self.query)
