"""Permutation tests: how often would an exchange of the target words give as much?

Pesarin & Salmaso 2010 on exact tests; Phipson & Smyth 2010 (https://doi.org/10.2202/1544-6115.1585)
on p-values from random permutations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations
from typing import Any

import numpy as np

from fairflow.statistics.exact_sum_test import LARGEST_BINNED, Tail, upper_tail
from fairflow.statistics.resampling_statistic import ResamplingStatistic


def number_of_labellings(sizes: Sequence[int]) -> int:
    """The number of ways to assign units to sets of these sizes."""
    return math.factorial(sum(sizes)) // math.prod(map(math.factorial, sizes))


def every_labelling(sizes: Sequence[int]) -> np.ndarray:
    """Every way to assign units to sets: (number_of_labellings, units), the number of the set."""
    if len(sizes) == 1:
        return np.zeros((1, sizes[0]), dtype=np.uint8)
    first, rest = sizes[0], sizes[1:]
    in_first = every_subset(sum(sizes), first)  # (choices, units)
    if len(rest) == 1:
        return (~in_first).astype(np.uint8)
    others = every_labelling(rest) + 1  # (labellings of the rest, units - first)
    labels = np.zeros((len(in_first), len(others), sum(sizes)), dtype=np.uint8)
    where = np.nonzero(~in_first)[1].reshape(len(in_first), 1, sum(rest))
    np.put_along_axis(labels, np.broadcast_to(where, (*labels.shape[:2], sum(rest))), others, 2)
    return labels.reshape(-1, sum(sizes))


def every_subset(n: int, size: int) -> np.ndarray:
    """Every subset of a size: (subsets, n), True for its members."""
    number = math.comb(n, size)
    members = chain.from_iterable(combinations(range(n - 1, -1, -1), size))
    chosen = np.fromiter(members, np.uint8, number * size).reshape(number, size)
    subsets = np.zeros((number, n), dtype=bool)
    np.put_along_axis(subsets, chosen, True, axis=1)
    return subsets


def every_sign(n: int) -> np.ndarray:
    """Every choice of signs: (2**n, n), 1 for a reversed sign; n is at most 32."""
    digits = np.arange(2**n, dtype="<u4").view(np.uint8).reshape(-1, 4)
    return np.unpackbits(digits, axis=1, bitorder="little", count=n)


def random_labellings(
    sizes: Sequence[int], number: int, generator: np.random.Generator
) -> np.ndarray:
    """Random ways to assign units to sets, all equally likely: (number, units).

    Unit after unit is assigned to a set with probability proportional to the places left in it.
    """
    n = sum(sizes)
    labels = np.zeros((n, number), dtype=np.uint8)
    # Places left in each set; the last takes what the others leave.
    kind: type[np.unsignedinteger] = np.uint16 if n < 2**16 else np.uint32
    left = [np.full(number, size, dtype=kind) for size in sizes[:-1]]
    for unit, label in enumerate(labels):
        draw = generator.integers(0, n - unit, number, dtype=kind)
        reached = np.zeros(number, dtype=kind)
        for places in left:
            reached += places
            label += draw >= reached
        for number_of_set, places in enumerate(left):
            places -= label == number_of_set
    return labels.T


def random_signs(sizes: Sequence[int], number: int, generator: np.random.Generator) -> np.ndarray:
    """Random signs of the units of a set, both equally likely: (number, units), 1 if reversed."""
    return generator.integers(0, 2, (number, sizes[0]), dtype=np.uint8)


# Random exchanges, which are drawn unit by unit.
DRAWN_AT_ONCE = 16_384


class Exchange:
    """What the test exchanges. Words of several target sets stay where they are.

    Attributes
    ----------
    sizes : free units of each target set. number : of exchanges.
    labels : (units,) as observed: the number of each unit's target set, or 0 for its own sign.
    """

    def __init__(self, statistic: ResamplingStatistic) -> None:
        self.statistic = statistic
        self.signs = statistic.exchanged == "signs"
        sets = np.repeat(np.arange(len(statistic.sizes)), statistic.sizes)
        self.labels = (0 * sets if self.signs else sets).astype(np.uint8)
        self.free = np.ones(len(sets), dtype=bool) if self.signs else statistic.free
        self.sizes = [int(np.sum(self.free & (sets == i))) for i in range(len(statistic.sizes))]
        self.number = 2 ** len(sets) if self.signs else number_of_labellings(self.sizes)

    @property
    def zero_mean(self) -> bool:
        """Whether the statistic's mean over the exchanges is 0 by symmetry."""
        # Words that stay where they are move the mean of sets of unequal sizes.
        balanced = bool(self.free.all()) or len(set(self.sizes)) == 1
        return self.signs or (self.statistic.zero_mean and balanced)

    @property
    def values(self) -> np.ndarray | None:
        """The contributions of all units, if two sets exchange labels and not too many."""
        if self.signs or len(self.sizes) != 2 or sum(self.sizes) > LARGEST_BINNED:
            return None
        return self.statistic.contributions

    def every(self) -> np.ndarray:
        """The statistic of every exchange: (number,)."""
        listed = every_sign(self.sizes[0]) if self.signs else every_labelling(self.sizes)
        chunk = self.statistic.chunk
        return self._statistics(listed[i : i + chunk] for i in range(0, len(listed), chunk))

    def drawn(self, number: int, generator: np.random.Generator) -> np.ndarray:
        """The statistic of random exchanges: (number,)."""
        draw = random_signs if self.signs else random_labellings
        counts = (min(DRAWN_AT_ONCE, number - i) for i in range(0, number, DRAWN_AT_ONCE))
        chunk, kind = self.statistic.chunk, np.float32 if self.statistic.single else float
        drawn = (draw(self.sizes, count, generator) for count in counts)
        parts = (labels[i : i + chunk] for labels in drawn for i in range(0, len(labels), chunk))
        return self._statistics(parts, kind)

    def observed(self) -> float:
        """The statistic of the query as it is, computed in the same way."""
        return float(self._statistics([self.labels[np.newaxis, self.free]])[0])

    def _statistics(self, exchanges: Iterable[np.ndarray], kind: type = float) -> np.ndarray:
        return np.concatenate([self._statistic(labels, kind) for labels in exchanges])

    def _statistic(self, free_labels: np.ndarray, kind: type) -> np.ndarray:
        labels = free_labels
        if not self.free.all():
            labels = np.repeat(self.labels[np.newaxis], len(free_labels), axis=0)
            labels[:, self.free] = free_labels
        if self.signs:
            return self.statistic.test_statistic([1.0 - 2.0 * labels])
        sets = range(len(self.sizes))
        return self.statistic.test_statistic([(labels == i).astype(kind) for i in sets])


