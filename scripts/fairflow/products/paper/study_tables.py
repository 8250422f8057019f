"""All LaTeX tables of a study except its scores, by file name."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from fairflow.products.paper import latex
from fairflow.products.paper.latex import ABSENT, Footnotes, Heading, Table, cells, escape, in_words
from fairflow.studies.comparability import DOUBTFUL
from fairflow.studies.ranking import EVERY, EVERY_NOTE

# Metrics in one table; further metrics are in another table.
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
# The page does not need full precision.
MOST_DECIMALS = 5
# The columns with remarks on a verdict, in this order; a table may have only some.
_REMARKS = ("cause", "reason", "note", "erratum")

Row = Mapping[str, Any]


@dataclass(frozen=True)
class StudyTables:
    """The tables of a study.

    Attributes
    ----------
    frames : ranking, correlations and published.
    labels : by model, metric or query.
    """

    frames: Mapping[str, pd.DataFrame]
    study: str
    title: str
    labels: Mapping[str, str]

    def files(self) -> dict[str, str]:
        """File name -> LaTeX; a comment for a table that would be empty."""
        names = ("aggregates", "ranks", "correlations", "rank_uncertainty", "published", "verdicts")
        return {name: latex.file_text(name, [*getattr(self, name)()]) for name in names}

    def _table(
        self, caption: str, name: str, header: str, rows: list, part: str = "", **look: Any
    ) -> Table:
        title, label = f"{caption}: {escape(self.title)}.{part}", f"{self.study}-{name}"
        return Table(title, label, header=[header], rows=rows, **look)

    @property
    def _computed(self) -> pd.DataFrame:
        ranking = self.frames["ranking"]
        return ranking[ranking["source"] == "computed"]

    def aggregates(self) -> Iterator[Table]:
        """Each model's aggregate over the queries that it defines, by criterion and metric."""
        rows = self._computed
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
        return self._by_metric(rows, caption, "aggregates", cell)

    def ranks(self) -> Iterator[Table]:
        """Score over common queries with its rank, the best in bold; then published rankings."""
        for source, rows in self.frames["ranking"].groupby("source", sort=False):
            yield from self._ranks(str(source), rows)

    def _ranks(self, source: str, rows: pd.DataFrame) -> Iterator[Table]:
        decimals = latex.decimals_by_metric(rows, "score")

        def cell(row: Row, notes: Footnotes) -> str:
            if pd.isna(row["score"]):
                return ABSENT + notes.mark(NOT_RANKED + in_words(row.get("note"), "no score"))
            score = latex.number(row["score"], decimals[row["metric"]])
            if pd.isna(row["rank"]):
                return score + notes.mark(NOT_RANKED + in_words(row.get("note"), "no rank"))
            text = f"{score} ({latex.rank(row['rank'])})"
            doubt = row.get("control_status") in DOUBTFUL
            mark = notes.mark(f"control query {row['control']}") if doubt else ""
            return (latex.bold(text) if row["best"] else text) + mark

        ranks = rows.groupby(["criterion", "metric"])["rank"]
        ties = ranks.transform("nunique") == 1
        marked = rows.assign(best=(rows["rank"] == ranks.transform("min")) & ~ties)
        general, label = ["Bold: first rank."], f"ranks-{source.replace(' ', '-')}"
        if source == EVERY:
            general.append(f"{EVERY_NOTE} The ranks of few of these models can be compared.")
        if source == "computed":
            common = "Computed scores are over the queries that all ranked models define."
            general, label = [*general, common], "ranks"
        caption = f"Scores and ranks (1: weakest association), {escape(source)}"
        return self._by_metric(marked, caption, label, cell, general)

    def rank_uncertainty(self) -> Iterator[Table]:
        """Expected rank with its interval."""

        def cell(row: Row, notes: Footnotes) -> str:
            if pd.isna(row["expected_rank"]):
                return ABSENT + notes.mark(in_words(row["draws_note"], "no draws"))
            ends = latex.interval(row["rank_low"], row["rank_high"], 1)
            return f"{row['expected_rank']:.2f} {ends}"

        caption = "Expected ranks over resampled words, with 95\\% intervals"
        rows = self._computed
        return self._by_metric(rows, caption, "rank-uncertainty", cell)

    def _by_metric(
        self,
        rows: pd.DataFrame,
        caption: str,
        label: str,
        cell: Callable[[Row, Footnotes], str],
        general: Sequence[str] = (),
    ) -> Iterator[Table]:
        """Tables of a few metrics each: criteria as panels, models as rows."""
        metrics = list(dict.fromkeys(rows["metric"]))
        parts = [metrics[i : i + MOST_METRICS] for i in range(0, len(metrics), MOST_METRICS)]
        several = rows["criterion"].nunique() > 1
        for nth, part in enumerate(parts, start=1):
            notes, body = Footnotes(), []
            for criterion, panel in rows.groupby("criterion", sort=False):
                if several:
                    body.append(Heading(escape(criterion), main=True))
                for model, own in panel.groupby("model", sort=False):
                    of = {row["metric"]: row for row in own.to_dict("records")}
                    found = [
                        cell(of[m], notes) if m in of else ABSENT + notes.mark("not in this study")
                        for m in part
                    ]
                    body.append([escape(self.labels.get(model, model)), *found])
            which = f" Part {nth} of {len(parts)}." if len(parts) > 1 else ""
            name = label + (f"-{nth}" if nth > 1 else "")
            header = cells("Model", *(_head(self.labels.get(m, m)) for m in part))
            look = {"alignment": "c" * len(part), "first": 0.32}
            told = [*general, *notes.latex()]
            yield self._table(caption, name, header, body, which, notes=told, **look)

    def correlations(self) -> list[Table]:
        """Each pair of metrics once, a column per method; no table for a single metric."""
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
        header = cells("Metrics", "models", *(escape(method.capitalize()) for method in methods))
        look = {"alignment": "r" + "c" * len(methods), "first": 0.4}
        caption, told = "Correlations of the models' rankings by two metrics", notes.latex()
        table = self._table(caption, "correlations", header, body, notes=[general, *told], **look)
        return [table]

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
        """Every published number that this run computes; no table without any."""
        every = self.frames["published"]
        rows = every[every["verdict"] != NOT_COMPUTED]
        if rows.empty:
            return []
        notes = Footnotes()
        body = list(self._published_rows(rows, notes))
        missing = len(every) - len(rows)
        general = f"Not computed: {missing} further {'number' if missing == 1 else 'numbers'}."
        told = [*[general] * bool(missing), *notes.latex()]
        header = cells("Number", "published", "ours", "difference", "verdict")
        look = {"alignment": "rrrl", "first": 0.42, "notes": told}
        return [self._table("Published numbers and ours", "published", header, body, **look)]

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
        """The number of values by published table and verdict; no table without any."""
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
        look = {"alignment": "r" * counts.shape[1], "first": 0.5}
        look["notes"] = ["Match: equal at the printed decimals."]
        header = cells("Published in", *map(escape, counts))
        return [self._table("Verdicts on published numbers", "verdicts", header, body, **look)]


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
    value, p = row.get("correlation"), row.get("p_value")
    shown = ABSENT if pd.isna(value) else latex.number(value, 2)
    if pd.isna(value) or pd.isna(p):
        return shown + notes.mark(in_words(row.get("reason"), NOT_COMPUTED))
    return f"{shown} ({latex.p_value(p)})"


def _published_row(row: Row, scope: str, model: str, notes: Footnotes) -> list[str]:
    # The measure of a row, if it is not the primary one.
    measure = in_words(row.get("measure")) if row.get("is_primary") is False else ""
    parts = map(in_words, (scope, row.get("item"), measure.replace("_", " "), model))
    remark = "; ".join(dict.fromkeys(filter(None, (in_words(row.get(n)) for n in _REMARKS))))
    # With this number of decimals it would print as 0.
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
    """A number with this number of decimals, or with its power of ten."""
    if pd.isna(value):
        return ABSENT
    return latex.with_power(value) if decimals is None else latex.number(value, decimals)
