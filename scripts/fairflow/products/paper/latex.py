"""Text as LaTeX: what a word, label or reason must become to be printed as it is written."""

from __future__ import annotations

import re
import unicodedata

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
