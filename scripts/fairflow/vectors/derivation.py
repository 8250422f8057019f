"""Derivation: how vectors become those of a model derived from theirs, in a few arrays."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from fairflow.errors import FairflowError, VectorFormatError
from fairflow.files.array_files import read_arrays, write_arrays
from fairflow.vectors.derived_model import derived_model
from fairflow.vectors.exact_rows import ROWS, product, unit_rests, unit_rows

# Rows that are worked on at once: few enough for the processor's cache.
AT_ONCE = 2 * ROWS
_ORTHONORMAL = 1e-6
_ARRAYS = ("remove", "matrix", "offset", "shift")


@dataclass(frozen=True, eq=False)
class Derivation:
    """A change of vectors: lengths, one affine map, and the vectors of listed words.

    Of a vector x that is no word's of `rows`, in this order:

        x <- x / |x|                                      if unit_first; a zero vector stays
        x <- A (x - offset) + shift                       for a word that changes
        x <- x / |x|                                      if unit_last; a zero vector stays

    where A is I - remove' remove, or `matrix`, or the identity. A word changes if it is in `only`
    (any word, if that is None) and not in `untouched`. It is computed in double precision and
    rounded once.

    Attributes
    ----------
    remove : (k, dims), an orthonormal basis of what is projected out.
    matrix : (dims, dims); new = matrix @ old. Not together with `remove`.
    offset, shift : (dims,), subtracted before and added after.
    untouched : words that get the two steps of length alone.
    only : the words that change; None for all.
    rows : word -> its vector (dims,), which is served as it is; words that the model lacks are
        passed over.
    facts : what is to be told of the derivation (directions, explained variance, words changed,
        words missing), plain values that JSON can hold.

    Raises
    ------
    ValueError : arrays that do not fit each other, or a number that is not finite.
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
        for name in _ARRAYS:
            if (given := getattr(self, name)) is not None:
                object.__setattr__(self, name, np.asarray(given, dtype=np.float64))
        object.__setattr__(self, "untouched", frozenset(self.untouched))
        object.__setattr__(self, "only", None if self.only is None else frozenset(self.only))
        rows = {word: np.asarray(row, np.float32) for word, row in self.listed_rows().items()}
        object.__setattr__(self, "rows", MappingProxyType(rows))
        _check(self)

    def __getstate__(self) -> dict[str, Any]:
        # A read-only mapping cannot be pickled.
        return {**vars(self), "rows": dict(self.rows)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, rows=MappingProxyType(state["rows"]))

    def listed_rows(self) -> Mapping[str, np.ndarray]:
        """What `rows` shall be; a subclass may make them of what the other fields do to words."""
        return self.rows

    @property
    def dims(self) -> int | None:
        """Length of the vectors that it is made for; None if it takes any."""
        given = [getattr(self, name) for name in _ARRAYS]
        arrays = [array for array in given if array is not None]
        return next((array.shape[-1] for array in [*arrays, *self.rows.values()]), None)

    def apply(self, words: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        """The derived vectors of some words: (words, dims), float32; nothing given is written to.

        Each row depends on its own word and vector alone, to the last bit.

        Parameters
        ----------
        vectors : (words, dims), those of the model that it is derived from.

        Raises
        ------
        VectorFormatError : the vectors have another length than the derivation is made for.
        """
        if self.dims not in (None, vectors.shape[1]):
            raise VectorFormatError(
                f"the derivation is made for vectors of {self.dims} numbers, and the model that it "
                f"is applied to has {vectors.shape[1]}: derive it from that model"
            )
        result = np.empty(vectors.shape, dtype=np.float32)
        for start in range(0, len(vectors), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            result[part] = self.exact(words[part], vectors[part])
            for position in np.flatnonzero(_in(self.rows.keys(), words[part])):
                result[start + position] = self.rows[words[start + position]]
        return result

    def exact(self, words: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        """Vectors without regard to `rows`: (words, dims), float64."""
        vectors = vectors.astype(np.float64)
        if self.unit_first:
            vectors = unit_rows(vectors)
        changes, before = self._changes(words), vectors
        if changes.all():
            vectors = self._mapped(vectors)
        elif changes.any():
            vectors = np.where(changes[:, np.newaxis], self._mapped(vectors), vectors)
        return unit_rests(vectors, before, unit=self.unit_first) if self.unit_last else vectors

    def restricted(
        self, target: Collection[str] | None = None, ignore: Collection[str] = ()
    ) -> Derivation:
        """The same for some words only: those of `target`, or else all but those to `ignore`.

        Both are about the affine map: lengths and the vectors of listed words stay.

        Raises
        ------
        FairflowError : `target` names words that are untouched.
        """
        if target is None:
            untouched = self.untouched | frozenset(ignore)
            return replace(self, untouched=untouched, facts={**self.facts, "ignore": [*ignore]})
        if contrary := sorted(self.untouched & frozenset(target)):
            raise FairflowError(
                f"target: this transform leaves {', '.join(contrary)} as they are; leave them out "
                "of target or of the list that says so"
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
        """A model with its vectors changed; see `restricted` and `derived_model.derived_model`.

        Parameters
        ----------
        model : a `WordEmbeddingModel`, a store, gensim KeyedVectors, a mapping of words to vectors,
            or a pair of words and vectors, of which the vectors are returned. It stays as it is
            unless `in_place`, which gensim's vectors alone allow.
        """
        chosen = self if target is None and not ignore else self.restricted(target, ignore)
        return derived_model(model, chosen, in_place, name)

    def _changes(self, words: Sequence[str]) -> np.ndarray:
        """Which words the affine map is for: (words,), bool."""
        changes = np.ones(len(words), dtype=bool)
        if self.only is not None:
            changes &= _in(self.only, words)
        changes &= ~_in(self.untouched, words)
        return changes

    def _mapped(self, vectors: np.ndarray) -> np.ndarray:
        if self.offset is not None:
            vectors = vectors - self.offset
        if self.remove is not None:
            vectors = vectors - product(product(vectors, self.remove.T), self.remove)
        elif self.matrix is not None:
            vectors = product(vectors, self.matrix.T)
        return vectors if self.shift is None else vectors + self.shift


def _in(chosen: AbstractSet[str], words: Sequence[str]) -> np.ndarray:
    """Which words are among the chosen ones: (words,), bool."""
    if not chosen or chosen.isdisjoint(words):
        return np.zeros(len(words), dtype=bool)
    return np.fromiter(map(chosen.__contains__, words), bool, len(words))


def _check(derivation: Derivation) -> None:
    if derivation.remove is not None and derivation.matrix is not None:
        raise ValueError("a derivation removes directions or has a matrix, not both")
    dims, wrong = derivation.dims, "must be of the same length as the other arrays"
    shapes = {"matrix": [(dims, dims)], "offset": [(dims,)], "shift": [(dims,)]}
    for name, valid in shapes.items():
        array = getattr(derivation, name)
        if array is not None and array.shape not in valid:
            raise ValueError(f"{name} {array.shape} {wrong} ({dims})")
    if any(row.shape != (dims,) for row in derivation.rows.values()):
        raise ValueError(f"the vectors of the listed words {wrong} ({dims})")
    for name in _ARRAYS:
        array = getattr(derivation, name)
        if array is not None and not np.isfinite(array).all():
            raise ValueError(f"{name} holds a number that is not finite")
    basis = derivation.remove
    if basis is not None and (basis.ndim != 2 or basis.shape[1] != dims):
        raise ValueError(f"remove {basis.shape} must hold one direction of {dims} numbers a row")
    if basis is not None and abs(basis @ basis.T - np.eye(len(basis))).max() > _ORTHONORMAL:
        raise ValueError("the rows of remove must be orthonormal")


def write_derivation(derivation: Derivation, path: str | Path) -> None:
    """Write a derivation as one .npz file; equal derivations, equal bytes."""
    account = {
        "unit_first": derivation.unit_first,
        "unit_last": derivation.unit_last,
        "untouched": sorted(derivation.untouched),
        "only": None if derivation.only is None else sorted(derivation.only),
        "rows": sorted(derivation.rows),
        "facts": dict(derivation.facts),
    }
    arrays = {name: getattr(derivation, name) for name in _ARRAYS}
    arrays = {name: array for name, array in arrays.items() if array is not None}
    if derivation.rows:
        arrays["rows"] = np.stack([derivation.rows[word] for word in account["rows"]])
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
    return Derivation(**account, **arrays, rows=rows)
