"""Models side by side: a row for each, a column for each criterion of a study, on one scale."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pandas as pd

from fairflow.scores.ranked import ranked_rows
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.claim import Claim
from fairflow.studies.claims.comparisons import COMPARABLE, beaten, lead_criterion, lead_metric
from fairflow.studies.comparability import DERIVED, FAILS_CONTROL, SAME_VECTORS
from fairflow.studies.wording import listed_briefly, short_number

# More columns are left to the studies; names that a note lists.
MOST_COLUMNS, NAMED = 6, 3
MOST, LEAST, TIED, BETWEEN = "most", "least", "tied", "between"
# Why a model is not compared with others.
APART = {FAILS_CONTROL: "fails controls", DERIVED: "derived", SAME_VECTORS: "same vectors"}
QUALITY = "Quality"


class Cell(NamedTuple):
    """A mean of scores of a model.

    Attributes
    ----------
    value, low, high : the mean and its 95% interval, NaN without.
    badge : how it compares with the other models, "" where they are not compared.
    note : the same with their names.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    badge: str = ""
    note: str = ""

    @property
    def text(self) -> str:
        """The value as short as a column of numbers bears it."""
        return f"{self.value:.2f}" if abs(self.value) < 10 else short_number(self.value)

    @property
    def spoken(self) -> str:
        """Value, interval and note as one text."""
        ends = "" if math.isnan(self.low) else f", 95% interval {self.low:.2f} to {self.high:.2f}"
        return f"{self.text}{ends}" + (f"; {self.note}" if self.note else "")


@dataclass(frozen=True)
class Column:
    """A criterion of a study by one metric.

    Attributes
    ----------
    study, title : name and title of the study. criterion : of the study. heading : what stands
        above the column: the criterion, or the metric of items. cells : by model.
    scale : columns of one scale have equal ends. fair : the value without bias, NaN for none.
    """

    study: str
    title: str
    criterion: str
    heading: str
    metric: str
    scale: str
    fair: float
    cells: Mapping[str, Cell]
    ends: tuple[float, float] = (0.0, 1.0)

    def at(self, value: float) -> float:
        """The place of a value, in percent of the width."""
        low, high = self.ends
        return round(100 * (min(max(value, low), high) - low) / (high - low), 1)

    @property
    def content(self) -> tuple[Any, ...]:
        """What two columns have in common that say the same."""
        values = sorted((model, cell.text) for model, cell in self.cells.items())
        return self.heading, self.metric, tuple(values)


class ModelsTable(NamedTuple):
    """The columns; and the models by their labels, those with the most cells first."""

    columns: Sequence[Column]
    models: Mapping[str, str]

    @property
    def sizes(self) -> str:
        """The upper end of the scale of effect sizes; "" without."""
        ends = (one.ends[1] for one in self.columns if one.scale == COMPARABLE)
        return next((f"{end:.1f}" for end in ends), "")


def columns_of_study(
    frames: Mapping[str, pd.DataFrame],
    claims: Sequence[Claim],
    study: Mapping[str, Any],
    labels: Mapping[str, str],
) -> tuple[Column, ...]:
    """The columns of one study, the one over all queries first and that of quality last.

    Of metrics of words the one that compares models best has a column for each criterion; each
    metric of items has one.
    """
    ranking = frames.get("ranking", pd.DataFrame())
    if ranking.empty:
        return ()
    rows = ranking[ranking["source"] == "computed"]
    found = []
    for metric, scale in _metrics(frames, study):
        own = rows[rows["metric"] == metric]
        criteria = [*dict.fromkeys(own["criterion"])]
        first = [lead_criterion(criteria)] if criteria else []
        of_items = metric in study.get("of_others", ())
        for criterion in dict.fromkeys(first if of_items else [*first, *criteria]):
            badges = _badges(claims, criterion, metric, labels)
            cells = _cells(own[own["criterion"] == criterion], badges)
            name = labels.get(metric, metric)
            heading = name if of_items else "All queries" if criterion == OVERALL else criterion
            where = study["name"], study["title"], criterion, heading, name, scale
            if cells:
                found.append(Column(*where, _fair(study, metric), cells))
    return (*found, *_quality(frames, study))


def _fair(study: Mapping[str, Any], metric: str) -> float:
    """The value without bias; NaN where none is."""
    fair = study.get("readings", {}).get(metric, {}).get("fair")
    return math.nan if fair is None else fair


