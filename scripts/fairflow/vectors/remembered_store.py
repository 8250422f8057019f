"""RememberedStore: a model on disk of which what was read once is not read again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairflow.vectors.derivation import DerivedStore
from fairflow.vectors.store import VectorStore


class RememberedStore:
    """A store for many queries one after the other, which share most of their words.

    It serves what `WordEmbeddingModel.look_up` needs, the same to the last bit as the store itself,
    and holds every vector that it was asked for.

    Attributes
    ----------
    store : the model itself, whose dims, rows, `row_of` and `at_rows` these are.

    Parameters
    ----------
    store : it stays open as long as this is used.
    """

    def __init__(self, store: VectorStore | DerivedStore) -> None:
        self.store = store
        self._held: dict[str, bool] = {}
        self._vectors: dict[str, np.ndarray] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def __contains__(self, word: str) -> bool:
        held = self._held.get(word)
        if held is None:
            held = self._held[word] = word in self.store
        return held

    def __len__(self) -> int:
        return len(self.store)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """The rows of `words`: (len(words), dims), float32.

        Raises
        ------
        KeyError : a word that the model does not hold.
        """
        known = self._vectors
        if new := [word for word in dict.fromkeys(words) if word not in known]:
            known.update(zip(new, self.store.vectors(new), strict=True))
        if not words:
            return self.store.vectors(words)
        return np.stack([known[word] for word in words])
