"""The permutation test of WEAT and SEAT: how often would another split of the targets give as much?

Caliskan, Bryson & Narayanan 2017 (https://doi.org/10.1126/science.aal4230); ties and sampling as in
the code of May et al. 2019 (https://doi.org/10.18653/v1/N19-1063).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

METHODS = ("auto", "exact", "sampled", "none")
TAILS = ("strict", "weak")
# Splits are evaluated in pieces of about this many numbers.
CHUNK = 4_000_000
# Sums that method "exact" may keep at once.
MOST_SPLITS = 50_000_000


@dataclass(frozen=True)
class ExchangeTest:
    """Result of the test.

    Attributes
    ----------
    p_value : NaN for method "none".
    method : "exact", "sampled" or "none". splits : counted or drawn.
    """

    p_value: float
    method: str
    splits: int


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
    method : "auto" lists all splits if there are at most `samples`, else draws `samples`; the
        observed split then counts as one more.
    tail : "weak" counts splits with an equal sum (May et al.), so that p is never 0; "strict" does
        not (Caliskan et al.).

    Raises
    ------
    ValueError : an unknown method or tail, an empty set, or too many splits for "exact".
    """
    for name, value, valid in (("method", method, METHODS), ("tail", tail, TAILS)):
        if value not in valid:
            raise ValueError(f"{name} must be one of {', '.join(valid)}, got {value!r}")
    if not len(first) or not len(second):
        raise ValueError(f"both sets need words, got {len(first)} and {len(second)}")
    values, size = np.concatenate([first, second]), len(first)
    splits = math.comb(len(values), size)
    if method == "exact" and splits > MOST_SPLITS:
        raise ValueError(f"{splits} splits are more than the {MOST_SPLITS} that can be listed")
    # Sums of the same numbers in another order differ by rounding.
    slack = 1e-12 * float(np.abs(values).sum())
    own = float(first.sum())
    bound = own + slack if tail == "strict" else np.nextafter(own - slack, -np.inf)
    if method == "none":
        return ExchangeTest(math.nan, "none", 0)
    if method == "exact" or (method == "auto" and splits <= samples):
        above = int(np.count_nonzero(_every_sum(values, size) > bound))
        return ExchangeTest(above / splits, "exact", splits)
    above = _random_above(values, size, samples, bound, np.random.default_rng(seed))
    return ExchangeTest((above + 1) / (samples + 1), "sampled", samples)


def _every_sum(values: np.ndarray, size: int) -> np.ndarray:
    """The sum of every subset of `size` values."""
    sums = [np.zeros(1)] + [np.empty(0)] * size
    for value in values:
        for k in range(size, 0, -1):
            sums[k] = np.concatenate([sums[k], sums[k - 1] + value])
    return sums[size]


def _random_above(
    values: np.ndarray, size: int, samples: int, bound: float, generator: np.random.Generator
) -> int:
    """In how many random splits the sum of `size` values is above a bound."""
    # A split and its complement tell the same; the smaller set is drawn.
    smaller = min(size, len(values) - size)
    above = 0
    step = max(1, CHUNK // len(values))
    for start in range(0, samples, step):
        rows = min(step, samples - start)
        sums = _random_sums(values, smaller, rows, generator)
        above += int(np.count_nonzero((sums if smaller == size else values.sum() - sums) > bound))
    return above


def _random_sums(
    values: np.ndarray, size: int, rows: int, generator: np.random.Generator
) -> np.ndarray:
    """Sums of random subsets, all equally likely: (rows,).

    A partial shuffle of all rows at once: in step k the value at a random place from k on is taken
    and the one at place k put there.
    """
    table = np.repeat(values[:, np.newaxis], rows, axis=1)  # (values, rows)
    columns = np.arange(rows)
    sums = np.zeros(rows)
    for k in range(size):
        chosen = generator.integers(k, len(values), rows)
        sums += table[chosen, columns]
        table[chosen, columns] = table[k]
    return sums
