"""Which log-probabilities are wanted of a model, each row and each position asked only once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class PieceQuestions:
    """Rows of ids, positions in them, and pieces whose log-probability is wanted there.

    Attributes
    ----------
    rows : distinct rows of ids, the forward passes.
    slots : distinct (row, position), the evaluations of the head.
    wants : distinct (slot, piece id), the numbers asked for.
    """

    def __init__(self) -> None:
        self._rows: dict[tuple[int, ...], int] = {}
        self._slots: dict[tuple[int, int], int] = {}
        self._wants: dict[tuple[int, int], int] = {}

    def add(self, row: Sequence[int], position: int, piece: int) -> int:
        """Ask for a piece's log-probability at a position of a row; the number of the answer."""
        number = self._rows.setdefault(tuple(row), len(self._rows))
        slot = self._slots.setdefault((number, position), len(self._slots))
        return self._wants.setdefault((slot, piece), len(self._wants))

    def __len__(self) -> int:
        return len(self._wants)

    @property
    def rows(self) -> list[tuple[int, ...]]:
        return list(self._rows)

    @property
    def slots(self) -> np.ndarray:
        """(slots, 2): row and position."""
        return np.array(list(self._slots), dtype=np.int64).reshape(-1, 2)

    @property
    def wants(self) -> np.ndarray:
        """(wants, 2): slot and piece id."""
        return np.array(list(self._wants), dtype=np.int64).reshape(-1, 2)


class Grouped:
    """The numbers 0..n-1 by the group that each belongs to."""

    def __init__(self, groups: np.ndarray, n_groups: int) -> None:
        self._order = np.argsort(groups, kind="stable")
        self._starts = np.searchsorted(groups[self._order], np.arange(n_groups + 1))

    def of(self, chosen: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Members of the chosen groups, and for each the place of its group among the chosen."""
        parts = [self._order[self._starts[group] : self._starts[group + 1]] for group in chosen]
        places = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64), places
