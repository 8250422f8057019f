"""Tables of models by metric: aggregates, ranks, and how sure the ranks are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from fairflow.products.paper.latex import bold, escape
from fairflow.products.paper.printed_numbers import (
    ABSENT,
    decimals_for,
    interval,
    number,
    p_value,
    rank,
)
from fairflow.products.paper.table import Footnotes, Heading, Table
from fairflow.studies.controls import doubtful

# Metrics side by side; further ones go to a table of their own.
MOST_METRICS = 4
RULES = {
    "avg": "mean",
    "abs_avg": "mean of absolute values",
    "sum": "sum",
    "abs_sum": "sum of absolute values",
}
BREAK = r"\\"
NOT_RANKED = "not ranked: "

Cell = Callable[[Mapping[str, Any], Footnotes], str]


def aggregate_tables(
    aggregates: pd.DataFrame, study: str, title: str, labels: Mapping[str, str]
) -> list[Table]:
    """Each model's aggregate over the queries that it defines, by criterion and metric."""
    decimals = _decimals(aggregates, "value")

    def cell(row: Mapping[str, Any], notes: Footnotes) -> str:
        defined = f"over {row['n_defined']:.0f} of {row['n_queries']:.0f} queries"
        if pd.isna(row["value"]):
            return ABSENT + notes.mark(f"undefined {defined}; the table of scores says why")
        complete = row["n_defined"] == row["n_queries"]
        return number(row["value"], decimals[row["metric"]]) + (
            "" if complete else notes.mark(f"{defined}; the table of scores says why")
        )

    caption = f"Aggregated scores ({_rules(aggregates)}): {escape(title)}."
    return _tables(aggregates, caption, f"{study}-aggregates", labels, cell)


def rank_tables(
    ranking: pd.DataFrame, study: str, title: str, labels: Mapping[str, str]
) -> list[Table]:
    """Score over common queries with its rank, best in bold; published rankings come after."""
    tables = []
    for source, rows in ranking.groupby("source", sort=False):
        decimals = _decimals(rows, "score")

        def cell(row: Mapping[str, Any], notes: Footnotes, decimals: dict = decimals) -> str:
            if pd.isna(row["score"]):
                return ABSENT + notes.mark(NOT_RANKED + _reason(row, "no score"))
            score = number(row["score"], decimals[row["metric"]])
            if pd.isna(row["rank"]):
                return score + notes.mark(NOT_RANKED + _reason(row, "no rank"))
            text = f"{score} ({rank(row['rank'])})"
            control = row.get("control")
            mark = notes.mark(f"control query {control}") if doubtful(control) else ""
            return (bold(text) if row["best"] else text) + mark

        keys = ["criterion", "metric"]
        lowest = rows.groupby(keys)["rank"].transform("min")
        ties = rows.groupby(keys)["rank"].transform("nunique") == 1
        marked = rows.assign(best=(rows["rank"] == lowest) & ~ties)
        caption = f"Scores and ranks (1: weakest association), {escape(source)}: {escape(title)}."
        common = "Computed scores are those over the queries that all ranked models define."
        general = ["Bold: first rank.", *([common] if source == "computed" else [])]
        label = f"{study}-ranks" if source == "computed" else f"{study}-ranks-{source}"
        tables += _tables(marked, caption, label, labels, cell, general)
    return tables


