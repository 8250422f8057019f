"""Tables of published numbers beside ours, and of the verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from fairflow.products.paper.latex import escape
from fairflow.products.paper.printed_numbers import ABSENT, number, with_power
from fairflow.products.paper.table import Footnotes, Heading, Table

NOT_COMPUTED = "not computed"
VERDICTS = ["match", "within tolerance", "within the draws", "differs", NOT_COMPUTED]
# Full precision is more than a page needs.
MOST_DECIMALS = 5
# What may stand beside a verdict, in this order; a column that a table lacks says nothing.
_REMARKS = ("cause", "reason", "note", "erratum")


def published_table(
    published: pd.DataFrame, study: str, title: str, labels: Mapping[str, str]
) -> Table | None:
    """Every published number that this run computes; None without any."""
    rows = published[published["verdict"] != NOT_COMPUTED]
    if rows.empty:
        return None
    notes = Footnotes()
    body = list(_body(rows, labels, notes))
    missing = len(published) - len(rows)
    plural = "number" if missing == 1 else "numbers"
    general = [f"Not computed: {missing} further {plural}."] if missing else []
    return Table(
        caption=f"Published numbers and ours: {escape(title)}.",
        label=f"{study}-published",
        alignment="rrrl",
        header=[r"Number & published & ours & difference & verdict\\"],
        rows=body,
        notes=[*general, *notes.latex()],
        first=0.42,
    )


def verdict_table(published: pd.DataFrame, study: str, title: str) -> Table | None:
    """How many numbers of each published table have which verdict; None without any."""
    if published.empty:
        return None
    counts = published.groupby(["table", "verdict"], sort=False).size().unstack(fill_value=0)
    verdicts = [*VERDICTS, *sorted(set(counts) - set(VERDICTS))]
    counts = counts.reindex(columns=[v for v in verdicts if v in counts])
    counts = counts.reindex(list(dict.fromkeys(published["table"])))
    body = [[escape(table), *map(str, row)] for table, *row in counts.itertuples()]
    if len(body) > 1:
        body.append(["all", *map(str, counts.sum())])
    return Table(
        caption=f"Verdicts on published numbers: {escape(title)}.",
        label=f"{study}-verdicts",
        alignment="r" * counts.shape[1],
        header=[" & ".join(["Published in", *map(escape, counts)]) + r"\\"],
        rows=body,
        notes=["Match: equal at the printed decimals."],
        first=0.5,
    )


def _body(
    rows: pd.DataFrame, labels: Mapping[str, str], notes: Footnotes
) -> Iterator[list[str] | Heading]:
    for (table, metric), group in rows.groupby(["table", "metric"], sort=False, dropna=False):
        name = " and ".join(labels.get(part, part) for part in str(metric).split(" ~ "))
        yield Heading(escape(f"{table}: {name}"))
        models = group["published_model"].nunique() > 1
        for row in group.to_dict("records"):
            yield _row(row, labels, models, notes)


def _row(
    row: Mapping[str, Any], labels: Mapping[str, str], models: bool, notes: Footnotes
) -> list[str]:
    model = row["published_model"] if models else ""
    parts = [labels.get(row["scope"], row["scope"]), row.get("item"), _measure(row), model]
    remarks = [row[name] for name in _REMARKS if _text(row.get(name))]
    remark = "; ".join(dict.fromkeys(remarks))
    # So many decimals would print as 0.
    small = 0 < abs(row["published"]) < 10**-MOST_DECIMALS
    printed = None if small else min(int(row["decimals"]), MOST_DECIMALS)
    finer = None if small else min(printed + 1, MOST_DECIMALS + 1)
    verdict = escape(row["verdict"])
    return [
        escape(", ".join(filter(None, map(_text, parts)))),
        _number(row["published"], printed),
        _number(row["computed"], finer),
        _number(row["difference"], finer),
        verdict + (notes.mark(remark, hangs=False) if remark else ""),
    ]


def _measure(row: Mapping[str, Any]) -> str:
    """The measure of a row that is not the metric's own number."""
    return _text(row.get("measure")).replace("_", " ") if row.get("headline") is False else ""


def _number(value: float, decimals: int | None) -> str:
    """A number with so many decimals, or with its power of ten."""
    if pd.isna(value):
        return ABSENT
    return with_power(value) if decimals is None else number(value, decimals)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
