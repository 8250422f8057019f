"""The grid of checks: a row for each question, a column for each model, a grade in each cell.

Report, terminal and memo show it; the tables of a capability decide.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fairflow.files.text_table import table_lines
from fairflow.studies.claims.words import CHECKS, TEMPLATES

GOOD, MIDDLING, POOR, UNKNOWN = GRADES = ("good", "middling", "poor", "unknown")
COLUMNS = 100
# Columns of text for the question, and for a model, at least.
_QUESTION, _NARROWEST = 30, 16


class GridCell(NamedTuple):
    """The grade of a model, its number with an interval, and what that is based on.

    Attributes
    ----------
    text : the number in words: a correlation or reliability, or how many of `n` scores.
    """

    grade: str
    value: float
    low: float
    high: float
    n: int
    text: str


class GridRow(NamedTuple):
    """A question.

    Attributes
    ----------
    question : its name. concept : of ratings, its label. cells : model -> its answer.
    advice : what to do, "" where no model is middling or poor.
    """

    question: str
    concept: str
    text: str
    cells: Mapping[str, GridCell]
    advice: str


def grid_lines(
    rows: Sequence[GridRow], labels: Mapping[str, str], columns: int = COLUMNS
) -> list[str]:
    """The grid as aligned plain text, each advice under its question.

    Of more models than there is room for, each row counts the grades; what is known of none has a
    line at the end.

    Parameters
    ----------
    labels : model -> label. columns : letters of a line, at most.
    """
    known = [row for row in rows if {cell.grade for cell in row.cells.values()} != {UNKNOWN}]
    unknown = [TEMPLATES[CHECKS][row.question] for row in rows if row not in known]
    last = [f"Not graded: {', '.join(unknown)}."] if unknown else []
    models = [*known[0].cells] if known else []
    if not models:
        return last
    fits = (columns - _QUESTION) // len(models) >= _NARROWEST
    heads = [labels[model] for model in models] if fits else [f"{len(models)} models"]
    texts = [_graded(row) if fits else [_counted(row)] for row in known]
    asked = zip(known, texts, strict=True)
    table = table_lines([["", *heads], *([row.text, *said] for row, said in asked)], columns)
    lines = table[0]
    for row, later, shown in zip(known, [*known[1:], None], table[1:], strict=True):
        # Once for the ratings of several concepts.
        advice = "" if later and later.advice == row.advice else row.advice
        lines += shown
        lines += textwrap.wrap(advice, columns - 2, initial_indent="  ", subsequent_indent="  ")
    return [*lines, *last]


def _graded(row: GridRow) -> list[str]:
    return [f"{cell.grade} {cell.text}" for cell in row.cells.values()]


def _counted(row: GridRow) -> str:
    counts = Counter(cell.grade for cell in row.cells.values())
    return ", ".join(f"{counts[name]} {name}" for name in GRADES if name in counts)
