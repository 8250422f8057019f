"""The grid of checks of a study, from its table `checks`, which alone decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from fairflow.studies.claims.grid import GRADES, POOR, GridCell, GridRow
from fairflow.studies.wording import bare_decimal
from fairflow.validity.checks import LIST, RATINGS, TEXTS


def grid(checks: pd.DataFrame, models: Sequence[str], criterion: str = "") -> tuple[GridRow, ...]:
    """The rows of a grid on these models; ratings have one for each concept, others one.

    Parameters
    ----------
    checks : of `fairflow.validity.checks`; without rows there is no grid.
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


def _cell(row: Mapping[str, Any]) -> GridCell:
    value, low, high = (float(row[name]) for name in ("value", "low", "high"))
    n, share = int(row["n"]), row["question"] not in (RATINGS, LIST)
    text = f"{round(value * n)} of {n}" if share and n else bare_decimal(value) if n else ""
    if row["question"] == RATINGS and n:
        text += f" [{bare_decimal(low)}, {bare_decimal(high)}]"
    return GridCell(str(row["grade"]), value, low, high, n, text)
