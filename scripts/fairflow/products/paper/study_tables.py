"""All LaTeX tables of a study but those of its scores, by file name."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from fairflow.products.paper import latex
from fairflow.products.paper.latex import ABSENT, Footnotes, Heading, Table, cells, escape, in_words
from fairflow.studies.comparability import doubtful

# Metrics side by side; further ones go to a table of their own.
MOST_METRICS = 4
RULES = {
    "avg": "mean",
    "abs_avg": "mean of absolute values",
    "sum": "sum",
    "abs_sum": "sum of absolute values",
}
BREAK = r"\\"
NOT_RANKED, NOT_COMPUTED = "not ranked: ", "not computed"
VERDICTS = ["match", "within tolerance", "within the draws", "differs", NOT_COMPUTED]
# Full precision is more than a page needs.
MOST_DECIMALS = 5
# What may stand beside a verdict, in this order; a column that a table lacks says nothing.
_REMARKS = ("cause", "reason", "note", "erratum")

Row = Mapping[str, Any]
Cell = Callable[[Row, Footnotes], str]


@dataclass(frozen=True)
class StudyTables:
    """The tables of a study.

    Attributes
    ----------
    frames : aggregates, ranking, correlations, rank_uncertainty, friedman and published.
    labels : by model, metric or query.
    """

    frames: Mapping[str, pd.DataFrame]
    study: str
    title: str
    labels: Mapping[str, str]

    def files(self) -> dict[str, str]:
        """File name -> LaTeX; a comment for a table that would be empty."""
        tables = {
            "aggregates": self.aggregates(),
            "ranks": self.ranks(),
            "correlations": self.correlations(),
            "rank_uncertainty": self.rank_uncertainty(),
            "published": self.published(),
            "verdicts": self.verdicts(),
        }
        return {name: latex.file_text(name, parts) for name, parts in tables.items()}

    def _table(
        self,
        caption: str,
        name: str,
        alignment: str,
        header: str,
        rows: list[list[str] | Heading],
        notes: list[str],
        first: float,
        which: str = "",
    ) -> list[Table]:
        title, label = f"{caption}: {escape(self.title)}.{which}", f"{self.study}-{name}"
        return [Table(title, label, alignment, [header], rows, notes, first)]

    def aggregates(self) -> list[Table]:
        """Each model's aggregate over the queries that it defines, by criterion and metric."""
        rows = self.frames["aggregates"]
        decimals = latex.decimals_by_metric(rows, "value")

        def cell(row: Row, notes: Footnotes) -> str:
            defined = f"over {row['n_defined']:.0f} of {row['n_queries']:.0f} queries"
            if pd.isna(row["value"]):
                return ABSENT + notes.mark(f"undefined {defined}; the table of scores says why")
            value = latex.number(row["value"], decimals[row["metric"]])
            if row["n_defined"] == row["n_queries"]:
                return value
            return value + notes.mark(f"{defined}; the table of scores says why")

        rules = (RULES.get(rule, escape(rule)) for rule in dict.fromkeys(rows["aggregation"]))
        caption = f"Aggregated scores ({', '.join(rules)})"
        return list(self._by_metric(rows, caption, "aggregates", cell))

    def ranks(self) -> list[Table]:
        """Score over common queries with its rank, best in bold; published rankings come after."""
        by_source = self.frames["ranking"].groupby("source", sort=False)
        return [table for source, rows in by_source for table in self._ranks(str(source), rows)]

    def _ranks(self, source: str, rows: pd.DataFrame) -> Iterator[Table]:
        decimals = latex.decimals_by_metric(rows, "score")

        def cell(row: Row, notes: Footnotes) -> str:
            if pd.isna(row["score"]):
                return ABSENT + notes.mark(NOT_RANKED + in_words(row.get("note"), "no score"))
            score = latex.number(row["score"], decimals[row["metric"]])
            if pd.isna(row["rank"]):
                return score + notes.mark(NOT_RANKED + in_words(row.get("note"), "no rank"))
            text = f"{score} ({latex.rank(row['rank'])})"
            control = row.get("control")
            mark = notes.mark(f"control query {control}") if doubtful(control) else ""
            return (latex.bold(text) if row["best"] else text) + mark

        ranks = rows.groupby(["criterion", "metric"])["rank"]
        ties = ranks.transform("nunique") == 1
        marked = rows.assign(best=(rows["rank"] == ranks.transform("min")) & ~ties)
        common = "Computed scores are those over the queries that all ranked models define."
        computed = source == "computed"
        general = ["Bold: first rank.", *([common] if computed else [])]
        caption = f"Scores and ranks (1: weakest association), {escape(source)}"
        return self._by_metric(
            marked, caption, "ranks" if computed else f"ranks-{source}", cell, general
        )

    def rank_uncertainty(self) -> list[Table]:
        """Expected rank with its interval, and Friedman's test below each criterion."""

        def cell(row: Row, notes: Footnotes) -> str:
            if pd.isna(row["expected_rank"]):
                return ABSENT + notes.mark(in_words(row.get("note"), "no draws"))
            ends = latex.interval(row["rank_low"], row["rank_high"], 1)
            return f"{row['expected_rank']:.2f} {ends}"

        def test(row: Row, notes: Footnotes) -> str:
            if pd.isna(row["p_value"]):
                return ABSENT + notes.mark(in_words(row.get("note"), "not tested").split("; ")[0])
            width = row["critical_difference"]
            return latex.p_value(row["p_value"]) + (f" / {width:.2f}" if pd.notna(width) else "")

        caption = "Expected ranks over resampled words, with 95\\% intervals"
        general = [
            "Below each criterion: $p$ of Friedman's test over queries and Nemenyi's critical "
            "difference of mean ranks (5\\%), queries that share words taken together."
        ]
        below = self.frames["friedman"].assign(model="Friedman: $p$ / critical difference"), test
        rows = self.frames["rank_uncertainty"]
        return list(self._by_metric(rows, caption, "rank-uncertainty", cell, general, below))

    def _by_metric(
        self,
        rows: pd.DataFrame,
        caption: str,
        label: str,
        cell: Cell,
        general: Sequence[str] = (),
        below: tuple[pd.DataFrame, Cell] | None = None,
    ) -> Iterator[Table]:
        """A table for every few metrics: criteria as panels, models as rows."""
        metrics = list(dict.fromkeys(rows["metric"]))
        parts = [metrics[i : i + MOST_METRICS] for i in range(0, len(metrics), MOST_METRICS)]
        for nth, part in enumerate(parts, start=1):
            notes = Footnotes()
            which = f" Part {nth} of {len(parts)}." if len(parts) > 1 else ""
            name = label + (f"-{nth}" if nth > 1 else "")
            header = cells("Model", *(_head(self.labels.get(m, m)) for m in part))
            body = list(self._panels(rows, part, cell, notes, below))
            told = [*general, *notes.latex()]
            yield from self._table(caption, name, "c" * len(part), header, body, told, 0.32, which)

    def _panels(
        self,
        rows: pd.DataFrame,
        metrics: Sequence[str],
        cell: Cell,
        notes: Footnotes,
        below: tuple[pd.DataFrame, Cell] | None,
    ) -> Iterator[list[str] | Heading]:
        several = rows["criterion"].nunique() > 1
        for criterion, panel in rows.groupby("criterion", sort=False):
            if several:
                yield Heading(escape(criterion), main=True)
            for model, own in panel.groupby("model", sort=False):
                name = escape(self.labels.get(model, model))
                yield [name, *_metric_cells(own, metrics, cell, notes)]
            if below:
                tests = below[0][below[0]["criterion"] == criterion]
                for name, own in tests.groupby("model", sort=False):
                    yield [rf"\textit{{{name}}}", *_metric_cells(own, metrics, below[1], notes)]

    def correlations(self) -> list[Table]:
        """Each pair of metrics once, a column per method; none for a study of a single metric."""
        rows = self.frames["correlations"]
        order = {name: place for place, name in enumerate(dict.fromkeys(rows["metric_row"]))}
        upper = rows["metric_row"].map(order) < rows["metric_column"].map(order)
        rows = rows[upper.astype(bool)]
        if rows.empty:
            return []
        methods = list(dict.fromkeys(rows["method"]))
        notes = Footnotes()
        body = list(self._correlation_rows(rows, methods, notes))
        general = "In parentheses: two-sided $p$ over permutations of the models."
        heads = (escape(method.capitalize()) for method in methods)
        caption = "Correlations of the models' rankings by two metrics"
        alignment, header = "r" + "c" * len(methods), cells("Metrics", "models", *heads)
        told = [general, *notes.latex()]
        return self._table(caption, "correlations", alignment, header, body, told, 0.4)

    def _correlation_rows(
        self, rows: pd.DataFrame, methods: list[str], notes: Footnotes
    ) -> Iterator[list[str] | Heading]:
        for (source, criterion), panel in rows.groupby(["source", "criterion"], sort=False):
            yield Heading(escape(f"{criterion} ({source})"), main=True)
            for names, pair in panel.groupby(["metric_row", "metric_column"], sort=False):
                by_method = {one["method"]: one for one in pair.to_dict("records")}
                name = escape(", ".join(self.labels.get(name, name) for name in names))
                found = (_correlation(by_method.get(method, {}), notes) for method in methods)
                yield [name, f"{pair['n_models'].iloc[0]:.0f}", *found]

    def published(self) -> list[Table]:
        """Every published number that this run computes; none without any."""
        every = self.frames["published"]
        rows = every[every["verdict"] != NOT_COMPUTED]
        if rows.empty:
            return []
        notes = Footnotes()
        body = list(self._published_rows(rows, notes))
        missing = len(every) - len(rows)
        plural = "number" if missing == 1 else "numbers"
        general = [f"Not computed: {missing} further {plural}."] if missing else []
        header = cells("Number", "published", "ours", "difference", "verdict")
        told = [*general, *notes.latex()]
        caption = "Published numbers and ours"
        return self._table(caption, "published", "rrrl", header, body, told, 0.42)

    def _published_rows(
        self, rows: pd.DataFrame, notes: Footnotes
    ) -> Iterator[list[str] | Heading]:
        by_table = rows.groupby(["table", "metric"], sort=False, dropna=False)
        for (table, metric), group in by_table:
            name = " and ".join(self.labels.get(part, part) for part in str(metric).split(" ~ "))
            yield Heading(escape(f"{table}: {name}"))
            models = group["published_model"].nunique() > 1
            for row in group.to_dict("records"):
                scope = self.labels.get(row["scope"], row["scope"])
                yield _published_row(row, scope, row["published_model"] if models else "", notes)

    def verdicts(self) -> list[Table]:
        """How many numbers of each published table have which verdict; none without any."""
        rows = self.frames["published"]
        if rows.empty:
            return []
        counts = rows.groupby(["table", "verdict"], sort=False).size().unstack(fill_value=0)
        verdicts = [*VERDICTS, *sorted(set(counts) - set(VERDICTS))]
        counts = counts.reindex(columns=[v for v in verdicts if v in counts])
        counts = counts.reindex(list(dict.fromkeys(rows["table"])))
        body = [[escape(table), *map(str, row)] for table, *row in counts.itertuples()]
        if len(body) > 1:
            body.append(["all", *map(str, counts.sum())])
        told = ["Match: equal at the printed decimals."]
        alignment, header = "r" * counts.shape[1], cells("Published in", *map(escape, counts))
        caption = "Verdicts on published numbers"
        return self._table(caption, "verdicts", alignment, header, body, told, 0.5)


