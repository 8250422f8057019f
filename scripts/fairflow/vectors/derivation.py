"""Derivations: how the vectors of one model are changed to those of another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from fairflow.errors import FairflowError, VectorFormatError
from fairflow.files.checked_files import read_arrays, write_arrays
from fairflow.files.checksums import sha256
from fairflow.vectors.directions import ROWS, product, unit_rests, unit_rows
from fairflow.vectors.store import VectorStore
from fairflow.vectors.word_rows import Blocks, WordRows, without_prefix, word_rows


class DerivedStore(WordRows):
    """The words of a model with derived vectors, which are computed when they are read.

    Words and their rows are those of the base: random draws of rows give the same words in both.

    Attributes
    ----------
    base : the model that it is derived from. Everything except vectors is read from the base.
    facts : of the base, if it has any, and under "derivation" those of the derivation.

    Parameters
    ----------
    base : a store, which may be derived too and is closed together with it, or vectors in memory.
    derivation : what `BaseTransform.fit` returns for that base.
    prefix : the prefix that the words of the base have and those of the derivation do not.

    Raises
    ------
    VectorFormatError : the derivation needs vectors of another length.
    """

    def __init__(self, base: WordRows, derivation: Derivation, prefix: str | None = None) -> None:
        derivation.check_dims(base.dims)
        # Whatever else a store has is read from it.
        self.base: Any = base
        self.dims, self._derivation, self._prefix = base.dims, derivation, prefix
        self.facts = getattr(base, "facts", {}) | {"derivation": dict(derivation.facts)}

    def __getattr__(self, name: str) -> Any:
        # A copy of the object has no base yet.
        if name == "base":
            raise AttributeError(name)
        return getattr(self.base, name)

    def close(self) -> None:
        """Close the base."""
        self.base.close()

    def __contains__(self, word: str) -> bool:
        return word in self.base

    def __len__(self) -> int:
        return len(self.base)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """The derived rows of `words`: (len(words), dims), float32."""
        return self._derived(words, self.base.vectors(words))

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """Row -> word, without rows of repeated words, and their vectors."""
        words, vectors = self.base.at_rows(rows, step)
        return words, self._derived(list(words.values()), vectors)

    def rows_in_blocks(self) -> Blocks:
        """All words, their rows and their derived vectors, some megabytes at a time."""
        for words, rows, block in self.base.rows_in_blocks():
            yield words, rows, self._derived(words, block)

    def _derived(self, words: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        return self._derivation.apply(without_prefix(words, self._prefix), vectors)


def _derived(wv: Any, derivation: Derivation, in_place: bool, prefix: str | None = None) -> Any:
    if hasattr(wv, "key_to_index"):
        return _keyed(wv, derivation, in_place, prefix)
    if in_place:
        raise TypeError(f"in_place: only vectors of gensim are overwritten, got {type(wv)}")
    rows = DerivedStore(word_rows(wv), derivation, prefix)
    if isinstance(wv, tuple):
        return derivation.apply(list(wv[0]), np.asarray(wv[1]))
    if isinstance(wv, dict):
        return dict(zip(wv, rows.vectors(list(wv)), strict=True))
    return rows


def _keyed(wv: Any, derivation: Derivation, in_place: bool, prefix: str | None) -> Any:
    """KeyedVectors with the data type and the word counts of the given ones."""
    from gensim.models import KeyedVectors

    target = wv
    if not in_place:
        target = KeyedVectors(wv.vector_size, dtype=wv.vectors.dtype)
        # As add_vectors does, but without a check of each word.
        target.index_to_key, target.key_to_index = [*wv.index_to_key], {**wv.key_to_index}
        target.vectors = np.empty_like(wv.vectors)
        target.expandos = {name: values.copy() for name, values in wv.expandos.items()}
    for words, rows, block in word_rows(wv).rows_in_blocks():
        target.vectors[rows] = derivation.apply(without_prefix(words, prefix), block)
    target.norms = None  # gensim's cache of lengths
    return target


# Rows per block: few enough for the processor's cache.
AT_ONCE = 2 * ROWS
_ORTHONORMAL = 1e-6


@dataclass(frozen=True, eq=False)
class Derivation:
    """A change of vectors: lengths, one affine map, and the vectors of listed words.

    A vector x of a word that is not in `rows` is changed in this order:

        x <- x / |x|                                      if unit_first; a zero vector stays
        x <- A (x - offset) + shift                       for a word that changes
        x <- x / |x|                                      if unit_last; a zero vector stays

    where A is I - remove' remove, or `matrix`, or the identity. A word changes if it is in `only`
    (or `only` is None) and not in `untouched`. Vectors are computed in double precision and rounded
    once.

    Attributes
    ----------
    remove : (k, dims), an orthonormal basis of the subspace to remove.
    matrix : (dims, dims); new = matrix @ old. Not together with `remove`.
    offset, shift : (dims,), subtracted before and added after.
    untouched : words for which only the two steps of length apply.
    only : the words that change; None for all.
    rows : word -> its vector (dims,), used without change; words that are missing from the model
        are ignored.
    facts : facts about the derivation (directions, explained variance, words changed, words
        missing), plain values that JSON can hold.

    Raises
    ------
    ValueError : arrays of different dimensions, or a number that is not finite.
    """

    unit_first: bool = False
    remove: np.ndarray | None = None
    matrix: np.ndarray | None = None
    offset: np.ndarray | None = None
    shift: np.ndarray | None = None
    unit_last: bool = False
    untouched: frozenset[str] = frozenset()
    only: frozenset[str] | None = None
    rows: Mapping[str, np.ndarray] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, given in _arrays(self).items():
            object.__setattr__(self, name, np.asarray(given, dtype=np.float64))
        object.__setattr__(self, "untouched", frozenset(self.untouched))
        object.__setattr__(self, "only", None if self.only is None else frozenset(self.only))
        rows = {word: np.asarray(row, np.float32) for word, row in self.rows.items()}
        object.__setattr__(self, "rows", rows)
        _check(self)

    @property
    def dims(self) -> int | None:
        """Length of the vectors that it applies to; None for any length."""
        arrays = [*_arrays(self).values(), *self.rows.values()]
        return next((array.shape[-1] for array in arrays), None)

    def apply(self, words: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        """The derived vectors of some words: (words, dims), float32. The arguments are not changed.

        Each row depends only on its word and vector, to the last bit.

        Parameters
        ----------
        vectors : (words, dims), the vectors in the base model.

        Raises
        ------
        VectorFormatError : the vectors have another length than the derivation needs.
        """
        self.check_dims(vectors.shape[1])
        result = np.empty(vectors.shape, dtype=np.float32)
        for start in range(0, len(vectors), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            result[part] = self.exact(words[part], vectors[part])
            for position in np.flatnonzero(_in(self.rows.keys(), words[part])).tolist():
                result[start + position] = self.rows[words[start + position]]
        return result

    def check_dims(self, dims: int) -> None:
        """Check the length of vectors.

        Raises
        ------
        VectorFormatError : it is not the length that the derivation needs.
        """
        if self.dims not in (None, dims):
            raise VectorFormatError(
                f"the derivation needs vectors of {self.dims} numbers, but the model has {dims}: "
                "derive from this model"
            )

    def exact(self, words: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        """Derived vectors, ignoring `rows`: (words, dims), float64."""
        vectors = vectors.astype(np.float64)
        if self.unit_first:
            vectors = unit_rows(vectors)
        before, changes = vectors, ~_in(self.untouched, words)
        if self.only is not None:
            changes &= _in(self.only, words)
        if changes.all():
            vectors = self._mapped(vectors)
        elif changes.any():
            vectors = np.where(changes[:, np.newaxis], self._mapped(vectors), vectors)
        return unit_rests(vectors, before, unit=self.unit_first) if self.unit_last else vectors

    def restricted(
        self, target: Collection[str] | None = None, ignore: Collection[str] = ()
    ) -> Derivation:
        """The same derivation for some words only: for `target`, or for all words except `ignore`.

        Both apply to the affine map; the steps of length and the vectors of listed words stay.

        Raises
        ------
        FairflowError : `target` names words that are untouched.
        """
        if target is None:
            untouched = self.untouched | frozenset(ignore)
            return replace(self, untouched=untouched, facts={**self.facts, "ignore": [*ignore]})
        if contrary := sorted(self.untouched & frozenset(target)):
            raise FairflowError(
                f"target: this transform does not change {', '.join(contrary)}; remove them from "
                "target, or from the list of words that are not changed"
            )
        return replace(self, only=frozenset(target), facts={**self.facts, "target": [*target]})

    def transform(
        self,
        model: Any,
        target: Collection[str] | None = None,
        ignore: Collection[str] = (),
        in_place: bool = False,
        name: str | None = None,
    ) -> Any:
        """A model of the same type with derived vectors; for target and ignore see `restricted`.

        Parameters
        ----------
        model : a `WordEmbeddingModel`, a store, gensim KeyedVectors, a mapping of words to vectors,
            or a pair of words and vectors. It is not changed unless `in_place`, which needs
            gensim's vectors.
        name : of a `WordEmbeddingModel`; by default its name with "_debiased".

        Returns
        -------
        For a mapping, a mapping in the same order; for a pair of words and vectors, vectors; for a
        store, rows that are derived when they are read; otherwise a new model or new KeyedVectors.
        These hold the words that have a row: vectors that FastText composes for other words are not
        derived.

        Raises
        ------
        TypeError : in_place, and the vectors are not gensim's.
        """
        chosen = self if target is None and not ignore else self.restricted(target, ignore)
        if not hasattr(model, "with_vectors"):
            return _derived(model, chosen, in_place)
        wv = _derived(model.wv, chosen, in_place, model.vocab_prefix)
        name = f"{model.name}_debiased" if name is None else name
        if in_place:
            model.name = name
            return model
        return model.with_vectors(wv, name)

    def _mapped(self, vectors: np.ndarray) -> np.ndarray:
        if self.offset is not None:
            vectors = vectors - self.offset
        if self.remove is not None:
            vectors = vectors - product(product(vectors, self.remove.T), self.remove)
        elif self.matrix is not None:
            vectors = product(vectors, self.matrix.T)
        return vectors if self.shift is None else vectors + self.shift


def _in(chosen: AbstractSet[str], words: Sequence[str]) -> np.ndarray:
    """Which words are in the chosen ones: (words,), bool."""
    if not chosen or chosen.isdisjoint(words):
        return np.zeros(len(words), dtype=bool)
    return np.fromiter(map(chosen.__contains__, words), bool, len(words))


def _arrays(derivation: Derivation) -> dict[str, np.ndarray]:
    """The arrays of the affine map that are not None."""
    given = {name: getattr(derivation, name) for name in ("remove", "matrix", "offset", "shift")}
    return {name: array for name, array in given.items() if array is not None}


def _check(derivation: Derivation) -> None:
    arrays, dims = _arrays(derivation), derivation.dims
    if {"remove", "matrix"} <= {*arrays}:
        raise ValueError("give remove or matrix, not both")
    basis = arrays.get("remove", np.empty((0, dims or 0)))
    shapes = {"remove": (len(basis), dims), "matrix": (dims, dims)}
    for name, array in arrays.items():
        shape = shapes.get(name, (dims,))
        if array.shape != shape or not np.isfinite(array).all():
            raise ValueError(f"{name} {array.shape} must hold finite numbers in the shape {shape}")
    if any(row.shape != (dims,) for row in derivation.rows.values()):
        raise ValueError(f"the vectors of the listed words must have {dims} numbers")
    if abs(basis @ basis.T - np.eye(len(basis))).max(initial=0) > _ORTHONORMAL:
        raise ValueError("the rows of remove must be orthonormal")


def write_derivation(derivation: Derivation, path: str | Path) -> None:
    """Write a derivation as one .npz file. Equal derivations give equal bytes."""
    account = {
        "unit_first": derivation.unit_first,
        "unit_last": derivation.unit_last,
        "untouched": sorted(derivation.untouched),
        "only": None if derivation.only is None else sorted(derivation.only),
        "rows": sorted(derivation.rows),
        "facts": dict(derivation.facts),
    }
    arrays = _arrays(derivation)
    if derivation.rows:
        arrays["rows"] = np.stack([derivation.rows[word] for word in sorted(derivation.rows)])
    write_arrays(account, arrays, path)


def read_derivation(path: str | Path) -> Derivation:
    """The inverse of `write_derivation`.

    Raises
    ------
    FairflowError : the file is damaged.
    FileNotFoundError : there is no such file.
    """
    return read_arrays(path, "derivation", _derivation)


def _derivation(account: dict[str, Any], arrays: dict[str, np.ndarray]) -> Derivation:
    rows = dict(zip(account.pop("rows"), arrays.pop("rows", ()), strict=True))
    return Derivation(**{**account, **arrays, "rows": rows})


# Facts that identify the model to which a derivation was fitted: the sha256 of its card or
# derivation, and the prefix of its words.
BASE, PREFIX = "base_sha256", "prefix"


def open_store(
    vectors: str | Path,
    index: str | Path,
    card: str | Path,
    derivations: Sequence[str | Path] = (),
) -> VectorStore | DerivedStore:
    """The vectors of a converted model, or of a model derived from it.

    Parameters
    ----------
    vectors, index, card : the files that `convert` writes.
    derivations : the files that `derive` writes, in order: the first one derives a model from the
        converted one, the second one a model from that, and so on.

    Raises
    ------
    FairflowError : a file is damaged, or was not made from the file before it.
    """
    found = [read_derivation(path) for path in derivations]
    for derivation, path, base in zip(found, derivations, (card, *derivations), strict=False):
        if derivation.facts.get(BASE) != sha256(base):
            raise VectorFormatError(
                f"{path}: derived from another model than {base} now describes. Delete it; the "
                "next run makes it again."
            )
    store: VectorStore | DerivedStore = VectorStore(vectors, index, card)
    for derivation in found:
        store = DerivedStore(store, derivation, derivation.facts.get(PREFIX))
    return store


class Change(Protocol):
    """A transform: it changes the vectors of one model to those of another."""

    def fit(self, base: WordRows) -> Derivation:
        """How the vectors of `base` change."""


def derive(
    change: Change,
    target: str | Path,
    vectors: str | Path,
    index: str | Path,
    card: str | Path,
    derivations: Sequence[str | Path] = (),
    prefix: str | None = None,
    facts: Mapping[str, Any] | None = None,
    entry: str | None = None,
) -> Derivation:
    """Fit a transform to a model and write the derivation; `open_store` reads it.

    Parameters
    ----------
    target : path of the derivation.
    vectors, index, card, derivations : the files of the model, as for `open_store`.
    prefix : the prefix that the words of the model have and those of the transform do not.
    facts : further facts to be stored with those of the derivation and the sha256 of the base's
        card or derivation.
    entry : file and key of the configuration, put before an error about missing words.

    Raises
    ------
    FairflowError : the model is damaged, or misses what the transform needs; nothing is written.
    """
    with open_store(vectors, index, card, derivations) as store:
        try:
            derivation = change.fit(word_rows(store, prefix))
        except FairflowError as error:
            if entry is None:
                raise
            raise FairflowError(f"{entry}: {error}") from error
        derivation.check_dims(store.dims)
    known = {BASE: sha256([card, *derivations][-1]), PREFIX: prefix, **(facts or {})}
    derivation = replace(derivation, facts={**known, **derivation.facts})
    write_derivation(derivation, target)
    return derivation
