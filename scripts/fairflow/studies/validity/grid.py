"""The grid of checks: a row for each question, a column for each model, a grade in each cell.

Report, terminal and memo show it; the table `checks` alone decides.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from fairflow.studies.validity.checks import (
    BASE_PAIRS,
    FREQUENCY,
    GRADES,
    LIST,
    MIDDLING,
    OTHER_LISTS,
    POOR,
    QUESTIONS,
    RATINGS,
)
from fairflow.studies.wording import bare_decimal

COLUMNS = 100
# Columns of text for the question, and for a model at least.
_QUESTION, _NARROWEST = 44, 16
# Question -> its words, and what to do where a model is middling or poor.
TEXTS = {
    RATINGS: (
        "Do scores of words agree with people's ratings?",
        "Where they do not, a score on this topic need not mean what its name says.",
    ),
    LIST: (
        "Do the words of a list agree?",
        "Where they do not, other words for the same idea may give another score.",
    ),
    OTHER_LISTS: (
        "Do scores keep their direction with other published lists?",
        "Name the word lists with every score.",
    ),
    BASE_PAIRS: (
        "Do scores keep their direction with any one pair, such as she and he?",
        "Do not rest a score on one pair of words.",
    ),
    FREQUENCY: (
        "Do scores stay when word frequency is taken out?",
        "Look up in frequency.csv which scores follow how common their words are.",
    ),
}


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
    question : of `QUESTIONS`. concept : of ratings, its label. cells : model -> its answer.
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
    checks = checks.fillna({"criterion": "", "concept": "", "query": ""})
    here = checks["criterion"].eq(criterion) & checks["query"].eq("") & checks["model"].isin(models)
    rows = []
    for question in QUESTIONS:
        asked = checks[here & checks["question"].eq(question)]
        # A model without any ratings has no row of its own for each concept.
        for concept in [name for name in asked["concept"].unique() if name] or [""]:
            of = {
                row["model"]: _cell(row)
                for row in asked[asked["concept"] == concept].to_dict("records")
            }
            cells = {model: of[model] for model in models if model in of}
            text, advice = TEXTS[question]
            text = f"{concept}: {text[0].lower()}{text[1:]}" if concept else text
            doubted = {cell.grade for cell in cells.values()} & {MIDDLING, POOR}
            if cells:
                rows.append(GridRow(question, concept, text, cells, advice if doubted else ""))
    return tuple(rows)


def _cell(row: Mapping[str, object]) -> Cell:
    value, low, high = (float(row[name]) for name in ("value", "low", "high"))
    n, share = int(row["n"]), row["question"] not in (RATINGS, LIST)
    text = "" if pd.isna(value) else f"{round(value * n)} of {n}" if share else bare_decimal(value)
    return Cell(str(row["grade"]), value, low, high, n, text)


def grid_lines(rows: Sequence[GridRow], labels: Mapping[str, str]) -> list[str]:
    """The grid as aligned plain text of at most 100 columns, each advice under its question.

    Of more models than there is room for, each row counts the grades.

    Parameters
    ----------
    labels : model -> label.
    """
    models = list(dict.fromkeys(model for row in rows for model in row.cells))
    if not models:
        return []
    width = (COLUMNS - _QUESTION) // len(models)
    fits = width >= _NARROWEST
    width = min(width, 24) if fits else COLUMNS - _QUESTION
    lines = _beside(
        "", [labels[model] for model in models] if fits else [f"{len(models)} models"], width
    )
    for row in rows:
        if fits:
            cells = [row.cells.get(model) for model in models]
            texts = [f"{cell.grade} {cell.text}".strip() if cell else "" for cell in cells]
        else:
            counts = Counter(cell.grade for cell in row.cells.values())
            texts = [", ".join(f"{counts[name]} {name}" for name in GRADES if name in counts)]
        lines += _beside(row.text, texts, width)
        lines += textwrap.wrap(row.advice, COLUMNS - 2, initial_indent="  ", subsequent_indent="  ")
    return lines


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
