"""Text, numbers and tables as LaTeX: booktabs rules, rows under headings, footnotes below."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from string import ascii_lowercase

from fairflow.studies.wording import shortened

# Commands that need no package and have a glyph in every font encoding.
_COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    # From a mathematical font: \$ is a bitmap where the text companion font has no outlines.
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
    # In braces: a row of a table must not begin with an optional argument or a star.
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
    r"""Text that LaTeX prints unchanged, on one line, in any font encoding.

    Letters beyond ASCII are kept (NFC): pdfLaTeX prints Latin scripts, XeLaTeX and LuaLaTeX the
    letters of their font. Characters that cannot be printed become blanks.

    Examples
    --------
    >>> print(escape("P&R_1 50%"))
    P\&R\_1 50\%
    """
    line = unicodedata.normalize("NFC", str(text))
    shown = (" " if unicodedata.category(c) in {"Cc", "Cf", "Zl", "Zp"} else c for c in line)
    parted = _JOINED.sub("\0", "".join(shown))
    return "".join("{}" if c == "\0" else _COMMANDS.get(c, c) for c in parted)


def bold(latex: str) -> str:
    """LaTeX in bold type; its mathematics stays upright."""
    return rf"\textbf{{{latex}}}"


def raised_mark(letter: str) -> str:
    """A raised mark of a footnote."""
    return rf"\textsuperscript{{{letter}}}"


def hung(latex: str) -> str:
    """LaTeX that takes no width."""
    return rf"\rlap{{{latex}}}"


# Printed for a missing value.
ABSENT = "--"


def decimals_for(values: Iterable[float]) -> int:
    """Decimals that leave the largest of the values three digits: 3 for 1.54, 4 for 0.0231."""
    sizes = [abs(value) for value in values if math.isfinite(value) and value]
    if not sizes:
        return 3
    power = math.floor(math.log10(max(sizes)))
    return min(6, max(0, (2 if power < 0 else 3) - power)) if power else 3


def latex_number(value: float, decimals: int) -> str:
    """A number with this number of decimals and a typeset minus sign; never a negative zero."""
    digits = f"{abs(value):.{decimals}f}"
    return f"$-${digits}" if value < 0 and float(digits) else digits


def latex_interval(low: float, high: float, decimals: int) -> str:
    """Both ends of an interval in brackets; braces keep them from being an option."""
    return f"{{[}}{latex_number(low, decimals)}, {latex_number(high, decimals)}{{]}}"


def p_value(p: float) -> str:
    """A p-value to three decimals without the zero before them: .012, <.001 or >.999."""
    if p < 0.001:
        return "$<$.001"
    if 0.9995 <= p < 1:
        return "$>$.999"
    return f"{p:.3f}".removeprefix("0")


def p_power(p: float) -> str:
    r"""A p-value like `p_value`; below .001 with its power of ten: 2.6\times10^{-10}."""
    return with_power(p) if 0 < p < 0.001 else p_value(p)


def with_power(value: float) -> str:
    r"""A number with its power of ten: -2.6\times10^{-10}; 0 unchanged."""
    digits, power = f"{value:.1e}".split("e")
    return f"${digits}\\times10^{{{int(power)}}}$" if value else "0"


NEEDS = (
    "% Needs the packages array, booktabs and longtable, one column and lines of 16 cm or more,\n"
    r"% as by \usepackage[margin=2.5cm]{geometry}." + "\n"
)
# The largest group of rows without a page break in it.
SMALL_GROUP = 8


@dataclass(frozen=True)
class Heading:
    """A line across the table above a group of rows; `main` is the upper of two levels."""

    latex: str
    main: bool = False


@dataclass
class Footnotes:
    """Reasons with their marks a, b, ...; equal reasons share one."""

    letters: dict[str, str] = field(default_factory=dict)

    def mark(self, reason: str, hangs: bool = True) -> str:
        """The raised mark of a reason; if it hangs, it has no width and does not shift the cell."""
        short = shortened(reason)
        raised = raised_mark(self.letters.setdefault(short, letters(len(self.letters))))
        return hung(raised) if hangs else raised

    def latex(self) -> list[str]:
        """Each reason behind its mark."""
        return [
            f"{raised_mark(letter)}~{escape(text[0].upper() + text[1:].removesuffix('.'))}."
            for text, letter in self.letters.items()
        ]


def letters(latex_number: int) -> str:
    """The mark of a footnote, numbered from 0: a, ..., z, aa, ab."""
    rest, last = divmod(latex_number, 26)
    return (letters(rest - 1) if rest else "") + ascii_lowercase[last]


@dataclass(frozen=True)
class Table:
    """A table; all text is LaTeX.

    Attributes
    ----------
    label : without `tab:`. alignment : of the columns after the first, one of lcr each.
    first : width of the first column, a share of the line.
    header : lines of cells. rows : lists of cells, or headings. notes : below the table.
    """

    caption: str
    label: str
    alignment: str
    header: Sequence[str]
    rows: Sequence[Sequence[str] | Heading]
    notes: Sequence[str] = ()
    first: float = 0.25

    @property
    def _columns(self) -> str:
        column = rf">{{\raggedright\arraybackslash}}p{{{self.first}\linewidth}}"
        return rf"@{{}}{column}@{{\extracolsep{{\fill}}}}{self.alignment}@{{}}"

    def latex(self) -> str:
        """A longtable, which may break over pages."""
        n = len(self.alignment) + 1
        continued = rf"\multicolumn{{{n}}}{{@{{}}l@{{}}}}{{\tablename~\thetable{{}} (continued)}}\\"
        turn = rf"\multicolumn{{{n}}}{{@{{}}r@{{}}}}{{(continues on the next page)}}\\"
        lines = [
            r"\begingroup\footnotesize",
            r"\setlength{\LTleft}{0pt}\setlength{\LTright}{0pt}\setlength{\LTcapwidth}{\linewidth}",
            rf"\begin{{longtable}}{{{self._columns}}}",
            rf"\caption{{{self.caption}}}\label{{tab:{self.label}}}\\",
            *(r"\toprule", *self.header, r"\midrule", r"\endfirsthead"),
            *(continued, r"\toprule", *self.header, r"\midrule", r"\endhead"),
            *(r"\midrule", turn, r"\endfoot", r"\bottomrule", r"\endlastfoot"),
            *self._body(),
            r"\end{longtable}",
            *self._below(),
            r"\endgroup",
        ]
        return "\n".join(lines) + "\n"

    def _below(self) -> list[str]:
        """The notes as paragraphs, which may break over pages; a cell cannot."""
        if not self.notes:
            return []
        how = r"\noindent\begingroup\scriptsize\raggedright\sloppy"
        return [r"\vspace{-\medskipamount}", how, " ".join(self.notes), r"\par\endgroup\medskip"]

    def _body(self) -> Iterator[str]:
        headings: list[Heading] = []
        space = ""
        n = len(self.alignment) + 1
        for is_heading, block in groupby(self.rows, key=lambda row: isinstance(row, Heading)):
            if is_heading:
                headings = [one for one in block if isinstance(one, Heading)]
                continue
            for heading in headings:
                style = r"\bfseries" if heading.main else r"\itshape"
                # Without width: it must not widen the last column.
                cell = rf"\parbox[t]{{\linewidth}}{{\raggedright{style} {heading.latex}\strut}}"
                across = rf"\multicolumn{{{n}}}{{@{{}}l@{{}}}}{{\makebox[0pt][l]{{{cell}}}}}\\*"
                yield (space if heading is headings[0] else "") + across
            space = r"\addlinespace"
            rows = [one for one in block if not isinstance(one, Heading)]
            for row in rows:
                last = row is rows[-1] or len(rows) > SMALL_GROUP
                yield " & ".join(row) + (r"\\" if last or not headings else r"\\*")


def cells(*latex: str) -> str:
    """A line of cells."""
    return " & ".join(latex) + r"\\"


def latex_text(value: object, otherwise: str = "") -> str:
    """A text of a table, or `otherwise` where it is missing."""
    return value if isinstance(value, str) and value else otherwise


def file_text(name: str, tables: Sequence[Table]) -> str:
    """A file of tables; a file without tables has a comment."""
    filled = "\n".join(table.latex() for table in tables)
    return NEEDS + (filled or f"% This study has no table of {name}.\n")
