"""Text and numbers as LaTeX: what a label or a value must become to be printed in a journal."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# Commands that need no package and have a glyph in every font encoding.
_COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    # Of a mathematical font, as \$ is a bitmap where outlines of the text companion are missing.
    "$": r"$\mathdollar$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # By number: babel makes the character active in some languages.
    '"': r"\symbol{34}",
    "`": r"\`{}",
    # Braces, as a row of a table must not begin with an optional argument or a star.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "\N{NO-BREAK SPACE}": "~",
    "\N{EN DASH}": "--",
    "\N{EM DASH}": "---",
    "\N{MINUS SIGN}": "$-$",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{PLUS-MINUS SIGN}": r"$\pm$",
    "\N{LESS-THAN OR EQUAL TO}": r"$\leq$",
    "\N{GREATER-THAN OR EQUAL TO}": r"$\geq$",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
    "\N{LEFT SINGLE QUOTATION MARK}": r"\textquoteleft{}",
    "\N{RIGHT SINGLE QUOTATION MARK}": r"\textquoteright{}",
    "\N{LEFT DOUBLE QUOTATION MARK}": r"\textquotedblleft{}",
    "\N{RIGHT DOUBLE QUOTATION MARK}": r"\textquotedblright{}",
}
# Pairs that fonts join to another character.
_JOINED = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")


def escape(text: object) -> str:
    r"""Text that LaTeX prints as it stands, on one line, in any font encoding.

    Letters beyond ASCII stay as they are (NFC): pdfLaTeX prints those of Latin scripts, XeLaTeX and
    LuaLaTeX those of their font. Characters that cannot be printed become blanks.

    Examples
    --------
    >>> print(escape("P&R_1 50%"))
    P\&R\_1 50\%
    """
    line = "".join(map(_visible, unicodedata.normalize("NFC", str(text))))
    parted = _JOINED.sub("\0", line)
    return "".join("{}" if c == "\0" else _COMMANDS.get(c, c) for c in parted)


def bold(latex: str) -> str:
    """LaTeX in bold type; its mathematics stays upright."""
    return rf"\textbf{{{latex}}}"


def mark(letter: str) -> str:
    """A raised mark of a footnote."""
    return rf"\textsuperscript{{{letter}}}"


def hung(latex: str) -> str:
    """LaTeX that takes no width."""
    return rf"\rlap{{{latex}}}"


def _visible(character: str) -> str:
    return " " if unicodedata.category(character) in {"Cc", "Cf", "Zl", "Zp"} else character


# In place of a value that is not there.
ABSENT = "--"


def decimals_for(values: Iterable[float]) -> int:
    """Decimals that leave the largest of the values three digits: 3 for 1.54, 4 for 0.0231."""
    sizes = [abs(value) for value in values if math.isfinite(value) and value]
    if not sizes:
        return 3
    power = math.floor(math.log10(max(sizes)))
    return min(6, max(0, (2 if power < 0 else 3) - power)) if power else 3


def decimals_by_metric(rows: pd.DataFrame, column: str) -> dict[str, int]:
    """Metric -> decimals for its values in a column."""
    by_metric = rows.groupby("metric", sort=False)[column]
    return {str(metric): decimals_for(values) for metric, values in by_metric}


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
