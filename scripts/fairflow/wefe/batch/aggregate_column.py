"""The last column of a results table: all queries of a model in one number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from fairflow.studies.aggregation import AGGREGATIONS

LABELS = {
    "sum": "sum",
    "avg": "average",
    "abs_sum": "sum of abs values",
    "abs_avg": "average of abs values",
}


def aggregate_column(
    table: pd.DataFrame,
    function: str | Callable[[pd.DataFrame], Any],
    signed: bool,
    subject: str,
) -> pd.Series:
    """One number per row, under the name that WEFE gives the column.

    Undefined results are left out; nothing defined gives NaN, also for a sum.

    Parameters
    ----------
    function : a key of `LABELS`, or a callable that gets the table and returns a Series over its
        index, or as many numbers as the table has rows.
    signed : whether absolute values have a meaning; without it "abs_avg" is "avg" and "abs_sum"
        is "sum".
    subject : beginning of the name, "WEAT: Gender queries".

    Raises
    ------
    ValueError : what the callable returns does not fit the table.
    """
    if callable(function):
        values = _aligned(function(table.copy()), table.index)
        return values.rename(f"{subject} custom aggregation score")
    rule = function if signed else function.removeprefix("abs_")
    values = table.apply(AGGREGATIONS[rule], axis="columns")
    return values.rename(f"{subject} {LABELS[rule]} score")


def _aligned(values: Any, index: pd.Index) -> pd.Series:
    if isinstance(values, pd.Series):
        if len(values) != len(index) or set(values.index) != set(index):
            raise ValueError(
                f"aggregation_function returned a Series over {list(values.index)}, expected one "
                f"over the models {list(index)}"
            )
        return values.reindex(index)
    try:
        return pd.Series(list(values), index=index, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"aggregation_function must return one number for each of the {len(index)} models, "
            f"got {values!r}"
        ) from error
