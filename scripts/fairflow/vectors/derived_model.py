"""A derivation applied to a model that is at hand, without a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_rows import WordRows, without_prefix, word_rows


class Derivation(Protocol):
    """A `fairflow.vectors.derivation.Derivation`."""

    def apply(self, words: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        """The derived vectors of some words: (words, dims), float32."""


class DerivedRows:
    """The words of a store with the vectors that a derivation makes of theirs, when asked for."""

    def __init__(self, base: WordRows, derivation: Derivation, prefix: str | None = None) -> None:
        self._base, self._derivation, self._prefix = base, derivation, prefix
        self.dims = base.dims

    def __contains__(self, word: str) -> bool:
        return word in self._base

    def __len__(self) -> int:
        return len(self._base)

    @property
    def base(self) -> WordRows:
        """The model that it is derived from."""
        return self._base

    def composes(self, word: str) -> bool:
        """Whether the base makes the vector of a word that it does not list."""
        return getattr(self._base, "composes", _never)(word)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """The derived rows of `words`: (len(words), dims), float32."""
        return self._derived(words, self._base.vectors(words))

    def blocks(self) -> Iterator[np.ndarray]:
        """All derived vectors, some megabytes at a time."""
        return (block for _, _, block in self.rows_in_blocks())

    def rows_in_blocks(self) -> Iterator[tuple[list[str], list[int], np.ndarray]]:
        """All words, their rows and their derived vectors, some megabytes at a time."""
        for words, rows, block in self._base.rows_in_blocks():
            yield words, rows, self._derived(words, block)

    def _derived(self, words: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        return self._derivation.apply(without_prefix(words, self._prefix), vectors)


def _never(word: str) -> bool:
    return False


def derived_model(
    model: Any, derivation: Derivation, in_place: bool = False, name: str | None = None
) -> Any:
    """The model that a derivation makes of another one, of the same kind.

    Parameters
    ----------
    model : as `fairflow.vectors.word_rows.word_rows` takes it. in_place : gensim's vectors are
        overwritten. name : of a `WordEmbeddingModel`; its own with "_debiased" by default.

    Returns
    -------
    Of a mapping, one in the same order; of a pair of words and vectors, vectors; of a store, rows
    that are derived when asked for; else a model or KeyedVectors of their own. Those hold the words
    that have a row: what FastText composes of others is not derived, nor changed in place.

    Raises
    ------
    TypeError : in_place, and these are no vectors of gensim.
    """
    if isinstance(model, WordEmbeddingModel):
        wv = _derived(model.wv, derivation, in_place, model.vocab_prefix)
        name = f"{model.name}_debiased" if name is None else name
        if in_place:
            model.name = name
            return model
        return WordEmbeddingModel(wv, name, model.vocab_prefix)
    return _derived(model, derivation, in_place, None)


def _derived(wv: Any, derivation: Derivation, in_place: bool, prefix: str | None) -> Any:
    if hasattr(wv, "key_to_index"):
        return _keyed(wv, derivation, in_place, prefix)
    if in_place:
        raise TypeError(f"in_place: only vectors of gensim are overwritten, got {type(wv)}")
    rows = DerivedRows(word_rows(wv), derivation, prefix)
    if isinstance(wv, tuple):
        return derivation.apply(list(wv[0]), np.asarray(wv[1]))
    if isinstance(wv, dict):
        return dict(zip(wv, rows.vectors(list(wv)), strict=True))
    return rows


def _keyed(wv: Any, derivation: Derivation, in_place: bool, prefix: str | None) -> Any:
    """KeyedVectors of the type of numbers, and with the counts of words, of the given ones."""
    from gensim.models import KeyedVectors

    target = wv
    if not in_place:
        target = KeyedVectors(wv.vector_size, dtype=wv.vectors.dtype)
        # As add_vectors would, which asks for each word whether it is there.
        target.index_to_key, target.key_to_index = [*wv.index_to_key], {**wv.key_to_index}
        target.vectors = np.empty_like(wv.vectors)
        target.expandos = {name: values.copy() for name, values in wv.expandos.items()}
    for words, rows, block in word_rows(wv).rows_in_blocks():
        target.vectors[rows] = derivation.apply(without_prefix(words, prefix), block)
    target.norms = None  # gensim's cache of lengths
    return target
