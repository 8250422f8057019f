"""The direction of pairs of words, and equalising words along it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from fairflow.errors import FairflowError
from fairflow.transforms import _words
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import NOISE

DIRECTIONS = ("pca", "single", "sum")


def pair_direction(kind: str, pairs: Sequence[np.ndarray], first: np.ndarray) -> np.ndarray:
    """A unit vector from the second words of pairs towards the first ones: (dims,).

    Parameters
    ----------
    kind : `pca`, the first principal component as given; `single`, the difference of the first
        pair; `sum`, the difference of the sums of all first and of all second words, each sum
        divided by its length.
    pairs : (2, dims) each, unit vectors. first : (dims,), the first principal component.
    """
    if kind == "pca":
        return first
    sides = np.stack(pairs).sum(axis=0) if kind == "sum" else pairs[0]
    sides = sides / np.linalg.norm(sides, axis=1, keepdims=True)
    difference = sides[0] - sides[1]
    return difference / np.linalg.norm(difference)


def with_equalised(
    derivation: Derivation,
    sets: _words.FoundSets,
    equalise: Callable[..., np.ndarray],
    current: bool,
) -> Derivation:
    """A derivation to unit vectors that also equalises sets of words along what it removes.

    Parameters
    ----------
    sets : with unit vectors; they are equalised one after the other. equalise : `equalised_pair` or
        `equalised_set`.
    current : whether a set is equalised from its vectors after the derivation and the sets before
        it, or from the original vectors.
    """
    rows: dict[str, np.ndarray] = {}
    for words, original in zip(sets.words, sets.vectors, strict=True):
        vectors = original
        if current:
            derived = derivation.exact(words, original)
            vectors = np.stack([rows.get(*each) for each in zip(words, derived, strict=True)])
        even = equalise(vectors, derivation.remove, original, words)
        rows.update(zip(words, even, strict=True))
    return replace(derivation, rows=rows)


def equalised_pair(
    pair: np.ndarray, basis: np.ndarray, original: np.ndarray, words: Sequence[str] = ()
) -> np.ndarray:
    """Two unit vectors with equal parts orthogonal to a direction and opposite parts along it.

        y = m - (m . b) b,  m = (p + q) / 2;  z = sqrt(1 - |y|^2)
        p, q <- y + s z b, y - s z b,  s = 1 if (p - q) . b >= 0 else -1

    If both were neutralised before, (p - q) . b is rounding noise, and s is computed from the
    original vectors.

    Parameters
    ----------
    pair, original : (2, dims), the current and the original unit vectors. basis : b, (1, dims).
    """
    (direction,) = basis
    beside = pair.mean(axis=0)
    beside = beside - (beside @ direction) * direction
    along = np.sqrt(max(0.0, 1 - beside @ beside))
    part = (pair[0] - pair[1]) @ direction
    if abs(part) < NOISE:
        part = (original[0] - original[1]) @ direction
    signed = along if part >= 0 else -along
    return np.stack([beside + signed * direction, beside - signed * direction])


def equalised_set(
    vectors: np.ndarray, basis: np.ndarray, original: np.ndarray, words: Sequence[str]
) -> np.ndarray:
    """Unit vectors with equal parts orthogonal to a subspace and parts of equal length within it.

        u = m - P m,  m the mean;  v <- u + sqrt(1 - |u|^2) (P v - P m) / |P v - P m|

    Parameters
    ----------
    vectors : (words, dims), unit. basis : (components, dims), orthonormal. words : for errors.

    Raises
    ------
    FairflowError : within the subspace a word equals the mean, so that it has no direction.
    """
    mean = vectors.mean(axis=0)
    beside = mean - basis.T @ (basis @ mean)
    away = (vectors - mean) @ basis.T
    lengths = np.linalg.norm(away, axis=1, keepdims=True)
    if (bad := lengths[:, 0] < NOISE).any():
        named = ", ".join(word for word, flag in zip(words, bad, strict=True) if flag)
        raise FairflowError(
            f"equalise: within the bias subspace {named} equals the mean of {', '.join(words)}, so "
            "that it has no side: remove it, or do not neutralise it"
        )
    along = np.sqrt(max(0.0, 1 - beside @ beside))
    return beside + along * (away / lengths) @ basis
