"""Numbers as a journal prints them, in LaTeX."""

from __future__ import annotations

import math
from collections.abc import Iterable

# In place of a value that is not there.
ABSENT = "--"


def decimals_for(values: Iterable[float]) -> int:
    """Decimals that leave the largest of the values three digits: 3 for 1.54, 4 for 0.0231."""
    sizes = [abs(value) for value in values if math.isfinite(value) and value]
    if not sizes:
        return 3
    power = math.floor(math.log10(max(sizes)))
    return min(6, max(0, (2 if power < 0 else 3) - power)) if power else 3


def number(value: float, decimals: int) -> str:
    """A number with so many decimals, its minus sign as one; never a negative zero.

    Raises
    ------
    ValueError : the value is NaN or infinite.
    """
    if not math.isfinite(value):
        raise ValueError(f"{value} is no number to print")
    digits = f"{abs(value):.{decimals}f}"
    return f"$-${digits}" if value < 0 and float(digits) else digits


def interval(low: float, high: float, decimals: int) -> str:
    """Both ends of an interval in brackets; braces keep them from being an option."""
    return f"{{[}}{number(low, decimals)}, {number(high, decimals)}{{]}}"


def p_value(p: float) -> str:
    """A p-value to three decimals without the zero before them: .012, <.001 or >.999."""
    if p < 0.001:
        return "$<$.001"
    if 0.9995 <= p < 1:
        return "$>$.999"
    return f"{p:.3f}".removeprefix("0")


def p_power(p: float) -> str:
    r"""A p-value as `p_value` does it, below .001 with its power of ten: 2.6\times10^{-10}."""
    return with_power(p) if 0 < p < 0.001 else p_value(p)


def with_power(value: float) -> str:
    r"""A number with its power of ten: -2.6\times10^{-10}; 0 as it is."""
    digits, power = f"{value:.1e}".split("e")
    return f"${digits}\\times10^{{{int(power)}}}$" if value else "0"


def rank(value: float) -> str:
    """A rank: 2, or 2.5 of models that tie."""
    return f"{value:g}"
