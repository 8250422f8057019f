"""Words with vectors in one manner: a store on disk, a model, gensim's vectors, or plain arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from fairflow.vectors.copying import BLOCK
from fairflow.vectors.word_embedding_model import WordEmbeddingModel


class WordRows(Protocol):
    """What a transform learns from, as a `VectorStore` has it; a word is an exact key."""

    dims: int

    def __contains__(self, word: str) -> bool: ...

    def __len__(self) -> int: ...

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """The rows of `words`: (len(words), dims)."""

    def blocks(self) -> Iterator[np.ndarray]:
        """All vectors, some megabytes at a time."""

    def rows_in_blocks(self) -> Iterator[tuple[list[str], list[int], np.ndarray]]:
        """All words, their rows and their vectors, some megabytes at a time."""


def word_rows(model: Any) -> WordRows:
    """The words and vectors of a model.

    Parameters
    ----------
    model : a `VectorStore`, gensim KeyedVectors, a `WordEmbeddingModel` of either, whose prefix is
        put in front of words that are asked for, a mapping of words to vectors, or a pair of words
        and their vectors (words, dims).

    Raises
    ------
    TypeError : it is none of these. ValueError : as many words as vectors are needed.
    """
    if hasattr(model, "rows_in_blocks"):
        return model
    if isinstance(model, WordEmbeddingModel):
        rows = word_rows(model.wv)
        return _Prefixed(rows, model.vocab_prefix) if model.vocab_prefix else rows
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
    """Words as they are asked for of a model whose vocabulary has a prefix."""
    return [word.removeprefix(prefix) for word in words] if prefix else words


class _ArrayRows:
    """Words and vectors in memory."""

    def __init__(
        self, words: Sequence[str], vectors: np.ndarray, index: Mapping[str, int] | None = None
    ) -> None:
        if vectors.ndim != 2 or len(words) != len(vectors):
            raise ValueError(f"{len(words)} words need as many vectors, got {vectors.shape}")
        self._words, self._vectors = words, vectors
        self._index = {word: row for row, word in enumerate(words)} if index is None else index
        self.dims = vectors.shape[1]

    def __contains__(self, word: str) -> bool:
        return word in self._index

    def __len__(self) -> int:
        return len(self._index)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        return self._vectors[[self._index[word] for word in words]]

    def blocks(self) -> Iterator[np.ndarray]:
        return (block for _, _, block in self.rows_in_blocks())

    def rows_in_blocks(self) -> Iterator[tuple[list[str], list[int], np.ndarray]]:
        step = max(1, BLOCK // max(1, self.dims * self._vectors.itemsize))
        for start in range(0, len(self._words), step):
            part = slice(start, start + step)
            words = list(self._words[part])
            yield words, list(range(start, start + len(words))), self._vectors[part]


class _Prefixed:
    """Rows of a vocabulary with a prefix, under the words without it."""

    def __init__(self, rows: WordRows, prefix: str) -> None:
        self._rows, self._prefix, self.dims = rows, prefix, rows.dims

    def __contains__(self, word: str) -> bool:
        return self._prefix + word in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        return self._rows.vectors([self._prefix + word for word in words])

    def blocks(self) -> Iterator[np.ndarray]:
        return self._rows.blocks()

    def rows_in_blocks(self) -> Iterator[tuple[list[str], list[int], np.ndarray]]:
        for words, rows, block in self._rows.rows_in_blocks():
            yield list(without_prefix(words, self._prefix)), rows, block