ALTERNATIVES = ("greater", "less", "two-sided")
METHODS = ("auto", "exact", "approximate")

# Statistics that differ by less than this share of the largest one count as equal.
TIE_TOLERANCE = 1e-12
# The same of statistics in single precision, which random exchanges alone may be in.
SINGLE_TOLERANCE = 1e-6
# At least this number of random exchanges is drawn, however much they cost.
FEWEST = 5_000


@dataclass(frozen=True)
class PermutationTest:
    """The result of a permutation test.

    Attributes
    ----------
    p_value : share of the exchanges, the observed one included, with a statistic at least as
        extreme; never 0.
    method : "exact" (every exchange counted), "binned" (every exchange, of rounded values) or
        "monte carlo" (random exchanges).
    alternative : "greater", "less" or "two-sided", by the distance from the null mean.
    n_permutations : exchanges counted or drawn.
    smallest : the smallest p-value that the test can give.
    error : how much p_value may be too large by rounding ("binned"), or its standard error
        ("monte carlo"); 0 if exact.
    null_mean, null_sd : of the statistic over the exchanges.
    p_normal : p-value of a normal distribution with that mean and sd, as Caliskan et al. print.
    """

    p_value: float
    method: str
    alternative: str
    n_permutations: int
    smallest: float
    error: float = math.nan
    null_mean: float = math.nan
    null_sd: float = math.nan
    p_normal: float = math.nan

    @property
    def columns(self) -> dict[str, Any]:
        """The statistical columns of a test of one alternative."""
        return {
            "alternative": self.alternative,
            "p_value": self.p_value,
            "p_method": self.method,
            "p_smallest": self.smallest,
            "p_error": self.error,
            "p_normal": self.p_normal,
        }


