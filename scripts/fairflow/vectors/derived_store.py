"""DerivedStore: a model derived from another one, read from the other's files and a derivation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.atomic import sha256
from fairflow.vectors.derivation import Derivation, read_derivation
from fairflow.vectors.derived_model import DerivedRows
from fairflow.vectors.store import VectorStore

# The facts by which a derivation knows the model that it was fitted to: the sha256 of its card or
# derivation, and what its words have in front of those of the derivation.
BASE, PREFIX = "base_sha256", "prefix"


class DerivedStore(DerivedRows):
    """Random access to the vectors of a derived model, as `VectorStore` gives to those of another.

    Its words and their rows are the base's, so that whoever draws by rows draws the same words from
    both.

    Attributes
    ----------
    facts : of the base, and as "derivation" those of the derivation. dims, rows : the base's.

    Parameters
    ----------
    base : the model that it is derived from, which may be a derived one itself; closed with it.
    derivation : what `BaseTransform.fit` returns for that base.
    prefix : what the words of the base have in front of those of the derivation.

    Raises
    ------
    VectorFormatError : the derivation is made for vectors of another length.
    """

    def __init__(
        self,
        base: VectorStore | DerivedStore,
        derivation: Derivation,
        prefix: str | None = None,
    ) -> None:
        if derivation.dims not in (None, base.dims):
            raise VectorFormatError(
                f"the derivation is made for vectors of {derivation.dims} numbers, and its base "
                f"has {base.dims}: derive it from that model"
            )
        super().__init__(base, derivation, prefix)
        self._store = base
        self.rows = base.rows
        self.facts: dict[str, Any] = base.facts | {"derivation": dict(derivation.facts)}

    def close(self) -> None:
        """Close the base; the store is of no use afterwards."""
        self._store.close()

    def __enter__(self) -> DerivedStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def words(self) -> Iterator[str]:
        """Every distinct word, in the order of the base's file."""
        return self._store.words()

    def row_of(self, word: str) -> int:
        """The position of a word in the base's file, from 0.

        Raises
        ------
        KeyError : a word that the model does not hold.
        """
        return self._store.row_of(word)

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """Row -> word, without rows of repeated words, and their vectors."""
        words, vectors = self._store.at_rows(rows, step)
        return words, self._derived(list(words.values()), vectors)


def open_store(
    vectors: str | Path,
    index: str | Path,
    card: str | Path,
    derivations: Sequence[str | Path] = (),
) -> VectorStore | DerivedStore:
    """The vectors of a converted model, or of one that is derived from it.

    Parameters
    ----------
    vectors, index, card : the files that `convert` writes.
    derivations : those that `derive` writes, one after the other: that of a model derived from the
        converted one, that of a model derived from this, and so on.

    Raises
    ------
    FairflowError : a file is damaged, or was made of another file than the one before it.
    """
    store: VectorStore | DerivedStore = VectorStore(vectors, index, card)
    try:
        base = card
        for path in derivations:
            derivation = read_derivation(path)
            if derivation.facts.get(BASE) != sha256(base):
                raise VectorFormatError(
                    f"{path}: derived from another model than the one that {base} describes now. "
                    "Delete it: the next run makes it again."
                )
            store = DerivedStore(store, derivation, derivation.facts.get(PREFIX))
            base = path
    except BaseException:
        store.close()
        raise
    return store
