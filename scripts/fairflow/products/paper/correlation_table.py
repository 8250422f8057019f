"""The table of how far the rankings by two metrics agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from fairflow.products.paper.latex import escape
from fairflow.products.paper.printed_numbers import ABSENT, number, p_value
from fairflow.products.paper.table import Footnotes, Heading, Table


def correlation_table(
    correlations: pd.DataFrame, study: str, title: str, labels: Mapping[str, str]
) -> Table | None:
    """Each pair of metrics once, a column per method; None for a study with a single metric."""
    keys = ["source", "criterion", "metric_row", "metric_column"]
    order = {name: number for number, name in enumerate(dict.fromkeys(correlations["metric_row"]))}
    upper = correlations["metric_row"].map(order) < correlations["metric_column"].map(order)
    rows = correlations[upper.astype(bool)]
    if rows.empty:
        return None
    methods = list(dict.fromkeys(rows["method"]))
    notes = Footnotes()
    heads = ["Metrics", "models", *(f"{escape(method.capitalize())}" for method in methods)]
    general = "In parentheses: two-sided $p$ over permutations of the models."
    return Table(
        caption=f"Correlations of the models' rankings by two metrics: {escape(title)}.",
        label=f"{study}-correlations",
        alignment="r" + "c" * len(methods),
        header=[" & ".join(heads) + r"\\"],
        rows=list(_body(rows, keys, methods, labels, notes)),
        notes=[general, *notes.latex()],
        first=0.4,
    )


def _body(
    rows: pd.DataFrame,
    keys: list[str],
    methods: list[str],
    labels: Mapping[str, str],
    notes: Footnotes,
) -> Iterator[list[str] | Heading]:
    for (source, criterion), panel in rows.groupby(keys[:2], sort=False):
        yield Heading(escape(f"{criterion} ({source})"), main=True)
        for (row, column), pair in panel.groupby(keys[2:], sort=False):
            by_method = {one["method"]: one for one in pair.to_dict("records")}
            name = f"{labels.get(row, row)}, {labels.get(column, column)}"
            n_models = f"{pair['n_models'].iloc[0]:.0f}"
            yield [escape(name), n_models, *(_cell(by_method.get(m), notes) for m in methods)]


def _cell(row: Mapping[str, Any] | None, notes: Footnotes) -> str:
    if row is None or pd.isna(row["correlation"]):
        return ABSENT + notes.mark(_reason(row))
    value = number(row["correlation"], 2)
    if pd.isna(row["p_value"]):
        return value + notes.mark(_reason(row))
    return f"{value} ({p_value(row['p_value'])})"


def _reason(row: Mapping[str, Any] | None) -> str:
    reason = row["reason"] if row else None
    return reason if isinstance(reason, str) and reason else "not computed"
