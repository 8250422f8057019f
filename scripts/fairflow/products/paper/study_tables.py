"""All LaTeX tables of a study: its scores by a metric, and the others by file name."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from fairflow.products.paper import latex
from fairflow.products.paper.latex import (
    ABSENT,
    Footnotes,
    Heading,
    Table,
    cells,
    escape,
    latex_text,
)
from fairflow.queries.query import subquery_label
from fairflow.scores.ranked import PRIMARY, ranked_rows
from fairflow.statistics.counts import FEW_COUNTS
from fairflow.studies.comparability import DOUBTFUL, IS_CONTROL, unfairness
from fairflow.studies.ranking import EVERY, EVERY_NOTE
from fairflow.studies.wording import allowed_loss

# Metrics in one table; further metrics are in another table.
MOST_METRICS = 4
BREAK = r"\\"
NOT_RANKED, NOT_COMPUTED = "not ranked: ", "not computed"
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
    frames : ranking and published.
    labels : by model, metric or query.
    """

    frames: Mapping[str, pd.DataFrame]
    study: str
    title: str
    labels: Mapping[str, str]

    def files(self) -> dict[str, str]:
        """File name -> LaTeX; a comment for a table that would be empty."""
        names = ("ranks", "published")
        return {name: latex.file_text(name, [*getattr(self, name)()]) for name in names}

    def _table(self, caption: str, name: str, header: str, rows: list, **look: Any) -> Table:
        title, label = f"{caption}: {escape(self.title)}.", f"{self.study}-{name}"
        return Table(title, label, header=[header], rows=rows, **look)

    def ranks(self) -> Iterator[Table]:
        """Score over common queries with its rank, the best in bold; a table for a few metrics."""
        table = self.frames["ranking"]
        ours = table[table["source"] != "published"]
        for source, rows in ours.groupby("source", sort=False):
            ranks = rows.groupby(["criterion", "metric"])["rank"]
            ties = ranks.transform("nunique") == 1
            rows = rows.assign(best=(rows["rank"] == ranks.transform("min")) & ~ties)
            metrics = list(dict.fromkeys(rows["metric"]))
            for start in range(0, len(metrics), MOST_METRICS):
                yield self._ranks(str(source), rows, metrics[start : start + MOST_METRICS])

    def _ranks(self, source: str, rows: pd.DataFrame, metrics: list[str]) -> Table:
        decimals = {m: latex.decimals_for(rows.loc[rows["metric"] == m, "score"]) for m in metrics}
        notes, body = Footnotes(), list[Sequence[str] | Heading]()
        for criterion, panel in rows.groupby("criterion", sort=False):
            if rows["criterion"].nunique() > 1:
                body.append(Heading(escape(criterion), main=True))
            for model, own in panel.groupby("model", sort=False):
                of = {row["metric"]: row for row in own.to_dict("records")}
                found = (_rank(of.get(metric), decimals[metric], notes) for metric in metrics)
                body.append([escape(self.labels.get(model, model)), *found])
        common = "Computed scores are over the queries that all ranked models define."
        every = f"{EVERY_NOTE} The ranks of few of these models can be compared."
        told = ["Bold: first rank.", every if source == EVERY else common, *notes.latex()]
        caption = f"Scores and ranks (1: weakest association), {escape(source)}"
        name = f"ranks-{source.replace(' ', '-')}-{metrics[0]}"
        header = cells("Model", *(_head(self.labels.get(m, m)) for m in metrics))
        look = {"alignment": "c" * len(metrics), "first": 0.32}
        return self._table(caption, name, header, body, notes=told, **look)

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


def _rank(row: Row | None, decimals: int, notes: Footnotes) -> str:
    if row is None:
        return ABSENT + notes.mark("not in this study")
    if pd.isna(row["score"]):
        return ABSENT + notes.mark(NOT_RANKED + latex_text(row.get("note"), "no score"))
    score = latex.latex_number(row["score"], decimals)
    if pd.isna(row["rank"]):
        return score + notes.mark(NOT_RANKED + latex_text(row.get("note"), "no rank"))
    text = f"{score} ({row['rank']:g})"
    doubt = row.get("control_status") in DOUBTFUL
    mark = notes.mark(f"control query {row['control']}") if doubt else ""
    return (latex.bold(text) if row["best"] else text) + mark


def _head(label: str) -> str:
    """A column's head in lines of a few words."""
    lines = textwrap.wrap(escape(label), 16, break_long_words=False, break_on_hyphens=False)
    return rf"\shortstack{{{BREAK.join(lines)}}}" if len(lines) > 1 else lines[0]