def rank_uncertainty_tables(
    uncertainty: pd.DataFrame,
    friedman: pd.DataFrame,
    study: str,
    title: str,
    labels: Mapping[str, str],
) -> list[Table]:
    """Expected rank with its interval, and Friedman's test below each criterion."""

    def cell(row: Mapping[str, Any], notes: Footnotes) -> str:
        if pd.isna(row["expected_rank"]):
            return ABSENT + notes.mark(_reason(row, "no draws"))
        ends = interval(row["rank_low"], row["rank_high"], 1)
        return f"{row['expected_rank']:.2f} {ends}"

    def test(row: Mapping[str, Any], notes: Footnotes) -> str:
        if pd.isna(row["p_value"]):
            return ABSENT + notes.mark(_reason(row, "not tested").split("; ")[0])
        width = row["critical_difference"]
        return p_value(row["p_value"]) + (f" / {width:.2f}" if pd.notna(width) else "")

    caption = f"Expected ranks over resampled words, with 95\\% intervals: {escape(title)}."
    general = [
        "Below each criterion: $p$ of Friedman's test over queries and Nemenyi's critical "
        "difference of mean ranks (5\\%). Queries share words, so that both may be too small."
    ]
    below = (friedman.assign(model="Friedman: $p$ / critical difference"), test)
    label = f"{study}-rank-uncertainty"
    return _tables(uncertainty, caption, label, labels, cell, general, below)


def _tables(
    rows: pd.DataFrame,
    caption: str,
    label: str,
    labels: Mapping[str, str],
    cell: Cell,
    general: Sequence[str] = (),
    below: tuple[pd.DataFrame, Cell] | None = None,
) -> list[Table]:
    """A table for every few metrics: criteria as panels, models as rows."""
    metrics = list(dict.fromkeys(rows["metric"]))
    parts = [metrics[i : i + MOST_METRICS] for i in range(0, len(metrics), MOST_METRICS)]
    tables = []
    for nth, part in enumerate(parts, start=1):
        notes = Footnotes()
        body = list(_panels(rows, part, labels, cell, notes, below))
        tables.append(
            Table(
                caption=caption + (f" Part {nth} of {len(parts)}." if len(parts) > 1 else ""),
                label=label if nth == 1 else f"{label}-{nth}",
                alignment="c" * len(part),
                header=[" & ".join(["Model", *(_head(labels.get(m, m)) for m in part)]) + r"\\"],
                rows=body,
                notes=[*general, *notes.latex()],
                first=0.32,
            )
        )
    return tables


def _panels(
    rows: pd.DataFrame,
    metrics: Sequence[str],
    labels: Mapping[str, str],
    cell: Cell,
    notes: Footnotes,
    below: tuple[pd.DataFrame, Cell] | None,
) -> Iterator[list[str] | Heading]:
    several = rows["criterion"].nunique() > 1
    for criterion, panel in rows.groupby("criterion", sort=False):
        if several:
            yield Heading(escape(criterion), main=True)
        for model, of_row in panel.groupby("model", sort=False):
            yield [escape(labels.get(model, model)), *_cells(of_row, metrics, cell, notes)]
        if below:
            tests = below[0][below[0]["criterion"] == criterion]
            for name, of_row in tests.groupby("model", sort=False):
                yield [rf"\textit{{{name}}}", *_cells(of_row, metrics, below[1], notes)]


def _cells(
    rows: pd.DataFrame, metrics: Sequence[str], cell: Cell, notes: Footnotes
) -> Iterator[str]:
    by_metric = {row["metric"]: row for row in rows.to_dict("records")}
    for metric in metrics:
        measured = metric in by_metric
        yield (
            cell(by_metric[metric], notes) if measured else ABSENT + notes.mark("not in this study")
        )


def _head(label: str) -> str:
    """A column's head in lines of a few words."""
    lines, words = [], escape(label).split(" ")
    for word in words:
        if lines and len(lines[-1]) + len(word) < 16:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return rf"\shortstack{{{BREAK.join(lines)}}}" if len(lines) > 1 else lines[0]


def _decimals(rows: pd.DataFrame, column: str) -> dict[str, int]:
    return {
        str(metric): decimals_for(of_metric[column].dropna())
        for metric, of_metric in rows.groupby("metric")
    }


def _rules(aggregates: pd.DataFrame) -> str:
    return ", ".join(
        RULES.get(rule, escape(rule)) for rule in dict.fromkeys(aggregates["aggregation"])
    )


def _reason(row: Mapping[str, Any], otherwise: str) -> str:
    note = row.get("note")
    return note if isinstance(note, str) and note else otherwise
