"""The words of a model from the most to the least frequent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from fairflow.vectors.word_frequency import OWN_ORDER, WordFrequency

Vectors = Callable[[Sequence[str]], np.ndarray]


class WordOrder(Protocol):
    """Words from the most to the least frequent: row 0, 1, ..."""

    @property
    def rows(self) -> int:
        """How many rows there are."""

    def row_of(self, word: str) -> int:
        """The row of a word; KeyError for a word without a row."""

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """Row -> word of those rows that hold a word, and their vectors: (words, dims).

        `step` divides most rows, which may make them faster to find.
        """


class ListedWords:
    """A `WordOrder` of words in memory, which are sought by a key that is made of each.

    Parameters
    ----------
    row_of : key -> position; made of the words by default.
    """

    def __init__(
        self,
        words: Sequence[str],
        vectors: Vectors,
        key: Callable[[str], str] = str,
        row_of: Mapping[str, int] | None = None,
    ) -> None:
        self._words, self._vectors, self._key = words, vectors, key
        if row_of is None:
            row_of = dict(zip(map(key, words), range(len(words)), strict=True))
        self._row_of = row_of
        self.rows = len(words)

    def row_of(self, word: str) -> int:
        """The position of a word."""
        return self._row_of[self._key(word)]

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """The words at some positions, and their vectors."""
        words = {row: self._words[row] for row in rows}
        return words, self._vectors(list(words.values()))


def word_order(wv: Any, vectors: Vectors, frequency: WordFrequency) -> WordOrder | None:
    """The words of a model by frequency; None if it is not known, or the model has no order.

    Parameters
    ----------
    wv : a `VectorStore`, gensim vectors or a mapping. vectors : reads the rows of words.
    """
    if frequency.source is None:
        return None
    if frequency.source != OWN_ORDER:
        return ListedWords(frequency.words, vectors, str.casefold, frequency.row_of)
    if hasattr(wv, "at_rows"):
        return wv
    if hasattr(wv, "index_to_key"):
        return ListedWords(wv.index_to_key, vectors)
    return ListedWords(list(wv), vectors) if isinstance(wv, Mapping) else None
