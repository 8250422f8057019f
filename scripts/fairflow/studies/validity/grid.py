"""The grid of checks: a row for each question, a column for each model, a grade in each cell.

Report, terminal and memo show it; the table `checks` alone decides.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from fairflow.studies.validity.checks import GRADES, LIST, POOR, RATINGS, TEXTS, UNKNOWN
from fairflow.studies.wording import bare_decimal

COLUMNS = 100
# Columns of text for the question, and for a model at least.
_QUESTION, _NARROWEST = 44, 16


class Cell(NamedTuple):
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
    question : of `checks.QUESTIONS`. concept : of ratings, its label. cells : model -> its answer.
    advice : what to do, "" where no model is middling or poor.
    """

    question: str
    concept: str
    text: str
    cells: Mapping[str, Cell]
    advice: str


def grid(checks: pd.DataFrame, models: Sequence[str], criterion: str = "") -> tuple[GridRow, ...]:
    """The rows of a grid on these models; ratings have one for each concept, others one.

    Parameters
    ----------
    checks : of `fairflow.studies.validity.checks`; without rows there is no grid.
    criterion : "" for the whole study.
    """
    if checks.empty:
        return ()
    # A file has nothing where there is no criterion, concept or query.
    names = ("criterion", "concept", "query")
    checks = checks.astype(dict.fromkeys(names, object)).fillna(dict.fromkeys(names, ""))
    here = checks["criterion"].eq(criterion) & checks["query"].eq("") & checks["model"].isin(models)
    here &= checks["grade"].isin(GRADES)
    rows = []
    for (question, concept), asked in checks[here].groupby(["question", "concept"], sort=False):
        of = {row["model"]: _cell(row) for row in asked.to_dict("records")}
        cells = {model: of[model] for model in models if model in of}
        texts = TEXTS[question]
        text = texts["text"]
        text = f"{concept}: {text[0].lower()}{text[1:]}" if concept else text
        doubted = {cell.grade for cell in cells.values()} & {POOR}
        rows.append(GridRow(question, concept, text, cells, texts["advice"] if doubted else ""))
    return tuple(rows)


def _cell(row: Mapping[str, object]) -> Cell:
    value, low, high = (float(row[name]) for name in ("value", "low", "high"))
    n, share = int(row["n"]), row["question"] not in (RATINGS, LIST)
    text = f"{round(value * n)} of {n}" if share and n else bare_decimal(value) if n else ""
    if row["question"] == RATINGS and n:
        text += f" [{bare_decimal(low)}, {bare_decimal(high)}]"
    return Cell(str(row["grade"]), value, low, high, n, text)


def grid_lines(rows: Sequence[GridRow], labels: Mapping[str, str]) -> list[str]:
    """The grid as aligned plain text of at most 100 columns, each advice under its question.

    Of more models than there is room for, each row counts the grades; what is known of none has a
    line at the end.

    Parameters
    ----------
    labels : model -> label.
    """
    known = [row for row in rows if {cell.grade for cell in row.cells.values()} != {UNKNOWN}]
    unknown = [TEXTS[row.question]["short"] for row in rows if row not in known]
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
