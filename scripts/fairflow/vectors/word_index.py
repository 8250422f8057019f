"""The index of a converted model, of which nothing damaged is believed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from fairflow.vectors.companion_files import STRIDE, mark, misfit

# Entries of `starts` between whose words offsets are asked for at once.
AT_ONCE = 2000


class WordIndex:
    """Where the vector of a word lies: word -> (row, offset in the file of vectors).

    Parameters
    ----------
    path : the SQLite file that `convert` writes.

    Raises
    ------
    VectorFormatError : here or later, what is read is not what was written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ranges: dict[tuple[str | None, str | None], set[str]] = {}
        try:
            # Immutable: no locks, so that a read-only or network file system serves.
            self._connection = sqlite3.connect(f"file:{quote(str(path))}?immutable=1", uri=True)
        except sqlite3.Error as error:
            raise misfit(path, f"cannot be opened ({error})") from error

    def close(self) -> None:
        """Close the file; the index is of no use afterwards."""
        self._connection.close()

    def card(self) -> bytes | None:
        """The text of the card that was written with it."""
        rows = self._rows("SELECT CAST(text AS BLOB) FROM card")
        return next(iter(rows), (None,))[0]

    def entry(self, word: str) -> tuple[int, int] | None:
        """Row and offset of a word; None for one that the model does not hold."""
        for _, row, offset in self.entries("WHERE word = ?", (word,)):
            return row, offset
        self._check_around(word)
        return None

    def entries(
        self, where: str = "", values: Sequence[Any] = ()
    ) -> Iterator[tuple[str, int, int]]:
        """Word, row and offset of the entries that a condition chooses, in the order of words."""
        for word, row, offset, checksum in self._rows(f"SELECT * FROM words {where}", values):
            if mark(word, row, offset) != checksum:
                raise misfit(self.path, f"the entry of {word!r} is damaged")
            yield word, row, offset

    def words(self) -> Iterator[str]:
        """Every word, in the order of the file."""
        rows = self._rows("SELECT * FROM words ORDER BY row")
        # In one loop, as there are millions.
        for word, row, offset, checksum in rows:
            if mark(word, row, offset) != checksum:
                raise misfit(self.path, f"the entry of {word!r} is damaged")
            yield word

    def offsets(self) -> np.ndarray:
        """Where each vector begins, in the order of the file: (words,), int64.

        Much faster than `entries`, as no entry is looked at: the caller has to compare what it gets
        with the file.
        """
        starts = [word for (word,) in self._rows("SELECT word FROM starts ORDER BY word")]
        # As pieces of text, so that SQLite does what would take Python long, of bounded size.
        bounds = [None, *starts[1::AT_ONCE][1:], None]
        offsets = np.concatenate([self._offsets(*pair) for pair in pairwise(bounds)])
        offsets.sort()
        return offsets

    def _offsets(self, start: str | None, end: str | None) -> np.ndarray:
        where, values = _between(start, end)
        ((text,),) = self._rows(f"SELECT group_concat(offset) FROM words {where}", values)
        try:
            return np.fromiter(map(int, text.split(",") if text else ()), dtype=np.int64)
        except ValueError as error:
            raise misfit(self.path, f"damaged ({error})") from error

    def _check_around(self, word: str) -> None:
        """See that no damage hides a word: its neighbours are all there and sound, it is not."""
        ((start,),) = self._rows("SELECT max(word) FROM starts WHERE word <= ?", (word,))
        ((end,),) = self._rows("SELECT min(word) FROM starts WHERE word > ?", (word,))
        if (start, end) not in self._ranges:
            self._ranges[start, end] = self._words_between(start, end)
        if word in self._ranges[start, end]:
            raise misfit(self.path, f"damaged on the way to {word!r}")

    def _words_between(self, start: str | None, end: str | None) -> set[str]:
        words = [word for word, _, _ in self.entries(*_between(start, end))]
        # The first start is the first word, and from the last on there may be fewer.
        right = {0} if start is None else {STRIDE} if end is not None else range(1, STRIDE + 1)
        if len(words) not in right:
            raise misfit(self.path, f"words between {start!r} and {end!r} are lost")
        return set(words)

    def _rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._connection.execute(query, values)
        # The message of SQLite may itself be damaged.
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise misfit(self.path, f"damaged ({error})") from error


def _between(start: str | None, end: str | None) -> tuple[str, tuple[str, ...]]:
    """The condition for words from one word up to another one, and its values."""
    bounds = {"word >= ?": start, "word < ?": end}
    given = {bound: value for bound, value in bounds.items() if value is not None}
    return f"WHERE {' AND '.join(given)}" if given else "", tuple(given.values())
