"""The first words of a model with their directions: the most frequent ones, if it is so sorted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from string import punctuation

import numpy as np

from fairflow.vectors.word_rows import WordRows

LONGEST = 19
_NOT_PLAIN = frozenset(punctuation) - {"_"}


@dataclass(frozen=True, eq=False)
class FirstWords:
    """Words of a model with their directions.

    Attributes
    ----------
    words : in the order of its file, without those that have no direction.
    directions : (words, dims), float32, unit vectors.
    """

    words: tuple[str, ...]
    directions: np.ndarray

    @staticmethod
    def of(words: Sequence[str], vectors: np.ndarray) -> FirstWords:
        """Those of some words, with vectors (words, dims), that have a direction."""
        units, usable = directions(vectors)
        return FirstWords(tuple(compress(words, usable)), units[usable])

    def rows_of(self, words: Sequence[str]) -> list[int]:
        """The rows of the words that are among them."""
        at = {word: row for row, word in enumerate(self.words)}
        return [at[word] for word in words if word in at]

    def among(self, rows: WordRows) -> FirstWords:
        """The same words in another model, without missing ones."""
        found = [word for word in self.words if word in rows]
        return FirstWords.of(found, rows.vectors(found))


def first_words(rows: WordRows, size: int) -> FirstWords:
    """The first words of a model; they are the most frequent ones if its file is in that order.

    Only the blocks of the model with these words are read.
    """
    found: list[FirstWords] = []
    for words, _, block in rows.rows_in_blocks():
        found.append(FirstWords.of(words[:size], block[:size]))
        size -= len(words)
        if size <= 0:
            break
    every = tuple(word for part in found for word in part.words)
    return FirstWords(every, np.concatenate([part.directions for part in found]))


def directions(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vectors at length 1 in float32, and which of them have a direction: (n, dims), (n,) bool."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    usable = np.isfinite(lengths) & (lengths > 0)
    scale = np.where(usable, lengths, 1)[:, np.newaxis]
    return np.divide(vectors, scale, dtype=np.float64).astype(np.float32), usable


def is_plain(word: str) -> bool:
    """Whether a word has the spelling of the limited vocabulary."""
    return (
        word == word.lower()
        and len(word) <= LONGEST
        and not any(sign.isdigit() or sign in _NOT_PLAIN for sign in word)
    )
