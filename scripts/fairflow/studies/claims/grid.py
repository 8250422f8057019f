"""The grid of checks: a row for each question, a column for each model, a grade in each cell.

Report, terminal and memo show it; the tables of a capability decide.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fairflow.studies.claims.words import CHECKS, TEMPLATES

GOOD, MIDDLING, POOR, UNKNOWN = GRADES = ("good", "middling", "poor", "unknown")
COLUMNS = 100
# Columns of text for the question, and for a model at least.
_QUESTION, _NARROWEST = 44, 16


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


def grid_lines(rows: Sequence[GridRow], labels: Mapping[str, str]) -> list[str]:
    """The grid as aligned plain text of at most 100 columns, each advice under its question.

    Of more models than there is room for, each row counts the grades; what is known of none has a
    line at the end.

    Parameters
    ----------
    labels : model -> label.
    """
    known = [row for row in rows if {cell.grade for cell in row.cells.values()} != {UNKNOWN}]
    unknown = [TEMPLATES[CHECKS][row.question] for row in rows if row not in known]
    last = [f"Not graded: {', '.join(unknown)}."] if unknown else []
    models = [*known[0].cells] if known else []
    if not models:
        return last
    width = (COLUMNS - _QUESTION) // len(models)
    fits = width >= _NARROWEST
    width = min(width, 24) if fits else COLUMNS - _QUESTION
    heads = [labels[model] for model in models] if fits else [f"{len(models)} models"]
    lines = _beside("", heads, width)
    for row, later in zip(known, [*known[1:], None], strict=True):
        texts = [f"{cell.grade} {cell.text}" for cell in row.cells.values()]
        if not fits:
            counts = Counter(cell.grade for cell in row.cells.values())
            texts = [", ".join(f"{counts[name]} {name}" for name in GRADES if name in counts)]
        lines += _beside(row.text, texts, width)
        # Once for the ratings of several concepts.
        advice = "" if later and later.advice == row.advice else row.advice
        lines += textwrap.wrap(advice, COLUMNS - 2, initial_indent="  ", subsequent_indent="  ")
    return [*lines, *last]


def _beside(question: str, texts: Sequence[str], width: int) -> list[str]:
    """Columns next to each other, each wrapped."""
    columns = [textwrap.wrap(question, _QUESTION - 2) or [""]]
    columns += [textwrap.wrap(text, width - 1) or [""] for text in texts]
    widths = [_QUESTION, *[width] * len(texts)]
    return [
        "".join(
            (column[n] if n < len(column) else "").ljust(size)
            for column, size in zip(columns, widths, strict=True)
        ).rstrip()
        for n in range(max(map(len, columns)))
    ]