def _published_row(row: Row, scope: str, model: str, notes: Footnotes) -> list[str]:
    # The measure of a row, if it is not the primary one.
    measure = latex_text(row.get("measure")) if row.get(PRIMARY) is False else ""
    parts = map(latex_text, (scope, row.get("item"), measure.replace("_", " "), model))
    remark = "; ".join(dict.fromkeys(filter(None, (latex_text(row.get(n)) for n in _REMARKS))))
    # With this number of decimals it would print as 0.
    small = 0 < abs(row["published"]) < 10**-MOST_DECIMALS
    printed = None if small else min(int(row["decimals"]), MOST_DECIMALS)
    finer = None if printed is None else min(printed + 1, MOST_DECIMALS + 1)
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
    return latex.with_power(value) if decimals is None else latex.latex_number(value, decimals)


INTERVALS = {"targets": ("ci_low", "ci_high"), "both": ("ci_low_both", "ci_high_both")}
P_VALUES = {"p_value": latex.p_power, "p_holm": latex.p_value, "p_bh": latex.p_value}
ADJUSTED, NOT_ADJUSTED = ("p_holm", "p_bh"), "a control query: its p is not adjusted"
FEW = r"$\dagger$"
_HEADS = {"p_value": "$p$", "p_holm": "Holm", "p_bh": "BH"}


@dataclass(frozen=True)
class Units:
    """The words of a table for what is resampled and permuted.

    Attributes
    ----------
    heads : of the columns of `INTERVALS`.
    """

    heads: Mapping[str, str]
    resampled: str
    exchanged: str
    few: str


WORDS = Units(
    heads={"targets": "targets", "both": "targets, attributes"},
    resampled="over target words, and over target and attribute words",
    exchanged="target words exchanged between their sets",
    few="A set has fewer than ten words",
)
ITEMS = Units(
    heads={"targets": "clusters", "both": "clusters, templates"},
    resampled="over clusters of items, and over clusters and the templates and fills crossed with "
    "them",
    exchanged="the signs of all paired items of a cluster flipped",
    few="There are fewer than ten clusters or templates",
)


def score_table(
    scores: pd.DataFrame,
    study: str,
    title: str,
    labels: Mapping[str, str],
    direction: Mapping[str, bool],
    grows_with_length: bool,
    of_words: bool,
) -> Table:
    """The primary scores of one metric; the table omits empty columns.

    Parameters
    ----------
    scores : rows of one metric. direction : signed, larger_is_fairer.
    of_words : whether the metric measures vectors of words.
    """
    units = WORDS if of_words else ITEMS
    rows = ranked_rows(scores)
    metric = rows["metric"].iloc[0]
    shown = [name for name in (*INTERVALS, *P_VALUES) if rows[_column(name)].notna().any()]
    notes, decimals = Footnotes(), latex.decimals_for(rows["value"])
    one_model = rows["model"].nunique() == 1
    body = list(_body(rows, labels, shown, decimals, direction, notes))
    where = f" on {labels.get(rows['model'].iloc[0], '')}" if one_model else ""
    heads, first = {**units.heads, **_HEADS}, "Query" if one_model else "Model"
    return Table(
        caption=f"{escape(labels[metric] + where)}: every query of {escape(title)}.",
        label=f"{study}-scores-{metric}",
        alignment="r" + "".join("c" if name in INTERVALS else "r" for name in shown),
        header=_header(shown, first, rows["ci_level"].max(), heads),
        rows=body,
        notes=[*_general_notes(rows, shown, units, grows_with_length), *notes.latex()],
        first=0.4 if one_model and len(shown) < len(_HEADS) + len(INTERVALS) else 0.32,
    )


def _column(name: str) -> str:
    return INTERVALS[name][0] if name in INTERVALS else name


def _header(shown: list[str], first: str, level: float, heads: Mapping[str, str]) -> list[str]:
    n_intervals = sum(name in INTERVALS for name in shown)
    resampled = f"{100 * level:g}\\% interval, resampled"
    tests = "test, unadjusted and adjusted"
    upper, rules, column = ["", ""], [], 3
    for count, text in ((n_intervals, resampled), (len(shown) - n_intervals, tests)):
        if count:
            upper.append(rf"\multicolumn{{{count}}}{{c}}{{{text}}}")
            rules.append(rf"\cmidrule(lr){{{column}-{column + count - 1}}}")
            column += count
    lower = latex.cells(first, "value", *(heads[name] for name in shown))
    return [latex.cells(*upper), *rules, lower] if rules else [lower]


