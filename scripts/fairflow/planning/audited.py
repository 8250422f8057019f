"""The model that the command line names by its path, and what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Audited:
    """What an audit is about.

    Attributes
    ----------
    model : its name in the catalogue. preset : name of the queries and metrics that it is asked.
    about : a sentence on how its file was read. left_out : one on queries that are not asked of it,
        or "".
    """

    model: str
    preset: str
    about: str
    left_out: str = ""

    @property
    def folder(self) -> str:
        """Where the answers and scores of an audit lie; kept for the next audit by its preset."""
        return f"results/audit/models/{self.preset}"
