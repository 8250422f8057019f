"""WordEmbeddingModel: vectors under a name, from gensim or from a converted model on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairflow.lookup import Lookup
from fairflow.query import Query
from fairflow.vectors.query_vectors import QueryVectors, look_up_query

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

    from fairflow.vectors.store import VectorStore


class WordEmbeddingModel:
    """Word vectors with a name and the prefix that their vocabulary needs.

    Parameters
    ----------
    wv : gensim KeyedVectors, or a `VectorStore`.
    name : shown in tables.
    vocab_prefix : put in front of each word of a query after its preprocessing ("/c/en/").

    Raises
    ------
    TypeError : `wv` holds no vectors, or name or prefix is not a string.
    """

    def __init__(
        self,
        wv: KeyedVectors | VectorStore,
        name: str | None = None,
        vocab_prefix: str | None = None,
    ) -> None:
        self._rows = _row_reader(wv)
        for argument, value in (("name", name), ("vocab_prefix", vocab_prefix)):
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{argument} must be a string or None, got {value!r}")
        self.wv = wv
        self.name = "Unnamed model" if name is None else name
        self.vocab_prefix = vocab_prefix

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and word in self.wv

    def __len__(self) -> int:
        return len(self.wv)

    def __getitem__(self, word: str) -> np.ndarray:
        if not isinstance(word, str):
            raise TypeError(f"a word must be a string, got {word!r}")
        return self._rows([word])[0]

    def get(self, word: str, default: Any = None) -> Any:
        """The vector of a word, or `default` when the model does not hold it."""
        return self._rows([word])[0] if word in self else default

    def look_up(self, query: Query, lookup: Lookup) -> QueryVectors:
        """The vectors of a query's words and the account of every word."""
        return look_up_query(query, self.wv.__contains__, self._rows, lookup, self.vocab_prefix)

    def __repr__(self) -> str:
        return f"<WordEmbeddingModel named {self.name!r}, {len(self)} words>"


def _row_reader(wv: Any) -> Callable[[Sequence[str]], np.ndarray]:
    if callable(getattr(wv, "vectors", None)):
        return wv.vectors
    if hasattr(wv, "key_to_index") and hasattr(wv, "vectors"):

        def rows(words: Sequence[str]) -> np.ndarray:
            # Not by row: FastText makes vectors for words that it does not hold.
            return wv[list(words)] if words else wv.vectors[:0]

        return rows
    raise TypeError(f"wv must be gensim KeyedVectors or a VectorStore, got {type(wv)}")
