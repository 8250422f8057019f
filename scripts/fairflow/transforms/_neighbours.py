"""The words of a base that are nearest to some of them, found in one pass over its vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.vectors.word_rows import WordRows

# Single precision may take the order of neighbours for another that are nearer to each other.
_SPARE = 10
# Similarities that are held at once.
_CELLS = 1_000_000


def nearest_words(
    base: WordRows, words: Sequence[str], directions: np.ndarray, count: int
) -> list[list[str]]:
    """Up to `count` and a few more words of the largest cosine with each word, besides itself.

    A block of the base is multiplied with all words at once, and of the products only those are
    looked at that are above the last neighbour so far. Words whose vectors are zero or not finite
    are nobody's neighbours.

    Parameters
    ----------
    directions : (words, dims), unit vectors of `words`.

    Returns
    -------
    Of each word its neighbours, in no order.
    """
    found = _Nearest(words, count + _SPARE)
    targets = directions.astype(np.float32)
    for block_words, _, block in base.rows_in_blocks():
        step = max(1, _CELLS // max(1, len(words)))
        for start in range(0, len(block_words), step):
            part = slice(start, start + step)
            found.add(block_words[part], targets @ _unit(block[part]).T)
    return found.named()


class _Nearest:
    """The best words so far, as numbers of all words seen, in no order."""

    def __init__(self, words: Sequence[str], count: int) -> None:
        self._own = {word: row for row, word in enumerate(words)}
        self._count = count
        self._best = [np.empty(0, dtype=np.float32) for _ in words]
        self._at = [np.empty(0, dtype=np.int64) for _ in words]
        self._least = np.full(len(words), -np.inf, dtype=np.float32)
        self._seen: list[str] = []

    def add(self, words: Sequence[str], similarities: np.ndarray) -> None:
        """Similarities (targets, words) of more words."""
        for column, word in enumerate(words):
            if word in self._own:
                similarities[self._own[word], column] = -np.inf
        rows, columns = np.nonzero(similarities > self._least[:, np.newaxis])
        cuts = np.searchsorted(rows, np.arange(len(self._best) + 1))
        for row in np.unique(rows):
            new = columns[cuts[row] : cuts[row + 1]]
            best = np.concatenate([self._best[row], similarities[row, new]])
            at = np.concatenate([self._at[row], new + len(self._seen)])
            if len(best) > self._count:
                kept = np.argpartition(-best, self._count - 1)[: self._count]
                best, at = best[kept], at[kept]
                self._least[row] = best.min()
            self._best[row], self._at[row] = best, at
        self._seen += words

    def named(self) -> list[list[str]]:
        """The words behind the numbers."""
        return [[self._seen[place] for place in sorted(at.tolist())] for at in self._at]


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Rows at length 1; zero and non-finite ones are far from everything."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))[:, np.newaxis]
    usable = np.isfinite(lengths) & (lengths > 0)
    unit = np.divide(vectors, lengths, out=np.zeros(vectors.shape), where=usable)
    return unit.astype(np.float32)