def _metric_cells(
    rows: pd.DataFrame, metrics: Sequence[str], cell: Cell, notes: Footnotes
) -> Iterator[str]:
    found = {row["metric"]: row for row in rows.to_dict("records")}
    for name in metrics:
        absent = name not in found
        yield ABSENT + notes.mark("not in this study") if absent else cell(found[name], notes)


def _head(label: str) -> str:
    """A column's head in lines of a few words."""
    lines, words = [], escape(label).split(" ")
    for word in words:
        if lines and len(lines[-1]) + len(word) < 16:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return rf"\shortstack{{{BREAK.join(lines)}}}" if len(lines) > 1 else lines[0]


def _correlation(row: Row, notes: Footnotes) -> str:
    why = in_words(row.get("reason"), NOT_COMPUTED)
    if pd.isna(row.get("correlation")):
        return ABSENT + notes.mark(why)
    value = latex.number(row["correlation"], 2)
    if pd.isna(row["p_value"]):
        return value + notes.mark(why)
    return f"{value} ({latex.p_value(row['p_value'])})"


def _published_row(row: Row, scope: str, model: str, notes: Footnotes) -> list[str]:
    # The measure of a row that is not the metric's own number.
    measure = in_words(row.get("measure")) if row.get("headline") is False else ""
    parts = map(in_words, (scope, row.get("item"), measure.replace("_", " "), model))
    remark = "; ".join(dict.fromkeys(filter(None, (in_words(row.get(n)) for n in _REMARKS))))
    # So many decimals would print as 0.
    small = 0 < abs(row["published"]) < 10**-MOST_DECIMALS
    printed = None if small else min(int(row["decimals"]), MOST_DECIMALS)
    finer = None if small else min(printed + 1, MOST_DECIMALS + 1)
    return [
        escape(", ".join(filter(None, parts))),
        _number(row["published"], printed),
        _number(row["computed"], finer),
        _number(row["difference"], finer),
        escape(row["verdict"]) + (notes.mark(remark, hangs=False) if remark else ""),
    ]


def _number(value: float, decimals: int | None) -> str:
    """A number with so many decimals, or with its power of ten."""
    if pd.isna(value):
        return ABSENT
    return latex.with_power(value) if decimals is None else latex.number(value, decimals)