def models_table(
    columns: Sequence[Column], labels: Mapping[str, str], most: int = MOST_COLUMNS
) -> ModelsTable:
    """The columns of several studies as one table; of columns that say the same the first.

    Columns of one model are left out, where others compare several.
    """
    distinct = [*{one.content: one for one in reversed(columns)}.values()][::-1]
    scores = [one for one in distinct if one.scale != QUALITY]
    scores = ([one for one in scores if len(one.cells) > 1] or scores)[:most]
    counts: dict[str, tuple[int, float]] = {}
    for one in scores:
        for model, cell in one.cells.items():
            number, size = counts.get(model, (0, 0.0))
            counts[model] = number + 1, size + abs(cell.value)
    chosen = [_scaled(one, scores) for one in scores] + _joined(distinct, [*counts])
    headings = [one.heading for one in chosen]
    chosen = [
        replace(one, heading=f"{one.heading} ({one.study.replace('_', ' ')})")
        if one.heading in headings[:n]
        else one
        for n, one in enumerate(chosen)
    ]
    models = sorted(counts, key=lambda model: (-counts[model][0], -counts[model][1]))
    return ModelsTable(chosen, {model: labels.get(model, model) for model in models})


def _joined(columns: Sequence[Column], models: Sequence[str]) -> list[Column]:
    """The quality of these models, of all studies, by the benchmark that most of them have."""
    of_models: dict[str, dict[str, Cell]] = {}
    first = {one.metric: one for one in reversed(columns) if one.scale == QUALITY}
    for one in columns:
        if one.scale == QUALITY:
            known = {model: one.cells[model] for model in models if model in one.cells}
            of_models.setdefault(one.metric, {}).update(known)
    most = max(of_models, key=lambda name: len(of_models[name]), default="")
    if not of_models.get(most):
        return []
    return [_scaled(column := replace(first[most], cells=of_models[most]), [column])]


def _metrics(
    frames: Mapping[str, pd.DataFrame], study: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Metrics with their scale: one of words, and those of items."""
    scores = ranked_rows(frames["scores"])
    sized = [*scores.loc[scores["measure"] == COMPARABLE, "metric"].unique()]
    lead = lead_metric(frames) or next(iter(sized), None)
    others = study.get("of_others", ())
    if lead and lead not in others:
        yield lead, COMPARABLE if lead in sized else lead
    yield from zip(others, others, strict=True)


def _cells(rows: pd.DataFrame, badges: Mapping[str, tuple[str, str]]) -> dict[str, Cell]:
    cells = {}
    for row in rows.itertuples():
        value = row.value if math.isnan(row.score) else row.score
        if not math.isnan(value):
            apart = (APART[row.status], row.note) if row.status in APART else ()
            badge = badges.get(row.model, ()) or apart
            cells[str(row.model)] = Cell(value, row.score_low, row.score_high, *badge)
    return cells


def _badges(
    claims: Sequence[Claim], criterion: str, metric: str, labels: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """How each model compares with the others, by the claims on pairs of models."""
    of_metric = [one for one in claims if one.measure == metric]
    badges = {
        one.subject: (f"{one.short}, hidden" if "hidden" in one.failed else one.short, one.sentence)
        for one in of_metric
        if one.kind == kinds.DEBIASED
    }
    pairs = [
        one
        for one in of_metric
        if one.kind == kinds.COMPARISON and one.criterion == criterion and one.p_adjusted >= 0
    ]
    models = dict.fromkeys(name for one in pairs for name in (one.subject, one.against))
    above = {model: {*beaten(pairs, model)} for model in models}
    for model in models:
        others = {
            name
            for one in pairs
            if model in (one.subject, one.against)
            for name in (one.subject, one.against)
        } - {model}
        below = {name for name in others if model in above[name]}
        tied = [name for name in models if name in others - above[model] - below]
        badge = BETWEEN if above[model] or below else TIED
        badge = MOST if above[model] == others else LEAST if below == others else badge
        named = [labels.get(name, name) for name in tied]
        note = f"not told apart from {listed_briefly(named, NAMED)}" if tied else ""
        badges[model] = badge, note
    return badges


def _quality(frames: Mapping[str, pd.DataFrame], study: Mapping[str, Any]) -> Iterator[Column]:
    """The benchmark of quality that most models have."""
    table = frames.get("quality", pd.DataFrame())
    if table.empty:
        return
    alone = table[table["other"].isna() & table["value"].notna()]
    ends = "value", "value_range_low", "value_range_high"
    for subject, own in alone.groupby("subject", sort=False):
        cells = {str(row["model"]): Cell(*(row[n] for n in ends)) for _, row in own.iterrows()}
        where = study["name"], study["title"], "", QUALITY, str(subject), QUALITY
        yield Column(*where, math.nan, cells)


def _scaled(column: Column, columns: Sequence[Column]) -> Column:
    """The column with the ends of all columns of its scale, the fair value among them."""
    same = [one for one in columns if one.scale == column.scale]
    numbers = [x for one in same for cell in one.cells.values() for x in cell[:3]]
    numbers = [x for x in (*numbers, column.fair) if not math.isnan(x)]
    low, high = min(numbers), max(numbers)
    # An association without interval is at an end otherwise.
    room = 0.05 * (high - low or 1.0)
    ends = (0.0 if column.scale == COMPARABLE else low - room), high + room
    return replace(column, ends=ends)