# Alternative -> its test.
Tests = dict[str, PermutationTest]


def columns_of_tests(
    statistic: str, test: PermutationTest, tests: Iterable[PermutationTest]
) -> dict[str, Any]:
    """The statistical columns of a test, and of the tests of all alternatives."""
    return {
        **test.columns,
        "p_statistic": statistic,
        "n_permutations": float(test.n_permutations),
        "null_mean": test.null_mean,
        "null_sd": test.null_sd,
        "tests": [one.columns for one in tests],
    }


def permutation_test(
    statistic: ResamplingStatistic,
    generator: np.random.Generator,
    alternative: str | None = None,
    **how: Any,
) -> PermutationTest:
    """Test that the units are exchangeable between the target sets (or in their signs).

    Additive statistics of up to 100 units are tested exactly, others exactly when there are at
    most `exact_up_to` exchanges, and otherwise by random exchanges.

    Parameters
    ----------
    alternative : the statistic's own by default. how : see `permutation_tests`.

    Raises
    ------
    ValueError : an unknown alternative or method, or too many exchanges for "exact".
    """
    alternative = alternative or statistic.alternative
    return permutation_tests(statistic, generator, (alternative,), **how)[alternative]


def permutation_tests(
    statistic: ResamplingStatistic,
    generator: np.random.Generator,
    alternatives: Sequence[str] = ALTERNATIVES,
    method: str = "auto",
    exact_up_to: int = 3_000_000,
    permutations: int = 100_000,
    largest_work: int = 50_000_000,
) -> Tests:
    """Alternative -> its test, as `permutation_test` gives it, from the same exchanges.

    Parameters
    ----------
    method : "exact" or "approximate" in any case, or "auto".
    permutations : random exchanges.
    largest_work : numbers that "auto" may process (exchanges times `statistic.width`);
        above, fewer random exchanges are drawn.
    """
    for alternative in alternatives:
        if alternative not in ALTERNATIVES:
            raise ValueError(
                f"alternative must be one of {', '.join(ALTERNATIVES)}, got {alternative!r}"
            )
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    exchange = Exchange(statistic)
    if method != "approximate" and (values := exchange.values) is not None:
        return _additive_tests(exchange, values, alternatives)
    affordable = max(largest_work // statistic.width, FEWEST)
    if method == "exact" and exchange.number > exact_up_to:
        raise ValueError(
            f"{exchange.number} exchanges are more than the {exact_up_to} that may be listed"
        )
    if method == "exact" or (method == "auto" and exchange.number <= min(exact_up_to, affordable)):
        return _judge(exchange, exchange.every(), alternatives, "exact")
    if method == "auto":
        permutations = min(permutations, affordable)
    return _judge(exchange, exchange.drawn(permutations, generator), alternatives, "monte carlo")


def _judge(exchange: Exchange, null: np.ndarray, alternatives: Sequence[str], method: str) -> Tests:
    observed = exchange.observed()
    if method != "exact":
        null = np.append(null, observed)
    null_mean, null_sd = float(np.nanmean(null)), float(np.nanstd(null))
    # The mean over all exchanges, the observed one among them, keeps the test valid.
    centre = 0.0 if exchange.zero_mean else null_mean
    rounding = (
        SINGLE_TOLERANCE if exchange.statistic.single and method != "exact" else TIE_TOLERANCE
    )
    tolerance = rounding * max(
        exchange.statistic.magnitude, float(np.nanmax(np.abs(null - centre)))
    )

    def share(alternative: str, middle: float = centre) -> float:
        """Share of the exchanges at least as extreme as the observed one.

        An exchange without a statistic counts as extreme, so that the test stays valid.
        """
        values, own = null, observed
        if alternative == "two-sided":
            values, own = np.abs(null - middle), abs(observed - middle)
        nearer = values > own + tolerance if alternative == "less" else values < own - tolerance
        return float(np.mean(~nearer))

    def judged(alternative: str) -> PermutationTest:
        p_value, error = share(alternative), 0.0
        if method != "exact":
            error = math.sqrt(p_value * (1 - p_value) / len(null))
        if method != "exact" and not exchange.zero_mean and alternative == "two-sided":
            # It moves with the mean from which distances count, which is drawn too.
            off = null_sd / math.sqrt(len(null))
            moved = share(alternative, centre + off) - share(alternative, centre - off)
            error = math.hypot(error, moved / 2)
        both = alternative == "two-sided" and exchange.zero_mean and method == "exact"
        spread = null_sd if null_sd > tolerance else 0.0
        return PermutationTest(
            p_value=p_value,
            method=method,
            alternative=alternative,
            n_permutations=len(null) - (method != "exact"),
            smallest=min(1.0, (2 if both else 1) / len(null)),
            error=error,
            null_mean=null_mean,
            null_sd=null_sd,
            p_normal=deviation_p(observed - null_mean, spread, alternative),
        )

    return {alternative: judged(alternative) for alternative in alternatives}


def _additive_tests(exchange: Exchange, values: np.ndarray, alternatives: Sequence[str]) -> Tests:
    """The exact test of a difference of means, which grows with the sum of the first set."""
    labels = exchange.labels
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

    def tested(alternative: str) -> PermutationTest:
        tails = {"greater": [(1, above)], "less": [(other, -above)]}
        tails["two-sided"] = [(1, abs(above)), (other, abs(above))]
        found = [tail(*one) for one in tails[alternative]]
        error = sum(one.error for one in found)
        both = alternative == "two-sided" and alike
        return PermutationTest(
            # A sum in the very middle is in both tails.
            p_value=min(1.0, sum(one.p for one in found)),
            method="binned" if error else "exact",
            alternative=alternative,
            n_permutations=exchange.number,
            smallest=min(1.0, (2 if both else 1) / exchange.number),
            error=error,
            null_mean=difference - scale * above,
            null_sd=null_sd,
            p_normal=deviation_p(
                above, null_sd / scale if null_sd > scale * tolerance else 0.0, alternative
            ),
        )

    return {alternative: tested(alternative) for alternative in alternatives}


def _tails(free: np.ndarray, size: int, tolerance: float) -> Callable[[int, float], Tail]:
    """Share of the sums of `size` values, or of their negatives, so far above their mean or more.

    Counted once, as the tests of several alternatives have tails in common.
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


def deviation_p(deviation: float, sd: float, alternative: str) -> float:
    """p-value of a deviation from the mean of a normal distribution; NaN when it has no spread."""
    if not sd > 0:
        return math.nan
    z = {"greater": deviation, "less": -deviation, "two-sided": abs(deviation)}[alternative] / sd
    return math.erfc(z / math.sqrt(2)) * (1.0 if alternative == "two-sided" else 0.5)


# For this number of values a count of all exchanges takes half a millisecond.
QUICKLY_COUNTED = 28


def exchange_p(first: np.ndarray, second: np.ndarray, alternative: str = "two-sided") -> float:
    """A quick permutation test of the difference of two means, for tables of many tests.

    Every exchange is counted with up to 28 values. With more, the difference is compared with a
    normal distribution of the exact mean and standard deviation of all exchanges.

    Parameters
    ----------
    first, second : (n,) and (m,), not empty. alternative : of `ALTERNATIVES`.
    """
    values, size = np.concatenate([first, second]), len(first)
    above = float(first.sum()) - size * float(values.mean())
    tolerance = TIE_TOLERANCE * float(np.abs(values).sum())
    if len(values) > QUICKLY_COUNTED:
        sd = _sd_of_sum(values, size)
        return deviation_p(above, sd, alternative) if sd > tolerance else 1.0
    tail = _tails(values, size, tolerance)
    both = {"greater": [(1, above)], "less": [(-1, -above)]}
    sides = both.get(alternative, [(1, abs(above)), (-1, abs(above))])
    return min(1.0, sum(tail(*side).p for side in sides))
