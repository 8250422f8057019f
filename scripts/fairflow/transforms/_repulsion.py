"""The objective of RAN for one word, and the vector at which it is least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.vectors.bias_subspace import indirect_bias

_TOLERANCE = 1e-12
_NOTHING_LEFT = 1e-9


@dataclass(frozen=True)
class MovedWord:
    """What became of a word: its vector (dims,), neighbours repelled, J before and after."""

    vector: np.ndarray
    repelled: int
    before: float
    after: float


def moved_word(
    word: np.ndarray,
    near: np.ndarray,
    direction: np.ndarray,
    weights: Sequence[float],
    neighbours: int,
    threshold: float,
) -> MovedWord:
    """Move a word away from those of its neighbours that share its bias.

    Parameters
    ----------
    word, direction : (dims,), near : (words, dims), those nearest and perhaps others; all of length
        1. weights : of the three terms. neighbours : how many count. threshold : of indirect bias.
    """
    near = near[np.argsort(-(near @ word), kind="stable")[:neighbours]]
    repelled = near[indirect_bias(near, word, direction) > threshold]
    vector = least_objective(repelled, direction, word, weights)
    before, after = (objective(x, repelled, direction, word, weights) for x in (word, vector))
    return MovedWord(vector, len(repelled), before, after)


def objective(
    vector: np.ndarray,
    repelled: np.ndarray,
    direction: np.ndarray,
    word: np.ndarray,
    weights: Sequence[float],
) -> float:
    """J of RAN at a vector of any length, with neighbours (words, dims) of length 1."""
    vector = vector / np.linalg.norm(vector)
    away = np.abs(repelled @ vector).mean() if len(repelled) else 0.0
    terms = (away, (1 - vector @ word) / 2, abs(vector @ direction))
    return float(np.dot(weights, terms))


def least_objective(
    repelled: np.ndarray, direction: np.ndarray, word: np.ndarray, weights: Sequence[float]
) -> np.ndarray:
    """The vector (dims,) of length 1 at which J is least; the word where nothing remains."""
    from scipy.optimize import lsq_linear

    columns = np.column_stack([*repelled, direction])
    bounds = np.append(np.full(len(repelled), weights[0] / max(1, len(repelled))), weights[2])
    wanted = weights[1] / 2 * word
    solved = lsq_linear(columns, wanted, (-bounds, bounds), method="bvls", tol=_TOLERANCE)
    left = wanted - columns @ solved.x
    length = np.linalg.norm(left)
    return left / length if length > _NOTHING_LEFT else word
