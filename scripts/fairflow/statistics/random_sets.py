"""The null band: scores of the same query with random words in place of its target words.

After Dobrzeniecka & Urbaniak 2024 (https://aclanthology.org/2024.cl-2.4), who show that random
sets give scores that are commonly read as bias.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairflow.statistics.kernel import Kernel


@dataclass(frozen=True)
class NullBand:
    """Where the scores of random target sets lie.

    Attributes
    ----------
    low, high : ends of the central band of `level`.
    p_random : share of the random sets, the query itself counted as one, whose score is at least
        as far from their median.
    """

    low: float = math.nan
    high: float = math.nan
    p_random: float = math.nan


def random_scores(
    kernel: Kernel, per_word: int, sets: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """Each measure over random target sets: (sets,).

    Parameters
    ----------
    kernel : of random words, `per_word` consecutive units in place of each target word; a random
        set takes one of them for each.
    """
    places = kernel.n_units // per_word
    chosen = generator.integers(0, per_word, (sets, places)) + np.arange(places) * per_word
    taken = np.zeros((sets, kernel.n_units), np.float32 if kernel.single else float)
    np.put_along_axis(taken, chosen, 1, axis=1)
    observed = [weights.astype(taken.dtype) for weights in kernel.observed]
    parts = [
        kernel.measures([weights * taken[start : start + kernel.chunk] for weights in observed])
        for start in range(0, sets, kernel.chunk)
    ]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def null_band(value: float, scores: np.ndarray, level: float = 0.95) -> NullBand:
    """The band that random scores leave, and how far out the query's own value lies."""
    scores = scores[~np.isnan(scores)]
    if not scores.size:
        return NullBand()
    low, middle, high = np.quantile(scores, ((1 - level) / 2, 0.5, (1 + level) / 2))
    if math.isnan(value):
        return NullBand(float(low), float(high))
    as_far = np.count_nonzero(np.abs(scores - middle) >= abs(value - middle))
    return NullBand(float(low), float(high), float((1 + as_far) / (1 + scores.size)))
