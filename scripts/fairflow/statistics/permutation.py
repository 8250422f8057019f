"""Permutation tests: how often would an exchange of the target words give as much?

Pesarin & Salmaso 2010 on exact tests; Phipson & Smyth 2010 (https://doi.org/10.2202/1544-6115.1585)
on p-values from random permutations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from fairflow.statistics.additive_test import Tail, upper_tail
from fairflow.statistics.exchange import Exchange
from fairflow.statistics.kernel import Kernel

SIDES = ("right", "left", "two-sided")
METHODS = ("auto", "exact", "approximate")

# Statistics that differ by less than this share of the largest one count as equal.
TIE_TOLERANCE = 1e-12
# The same of statistics in single precision, which random exchanges alone may be in.
SINGLE_TOLERANCE = 1e-6
# However dear they are, so many random exchanges are drawn.
FEWEST = 5_000


@dataclass(frozen=True)
class PermutationTest:
    """What a permutation test found.

    Attributes
    ----------
    p_value : share of the exchanges, the observed one included, with a statistic at least as
        extreme; never 0.
    method : "exact" (every exchange counted), "binned" (every exchange, of rounded values) or
        "monte carlo" (random exchanges).
    side : "right", "left" or "two-sided", by the distance from the null mean.
    n_permutations : exchanges counted or drawn.
    smallest : the smallest p-value that the test can give.
    error : how much p_value may be too large by rounding ("binned"), or its standard error
        ("monte carlo"); 0 if exact.
    null_mean, null_sd : of the statistic over the exchanges.
    p_normal : p-value of a normal distribution with that mean and sd, as Caliskan et al. print.
    """

    p_value: float
    method: str
    side: str
    n_permutations: int
    smallest: float
    error: float
    null_mean: float
    null_sd: float
    p_normal: float


def permutation_test(
    kernel: Kernel,
    generator: np.random.Generator,
    side: str | None = None,
    method: str = "auto",
    exact_up_to: int = 3_000_000,
    permutations: int = 100_000,
    largest_work: int = 50_000_000,
) -> PermutationTest:
    """Test that the units are exchangeable between the target sets (or in their signs).

    Additive statistics of up to 100 units are tested exactly, others exactly when there are at
    most `exact_up_to` exchanges, and otherwise by random exchanges.

    Parameters
    ----------
    side : the kernel's own by default.
    method : "exact" or "approximate" in any case, or "auto".
    permutations : random exchanges.
    largest_work : numbers that may be gone through (exchanges times `kernel.width`) with "auto";
        above, fewer random exchanges are drawn.

    Raises
    ------
    ValueError : an unknown side or method, or too many exchanges for "exact".
    """
    side = side or kernel.side
    how = (method, exact_up_to, permutations, largest_work)
    return permutation_tests(kernel, generator, (side,), *how)[side]


def permutation_tests(
    kernel: Kernel,
    generator: np.random.Generator,
    sides: Sequence[str] = SIDES,
    method: str = "auto",
    exact_up_to: int = 3_000_000,
    permutations: int = 100_000,
    largest_work: int = 50_000_000,
) -> dict[str, PermutationTest]:
    """Side -> the test of it, each as `permutation_test` gives it, of the same exchanges."""
    for side in sides:
        if side not in SIDES:
            raise ValueError(f"side must be one of {', '.join(SIDES)}, got {side!r}")
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    exchange = Exchange(kernel)
    if method != "approximate" and exchange.values is not None:
        return _additive_tests(exchange, sides)
    affordable = max(largest_work // kernel.width, FEWEST)
    if method == "exact" and exchange.number > exact_up_to:
        raise ValueError(
            f"{exchange.number} exchanges are more than the {exact_up_to} that may be listed"
        )
    if method == "exact" or (method == "auto" and exchange.number <= min(exact_up_to, affordable)):
        return _judge(exchange, exchange.every(), sides, "exact")
    if method == "auto":
        permutations = min(permutations, affordable)
    return _judge(exchange, exchange.drawn(permutations, generator), sides, "monte carlo")


def _judge(
    exchange: Exchange, null: np.ndarray, sides: Sequence[str], method: str
) -> dict[str, PermutationTest]:
    observed = exchange.observed()
    if method != "exact":
        null = np.append(null, observed)
    null_mean, null_sd = float(np.nanmean(null)), float(np.nanstd(null))
    # The mean over all exchanges, the observed one among them, keeps the test valid.
    centre = 0.0 if exchange.zero_mean else null_mean
    rounding = SINGLE_TOLERANCE if exchange.kernel.single and method != "exact" else TIE_TOLERANCE
    tolerance = rounding * max(exchange.kernel.magnitude, float(np.nanmax(np.abs(null - centre))))

    def judged(side: str) -> PermutationTest:
        p_value, error = _p_and_error(exchange, observed, null, centre, side, tolerance, method)
        both = side == "two-sided" and exchange.zero_mean and method == "exact"
        return PermutationTest(
            p_value=p_value,
            method=method,
            side=side,
            n_permutations=len(null) - (method != "exact"),
            smallest=min(1.0, (2 if both else 1) / len(null)),
            error=error,
            null_mean=null_mean,
            null_sd=null_sd,
            p_normal=normal_p(observed - null_mean, null_sd if null_sd > tolerance else 0.0, side),
        )

    return {side: judged(side) for side in sides}


def _p_and_error(
    exchange: Exchange,
    observed: float,
    null: np.ndarray,
    centre: float,
    side: str,
    tolerance: float,
    method: str,
) -> tuple[float, float]:
    p_value = _share(null, observed, centre, side, tolerance)
    if method == "exact":
        return p_value, 0.0
    error = math.sqrt(p_value * (1 - p_value) / len(null))
    if not exchange.zero_mean and side == "two-sided":
        # It moves with the mean from which distances count, which is drawn too.
        off = float(np.nanstd(null)) / math.sqrt(len(null))
        moved = [_share(null, observed, centre + d, side, tolerance) for d in (off, -off)]
        error = math.hypot(error, (moved[0] - moved[1]) / 2)
    return p_value, error


def _share(null: np.ndarray, observed: float, centre: float, side: str, tolerance: float) -> float:
    """Share of the exchanges at least as extreme as the observed one.

    An exchange without a statistic counts as extreme, so that the test stays valid.
    """
    if side == "two-sided":
        null, observed = np.abs(null - centre), abs(observed - centre)
    nearer = null > observed + tolerance if side == "left" else null < observed - tolerance
    return float(np.mean(~nearer))


def _additive_tests(exchange: Exchange, sides: Sequence[str]) -> dict[str, PermutationTest]:
    """The exact test of a difference of means, which grows with the sum of the first set."""
    values, labels = exchange.values, exchange.labels
    first, second = (int(np.sum(labels == i)) for i in (0, 1))
    free = values[exchange.free]
    size = exchange.sizes[0]
    observed = float(values[labels == 0].sum() - values[(labels == 0) & ~exchange.free].sum())
    expected = size * float(free.mean()) if len(free) else 0.0
    tolerance = TIE_TOLERANCE * float(np.abs(values).sum())
    above = observed - expected

    alike = exchange.sizes[0] == exchange.sizes[1]
    # Of equal sizes the rest of a choice that reaches as far lies as far on the other side.
    other = 1 if alike else -1
    tail = _tails(free, size, tolerance)
    scale = 1 / first + 1 / second
    null_sd = scale * _sd_of_sum(free, size)
    difference = float(values[labels == 0].mean() - values[labels == 1].mean())

    def tested(side: str) -> PermutationTest:
        tails = {"right": [(1, above)], "left": [(other, -above)]}
        tails["two-sided"] = [(1, abs(above)), (other, abs(above))]
        found = [tail(*one) for one in tails[side]]
        error = sum(one.error for one in found)
        both = side == "two-sided" and alike
        return PermutationTest(
            # A sum in the very middle is in both tails.
            p_value=min(1.0, sum(one.p for one in found)),
            method="binned" if error else "exact",
            side=side,
            n_permutations=exchange.number,
            smallest=min(1.0, (2 if both else 1) / exchange.number),
            error=error,
            null_mean=difference - scale * above,
            null_sd=null_sd,
            p_normal=normal_p(above, null_sd / scale if null_sd > scale * tolerance else 0.0, side),
        )

    return {side: tested(side) for side in sides}


def _tails(free: np.ndarray, size: int, tolerance: float) -> Callable[[int, float], Tail]:
    """Share of the sums of `size` values, or of their negatives, so far above their mean or more.

    Counted once, as the tests of several sides have tails in common.
    """

    @cache
    def tail(sign: int, distance: float) -> Tail:
        some = sign * free
        return upper_tail(some, size, size * float(some.mean()) + distance, tolerance)

    return tail


def _sd_of_sum(values: np.ndarray, size: int) -> float:
    """Standard deviation of the sum of `size` of the values, drawn without replacement."""
    n = len(values)
    if n < 2:
        return 0.0
    return math.sqrt(size * (n - size) / n * float(values.var(ddof=1)))


def normal_p(deviation: float, sd: float, side: str) -> float:
    """p-value of a deviation from the mean of a normal distribution; NaN when it has no spread."""
    if not sd > 0:
        return math.nan
    z = {"right": deviation, "left": -deviation, "two-sided": abs(deviation)}[side] / sd
    return math.erfc(z / math.sqrt(2)) * (1.0 if side == "two-sided" else 0.5)
