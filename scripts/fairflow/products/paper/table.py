"""A table as LaTeX: booktabs rules, rows under headings, and footnotes below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from string import ascii_lowercase

from fairflow.products.paper.latex import escape, hung, mark
from fairflow.studies.wording import shortened

NEEDS = (
    "% Needs the packages array, booktabs and longtable, one column and lines of 16 cm or more,\n"
    r"% as by \usepackage[margin=2.5cm]{geometry}." + "\n"
)
# More lines than these do not fit on one page; characters that fill a line of notes.
PAGE_LINES = 46
NOTE_WIDTH = 120
# Rows of a group that no page break parts.
SMALL_GROUP = 8


@dataclass(frozen=True)
class Heading:
    """A line across the table above the rows that it names; `main` is the upper of two levels."""

    latex: str
    main: bool = False


@dataclass
class Footnotes:
    """Reasons with their marks a, b, ...; equal reasons share one."""

    letters: dict[str, str] = field(default_factory=dict)

    def mark(self, reason: str, hangs: bool = True) -> str:
        """The raised mark of a reason, without width if it hangs, lest it shift the cell.

        Raises
        ------
        ValueError : the reason is empty.
        """
        short = shortened(reason)
        if not short:
            raise ValueError("a cell without value needs a reason")
        raised = mark(self.letters.setdefault(short, letters(len(self.letters))))
        return hung(raised) if hangs else raised

    def latex(self) -> list[str]:
        """Each reason behind its mark."""
        return [f"{mark(letter)}~{_sentence(text)}" for text, letter in self.letters.items()]


def letters(number: int) -> str:
    """The mark of the place-th footnote from 0: a, ..., z, aa, ab."""
    rest, last = divmod(number, 26)
    return (letters(rest - 1) if rest else "") + ascii_lowercase[last]


def _sentence(text: str) -> str:
    return escape(text[0].upper() + text[1:]) + ("" if text.endswith(".") else ".")


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

    def latex(self) -> str:
        """A floating table, or a longtable where one page does not hold the rows."""
        return self._long() if self._lines > PAGE_LINES else self._floating()

    @property
    def _lines(self) -> float:
        headings = sum(isinstance(row, Heading) for row in self.rows)
        notes = sum(map(len, self.notes)) / NOTE_WIDTH
        wide = 105 * self.first
        folded = sum(len(r[0]) > wide for r in self.rows if not isinstance(r, Heading))
        return len(self.rows) + 0.5 * headings + folded + notes

    @property
    def _columns(self) -> str:
        column = rf">{{\raggedright\arraybackslash}}p{{{self.first}\linewidth}}"
        return rf"@{{}}{column}@{{\extracolsep{{\fill}}}}{self.alignment}@{{}}"

    def _floating(self) -> str:
        lines = [
            r"\begin{table}[tbp]",
            r"\footnotesize",
            rf"\caption{{{self.caption}}}\label{{tab:{self.label}}}",
            rf"\begin{{tabular*}}{{\linewidth}}{{{self._columns}}}",
            r"\toprule",
            *self.header,
            r"\midrule",
            *self._body(),
            r"\bottomrule",
            r"\end{tabular*}",
            *self._below(r"\par\smallskip"),
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def _long(self) -> str:
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
            *self._below(r"\vspace{-\medskipamount}"),
            r"\endgroup",
        ]
        return "\n".join(lines) + "\n"

    def _below(self, gap: str) -> list[str]:
        """The notes as paragraphs, which may break over pages as no cell could."""
        if not self.notes:
            return []
        how = r"\noindent\begingroup\scriptsize\raggedright\sloppy"
        return [gap, how, " ".join(self.notes), r"\par\endgroup\medskip"]

    def _body(self) -> Iterator[str]:
        for number, group in enumerate(self._groups()):
            *headings, rows = group
            for level, heading in enumerate(headings):
                space = r"\addlinespace" if number and not level else ""
                yield space + self._across(heading)
            for row in rows:
                last = row is rows[-1] or len(rows) > SMALL_GROUP
                yield " & ".join(row) + (r"\\" if last or not headings else r"\\*")

    def _groups(self) -> Iterator[list]:
        """Headings, and the list of the rows below them."""
        headings: list[Heading] = []
        for is_heading, block in groupby(self.rows, key=lambda row: isinstance(row, Heading)):
            if is_heading:
                headings = list(block)
            else:
                yield [*headings, list(block)]

    def _across(self, heading: Heading) -> str:
        style = r"\bfseries" if heading.main else r"\itshape"
        # No width, lest it widen the last column.
        cell = rf"\parbox[t]{{\linewidth}}{{\raggedright{style} {heading.latex}\strut}}"
        n = len(self.alignment) + 1
        return rf"\multicolumn{{{n}}}{{@{{}}l@{{}}}}{{\makebox[0pt][l]{{{cell}}}}}\\*"


def cells(*latex: str) -> str:
    """A line of cells."""
    return " & ".join(latex) + r"\\"


def in_words(value: object, otherwise: str = "") -> str:
    """A text that a table may lack, or what stands for it."""
    return value if isinstance(value, str) and value else otherwise


def file_text(name: str, tables: Sequence[Table]) -> str:
    """A file of tables; one without any says so in a comment."""
    filled = "\n".join(table.latex() for table in tables)
    return NEEDS + (filled or f"% This study has nothing to show of {name}.\n")
