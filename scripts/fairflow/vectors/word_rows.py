"""Words and their vectors, row by row: in memory, on disk, or with a prefix before each word."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

from fairflow.errors import FairflowError

# Bytes of vectors in memory that are returned at once.
BLOCK = 4 << 20


def row_lengths(matrix: np.ndarray, words: Sequence[str]) -> np.ndarray:
    """Euclidean length of each row, in double precision: (words, dims) -> (words,).

    Raises
    ------
    FairflowError : a zero or non-finite row, which has no direction; up to ten words are named.
    """
    # Not numpy.linalg.norm, which would copy a whole model in double precision.
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    bad = np.flatnonzero(~np.isfinite(lengths) | (lengths == 0))
    if bad.size:
        named = ", ".join(words[row] for row in bad[:10]) + (", ..." if bad.size > 10 else "")
        raise FairflowError(f"{bad.size} zero or non-finite vectors have no direction: {named}")
    return lengths


# Words, their rows and their vectors, some megabytes at a time.
Blocks = Generator[tuple[list[str], list[int], np.ndarray], None, None]


class WordRows(Protocol):
    """What a transform learns from, as a `VectorStore` has it; a word is an exact key."""

    dims: int

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open; the rows cannot be read afterwards."""

    def __contains__(self, word: str) -> bool: ...

    def __len__(self) -> int: ...

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """The rows of `words`: (len(words), dims)."""

    def blocks(self) -> Iterator[np.ndarray]:
        """All vectors, some megabytes at a time."""
        return (block for _, _, block in self.rows_in_blocks())

    def rows_in_blocks(self) -> Blocks:
        """All words, their rows and their vectors, some megabytes at a time."""


@dataclass(frozen=True)
class FoundVectors:
    """The vectors of a query as a vocabulary for a `WordEmbeddingModel`.

    Attributes
    ----------
    rows : word -> vector (dims,). dims : length of a vector, for a vocabulary without words.
    """

    rows: Mapping[str, np.ndarray]
    dims: int = 0

    def __contains__(self, word: str) -> bool:
        return word in self.rows

    def __len__(self) -> int:
        return len(self.rows)

    def words(self) -> Iterator[str]:
        """In the order of their rows."""
        return iter(self.rows)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """(len(words), dims)."""
        if not words:
            return np.empty((0, self.dims), dtype=np.float32)
        return np.array([self.rows[word] for word in words])


def word_rows(model: Any, prefix: str | None = None) -> WordRows:
    """The words and vectors of a model.

    Parameters
    ----------
    model : a `VectorStore`, gensim KeyedVectors, a `WordEmbeddingModel` of either, whose prefix is
        put before words that are read, a mapping of words to vectors, or a pair of words
        and their vectors (words, dims).
    prefix : of the words of a store; they are read without it.

    Raises
    ------
    TypeError : anything else. ValueError : the numbers of words and vectors differ.
    """
    if hasattr(model, "rows_in_blocks"):
        return _Prefixed(model, prefix) if prefix else model
    if hasattr(model, "vocab_prefix"):
        return word_rows(word_rows(model.wv), model.vocab_prefix)
    if hasattr(model, "key_to_index"):
        return _ArrayRows(model.index_to_key, model.vectors, model.key_to_index)
    if isinstance(model, Mapping):
        return _ArrayRows(list(model), np.array(list(model.values())))
    if isinstance(model, tuple) and len(model) == 2:
        return _ArrayRows(list(model[0]), np.asarray(model[1]))
    raise TypeError(
        "expected a model, a store, KeyedVectors, a mapping of words to vectors, or a pair "
        f"(words, vectors), got {type(model)}"
    )


def without_prefix(words: Sequence[str], prefix: str | None) -> Sequence[str]:
    """Words of a model whose vocabulary has a prefix, read without it."""
    return [word.removeprefix(prefix) for word in words] if prefix else words


class _ArrayRows(WordRows):
    """Words and vectors in memory."""

    def __init__(
        self, words: Sequence[str], vectors: np.ndarray, index: Mapping[str, int] | None = None
    ) -> None:
        if vectors.ndim != 2 or len(words) != len(vectors):
            raise ValueError(f"{len(words)} words need as many vectors, got {vectors.shape}")
        self._words, self._vectors = words, vectors
        self._index = {word: row for row, word in enumerate(words)} if index is None else index
        self.dims = vectors.shape[1]

    def close(self) -> None:
        """Nothing is open."""

    def __contains__(self, word: str) -> bool:
        return word in self._index

    def __len__(self) -> int:
        return len(self._index)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        return self._vectors[[self._index[word] for word in words]]

    @property
    def rows(self) -> int:
        return len(self._words)

    def row_of(self, word: str) -> int:
        return self._index[word]

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        return {row: self._words[row] for row in rows}, self._vectors[list(rows)]

    def rows_in_blocks(self) -> Blocks:
        step = max(1, BLOCK // max(1, self.dims * self._vectors.itemsize))
        for start in range(0, len(self._words), step):
            part = slice(start, start + step)
            words = list(self._words[part])
            yield words, list(range(start, start + len(words))), self._vectors[part]


class _Prefixed(WordRows):
    """Rows of a vocabulary with a prefix, under the words without it."""

    def __init__(self, rows: WordRows, prefix: str) -> None:
        self._rows, self._prefix, self.dims = rows, prefix, rows.dims

    def close(self) -> None:
        self._rows.close()

    def __contains__(self, word: str) -> bool:
        return self._prefix + word in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        return self._rows.vectors([self._prefix + word for word in words])

    def rows_in_blocks(self) -> Blocks:
        for words, rows, block in self._rows.rows_in_blocks():
            yield list(without_prefix(words, self._prefix)), rows, block