def _body(
    rows: pd.DataFrame,
    labels: Mapping[str, str],
    shown: list[str],
    decimals: int,
    direction: Mapping[str, bool],
    notes: Footnotes,
) -> Iterator[list[str] | Heading]:
    one_model = rows["model"].nunique() == 1
    several = rows["criterion"].nunique() > 1
    names = subquery_names(rows)
    for criterion, group in rows.groupby("criterion", sort=False):
        if several:
            yield Heading(escape(criterion), main=True)
        for key, scores in group.groupby(["query", "subquery"], sort=False):
            if not one_model:
                yield Heading(escape(names[key]))
            enough = scores["value"].where(scores["status"] != FEW_COUNTS)
            best = fairest(enough, decimals, direction)
            for row, is_best in zip(scores.to_dict("records"), best, strict=True):
                name = names[key] if one_model else labels.get(row["model"], row["model"])
                yield [escape(name), *_cells(row, shown, decimals, is_best, notes)]


def subquery_names(rows: pd.DataFrame) -> dict[tuple[str, str], str]:
    """(query, sub-query) -> its label, with that of the query where several have the same.

    With the id of the query behind it where these are the same, too.
    """
    keys = rows[["query", "subquery", "query_label"]].drop_duplicates(["query", "subquery"])
    repeated = keys["subquery"].duplicated(keep=False) & (keys["subquery"] != keys["query_label"])
    texts = [
        f"{name} (of: {label})" if again else subquery_label(query, name, label)
        for (query, name, label), again in zip(keys.itertuples(index=False), repeated, strict=True)
    ]
    places = zip(keys["query"], keys["subquery"], texts, strict=True)
    return {
        (query, name): f"{text} [{query}]" if texts.count(text) > 1 else text
        for query, name, text in places
    }


def fairest(values: pd.Series, decimals: int, direction: Mapping[str, bool]) -> list[bool]:
    """Which values print as the weakest association; none where two cannot be told apart."""
    sizes = unfairness(values.astype(float), direction).round(decimals)
    distinct = sizes.dropna().nunique() > 1
    return [bool(distinct and size == sizes.min()) for size in sizes]


def _cells(
    row: Mapping[str, Any], shown: list[str], decimals: int, is_best: bool, notes: Footnotes
) -> list[str]:
    if pd.isna(row["value"]):
        why = latex_text(row["reason"], str(row["status"]))
        return [ABSENT + notes.mark(why.replace("_", " ")), *([ABSENT] * len(shown))]
    value = latex.latex_number(row["value"], decimals)
    few = latex.hung(latex.raised_mark(FEW)) if row.get("statistics") == "few_words" else ""
    if row["status"] == FEW_COUNTS:
        few += notes.mark(row["reason"])
    found = (_statistic(row, name, decimals, notes) for name in shown)
    return [(latex.bold(value) if is_best else value) + few, *found]


def _statistic(row: Mapping[str, Any], name: str, decimals: int, notes: Footnotes) -> str:
    if pd.isna(row[_column(name)]):
        unadjusted = name in ADJUSTED and row.get(IS_CONTROL)
        why = NOT_ADJUSTED if unadjusted else latex_text(row.get("statistics_note"), "not tested")
        return ABSENT + notes.mark(why)
    if name in INTERVALS:
        low, high = INTERVALS[name]
        return latex.latex_interval(row[low], row[high], decimals)
    return P_VALUES[name](row[name])


def _general_notes(
    rows: pd.DataFrame, shown: list[str], units: Units, grows: bool
) -> Iterator[str]:
    if rows["model"].nunique() > 1:
        yield "Bold: the weakest association of the query."
    if "targets" in shown or "both" in shown:
        yield f"Intervals: bootstrap (BCa) {units.resampled}."
    if "p_value" in shown:
        yield (
            f"$p$: permutation test, {units.exchanged}; adjusted within the study's families after "
            "Holm and after Benjamini and Hochberg (BH)."
        )
    if (rows.get("statistics") == "few_words").any():
        yield f"{latex.raised_mark(FEW)}~{units.few}: the intervals are rough."
    yield from filter(None, [escape(allowed_loss(rows["reason"]))])
    if grows:
        yield "Values grow with the length of vectors and are not comparable between models."
