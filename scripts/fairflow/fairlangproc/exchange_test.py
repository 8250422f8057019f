"""The permutation test of WEAT and SEAT: how often would another split of the targets give as much?

Caliskan, Bryson & Narayanan 2017 (https://doi.org/10.1126/science.aal4230); ties and sampling as in
the code of May et al. 2019 (https://doi.org/10.18653/v1/N19-1063).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairflow.statistics.additive_test import LARGEST_BINNED, upper_tail
from fairflow.statistics.partitions import random_labellings
from fairflow.statistics.permutation import TIE_TOLERANCE

METHODS = ("auto", "exact", "sampled", "none")
TAILS = ("strict", "weak")
# Random splits are drawn in pieces of about this many numbers.
CHUNK = 4_000_000


@dataclass(frozen=True)
class ExchangeTest:
    """Result of the test.

    Attributes
    ----------
    p_value : NaN for method "none".
    method : "exact", "binned" (every split, of rounded sums), "sampled" or "none".
    splits : counted or drawn.
    error : how much p_value may be too large by rounding ("binned"), otherwise 0.
    """

    p_value: float
    method: str
    splits: int
    error: float = 0.0


def exchange_test(
    first: np.ndarray,
    second: np.ndarray,
    method: str = "auto",
    samples: int = 100_000,
    tail: str = "weak",
    seed: int = 0,
) -> ExchangeTest:
    """Share of the splits of all values, sizes kept, in which the first set's sum is larger.

    For sets of fixed sizes the sum orders the splits as the difference of means does.

    Parameters
    ----------
    first, second : (n,), (m,) associations of the target words.
    method : "exact" counts all splits, of up to 100 words (see
        `fairflow.statistics.additive_test.upper_tail`); "sampled" draws `samples`, and the observed
        split counts as one more; "auto" is the first that can be had.
    tail : "weak" counts splits with an equal sum (May et al.), so that p is never 0; "strict" does
        not (Caliskan et al.).

    Raises
    ------
    ValueError : an unknown method or tail, an empty set, or too many words for "exact".
    """
    for name, value, valid in (("method", method, METHODS), ("tail", tail, TAILS)):
        if value not in valid:
            raise ValueError(f"{name} must be one of {', '.join(valid)}, got {value!r}")
    if not len(first) or not len(second):
        raise ValueError(f"both sets need words, got {len(first)} and {len(second)}")
    if method == "none":
        return ExchangeTest(math.nan, "none", 0)
    values = np.concatenate([first, second])
    n, size = len(values), len(first)
    if method == "exact" and n > LARGEST_BINNED:
        raise ValueError(f"{n} words are more than the {LARGEST_BINNED} that can be tested exactly")
    # Sums of the same numbers in another order differ by rounding; where all are 0 none is less.
    tolerance = max(TIE_TOLERANCE * float(np.abs(values).sum()), float(np.finfo(float).tiny))
    observed = float(first.sum())
    threshold = np.nextafter(observed + 2 * tolerance, np.inf) if tail == "strict" else observed
    if method == "exact" or (method == "auto" and n <= LARGEST_BINNED):
        tail_of_exchanges = upper_tail(values, size, threshold, tolerance)
        told = "binned" if tail_of_exchanges.error else "exact"
        return ExchangeTest(tail_of_exchanges.p, told, math.comb(n, size), tail_of_exchanges.error)
    sums = _random_sums(values, size, samples, np.random.default_rng(seed))
    reached = int(np.count_nonzero(sums >= threshold - tolerance))
    return ExchangeTest((reached + 1) / (samples + 1), "sampled", samples)


def _random_sums(
    values: np.ndarray, size: int, samples: int, generator: np.random.Generator
) -> np.ndarray:
    """The sum of the first `size` values in random splits, all equally likely: (samples,)."""
    sizes = size, len(values) - size
    step = max(1, CHUNK // len(values))
    counts = [min(step, samples - start) for start in range(0, samples, step)]
    return np.concatenate(
        [values @ (random_labellings(sizes, count, generator).T == 0) for count in counts]
    )
