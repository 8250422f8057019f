"""RememberedStore: a model on disk of which what was read once is not read again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.vectors.derivation import DerivedStore
from fairflow.vectors.store import VectorStore


class RememberedStore:
    """A store for many queries one after the other, which share most of their words.

    It serves what `WordEmbeddingModel.look_up` needs, the same to the last bit as the store itself,
    and holds every vector that it was asked for.

    Attributes
    ----------
    dims, rows : of the store.

    Parameters
    ----------
    store : the model, which stays open as long as this is used.
    """

    def __init__(self, store: VectorStore | DerivedStore) -> None:
        self._store = store
        self.dims, self.rows = store.dims, store.rows
        self._held: dict[str, bool] = {}
        self._vectors: dict[str, np.ndarray] = {}

    @property
    def store(self) -> VectorStore | DerivedStore:
        """The model itself."""
        return self._store

    def __contains__(self, word: str) -> bool:
        held = self._held.get(word)
        if held is None:
            held = self._held[word] = word in self._store
        return held

    def __len__(self) -> int:
        return len(self._store)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """The rows of `words`: (len(words), dims), float32.

        Raises
        ------
        KeyError : a word that the model does not hold.
        """
        known = self._vectors
        if new := [word for word in dict.fromkeys(words) if word not in known]:
            known.update(zip(new, self._store.vectors(new), strict=True))
        if not words:
            return self._store.vectors(words)
        return np.stack([known[word] for word in words])

    def row_of(self, word: str) -> int:
        """The position of a word in the file, from 0.

        Raises
        ------
        KeyError : a word that the model does not hold.
        """
        return self._store.row_of(word)

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """Row -> word, without rows of repeated words, and their vectors."""
        return self._store.at_rows(rows, step)
