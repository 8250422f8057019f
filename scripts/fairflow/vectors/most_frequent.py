"""The words that the tests are about: the first of a model, and those of them that are plain."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
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
    words : in the order of its file. directions : (words, dims), float32, unit vectors.
    looked_at : words that were read; those without a direction are left out.
    """

    words: tuple[str, ...]
    directions: np.ndarray
    looked_at: int

    def rows_of(self, words: Sequence[str]) -> list[int]:
        """Where words stand, of those that are among them."""
        at = {word: row for row, word in enumerate(self.words)}
        return [at[word] for word in words if word in at]

    def among(self, rows: WordRows) -> FirstWords:
        """The same words in another model, without those that it lacks."""
        found = [word for word in self.words if word in rows]
        vectors, usable = directions(rows.vectors(found))
        kept = [word for word, flag in zip(found, usable, strict=True) if flag]
        return FirstWords(tuple(kept), vectors[usable], self.looked_at)


def first_words(rows: WordRows, size: int) -> FirstWords:
    """The first words of a model, which are the most frequent where its file is ordered so.

    No more of the model is read than holds them.
    """
    words: list[str] = []
    blocks: list[np.ndarray] = []
    looked_at = 0
    for block_words, _, block in rows.rows_in_blocks():
        part = slice(0, size - looked_at)
        vectors, usable = directions(block[part])
        words += [word for word, flag in zip(block_words[part], usable, strict=True) if flag]
        blocks.append(vectors[usable])
        looked_at += len(vectors)
        if looked_at >= size:
            break
    return FirstWords(tuple(words), np.concatenate(blocks), looked_at)


def directions(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vectors at length 1 in float32, and which of them have a direction: (n, dims), (n,) bool."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    usable = np.isfinite(lengths) & (lengths > 0)
    scale = np.where(usable, lengths, 1)[:, np.newaxis]
    return np.divide(vectors, scale, dtype=np.float64).astype(np.float32), usable


def plain_words(words: Sequence[str], left_out: Collection[str]) -> list[str]:
    """The words of Gonen & Goldberg's limited vocabulary.

    Lower case, at most 19 characters, no digit and no punctuation of ASCII but "_", which joins the
    words of a phrase; none of those left out.
    """
    excluded = frozenset(left_out)
    return [word for word in words if is_plain(word) and word not in excluded]


def is_plain(word: str) -> bool:
    """Whether a word is spelt as those of the limited vocabulary."""
    return (
        word == word.lower()
        and len(word) <= LONGEST
        and not any(sign.isdigit() or sign in _NOT_PLAIN for sign in word)
    )
