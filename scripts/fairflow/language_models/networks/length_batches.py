"""Batches of rows of about equal length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

# Share of the positions of a batch that may be padding.
PADDING = 0.15


def sorted_rows(rows: Sequence[Sequence[int]]) -> list[int]:
    """Numbers of the rows by length and content: the same whatever order they came in."""
    return sorted(range(len(rows)), key=lambda number: (len(rows[number]), rows[number]))


def cut_batches(lengths: Sequence[int], token_budget: int, padding: float = PADDING) -> list[slice]:
    """Cut rows of ascending lengths into batches of at most `token_budget` positions.

    Positions are rows times the longest. A batch ends before `padding` of it would be padding; a
    row longer than the budget is a batch by itself.
    """
    batches, start, total = [], 0, 0
    for end, length in enumerate(lengths):
        rows = end + 1 - start
        full = rows * length > token_budget or total + length < (1 - padding) * rows * length
        # A large batch of one length needs no padding and no mask at all.
        longer = length > lengths[end - 1] and total >= token_budget / 4
        if end > start and (full or longer):
            batches.append(slice(start, end))
            start, total = end, 0
        total += length
    if len(lengths) > start:
        batches.append(slice(start, len(lengths)))
    return batches


def padded(rows: Sequence[Sequence[int]], fill: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows as one array, filled up on the right, and their lengths: (rows, longest), (rows,)."""
    lengths = np.array([len(row) for row in rows])
    array = np.full((len(rows), int(lengths.max())), fill, dtype=np.int64)
    for line, row in zip(array, rows, strict=True):
        line[: len(row)] = row
    return array, lengths
