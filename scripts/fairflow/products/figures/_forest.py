"""Forests: a panel for each criterion and column, a lane for each model in the row of a query."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._study_frames import StudyFrames, in_order
from fairflow.scores.ranked import ranked_rows
from fairflow.studies.wording import listed

ROW_SHARE = 0.86
LOST = "lost "
KINDS = {
    "interval over target words": ("ci_low", "ci_high"),
    "interval over target and attribute words": ("ci_low_both", "ci_high_both"),
    "band of random target sets": ("null_band_low", "null_band_high"),
}
ENDS = [column for ends in KINDS.values() for column in ends]
_FACTS = ["subquery", "value", *ENDS, "ci_level", "n_words", "n_oov", "status", "statistics"]


def lanes(scores: pd.DataFrame, queries: Sequence[str], models: Sequence[str]) -> pd.DataFrame:
    """A lane for each sub-query of each query on each model, for one metric.

    Parameters
    ----------
    scores : rows of one metric. queries : the rows of the panel, from the top.

    Returns
    -------
    Columns query, model, row (of the panel), y (its middle), height (in rows), n_subqueries, short
    (why there is no value; empty if there is one, or the metric measures the query on no model),
    and the columns of the scores that are drawn.
    """
    facts = scores.reindex(columns=["query", "model", *_FACTS])
    cells: dict[str, dict[str, list[dict]]] = {query: {} for query in queries}
    for record in facts[facts["query"].isin(cells)].to_dict("records"):
        cells[record["query"]].setdefault(record["model"], []).append(record)
    rows, slot = [], ROW_SHARE / len(models)
    for (row, query), (index, model) in product(enumerate(queries), enumerate(models)):
        own = cells[query]
        most, scores = max(map(len, own.values()), default=0), own.get(model, [])
        top = row - ROW_SHARE / 2 + index * slot
        height = slot / max(1, len(scores))
        for turn, facts in enumerate(scores or [dict.fromkeys(_FACTS, math.nan)]):
            place = {"row": row, "y": top + (turn + 0.5) * height, "height": height}
            short = short_reason(facts) if own else ""
            named = {"query": query, "model": model, **place, "n_subqueries": most, "short": short}
            rows.append(facts | named)
    return pd.DataFrame(rows)


def short_reason(facts: dict) -> str:
    """Why a score has no value, in a few words; empty if it has one."""
    if not math.isnan(facts["value"]):
        return ""
    status = facts["status"]
    if pd.isna(status):
        return "not scored"
    if status == "lost_vocabulary" and not pd.isna(facts["n_oov"]):
        return f"{LOST}{facts['n_oov']:.0f}/{facts['n_words']:.0f} words"
    return "undefined" if status == "ok" else str(status).replace("_", " ")


def missing_note(panel: pd.DataFrame, labels: Callable[[str], str]) -> str:
    """Which intervals and bands the marks of a panel are missing, and for which models; or "".

    Parameters
    ----------
    labels : model -> its label.
    """
    marked = panel[panel["value"].notna()]
    n_models = marked["model"].nunique()
    parts = []
    for kind, (low, _) in KINDS.items():
        lacking = marked.loc[marked[low].isna(), "model"]
        if len(lacking) == 0:
            continue
        models = lacking.unique()
        whose = f" of {listed(map(labels, models))}" if len(models) < n_models else ""
        count = f" ({len(lacking)} of {len(marked)} marks)" if len(lacking) < len(marked) else ""
        parts.append(f"no {kind}{whose}{count}")
    return f"{', '.join(parts)}." if parts else ""


def parts_of_names(names: Sequence[str]) -> list[str]:
    """What parts names, without the words at which all begin: "Career" of "X wrt Career"."""
    words = [name.split() for name in names]
    same = 0
    while all(len(own) > same + 1 and own[same] == words[0][same] for own in words):
        same += 1
    return [" ".join(own[same:]) for own in words]


def without_value(shown: pd.DataFrame, labels: Callable[[str], str]) -> str:
    """Which models have lanes without a value, and why; "" if all have one."""
    parts = []
    for model, lanes_ in shown.reset_index().groupby("model", sort=False):
        lanes_ = lanes_[lanes_["value"].notna() | (lanes_["short"] != "")]
        lacking = lanes_[lanes_["value"].isna()]
        if lacking.empty:
            continue
        for_words = (lacking["status"] == "lost_vocabulary") & lacking["n_oov"].notna()
        share = (lacking["n_oov"] / lacking["n_words"])[for_words].sort_values(kind="stable")
        shorts = lacking.loc[share.index, "short"]
        ends = dict.fromkeys([*shorts[:1], *shorts[-1:]])
        reasons = [" to ".join(ends).replace(f" words to {LOST}", " to ")]
        reasons = [*filter(None, reasons), *dict.fromkeys(lacking.loc[~for_words, "short"])]
        parts.append(f"{labels(model)} in {len(lacking)} of {len(lanes_)} ({', '.join(reasons)})")
    return f"No value (x): {'; '.join(parts)}." if parts else ""


# One less than there are colours, so that further models differ from the first ones.
MARKERS = "os^vPXh"
BAND: page.Look = {"color": "#D4D4D4", "linewidth": 0}
PUBLISHED = page.published_look(4.2)
THICK, THIN = 1.7, 0.6


def model_look(index: int, hollow: bool = False) -> page.Look:
    """Marker of the index-th model, as keywords of a line."""
    colour = page.PALETTE[index % len(page.PALETTE)]
    return {
        "marker": MARKERS[index % len(MARKERS)],
        "color": colour,
        "markerfacecolor": "white" if hollow else colour,
        "markersize": 2.6,
        "markeredgewidth": 0.5,
        "linestyle": "none",
    }


HOLLOW = model_look(0, hollow=True) | {"color": "black"}


def model_handles(frames: StudyFrames, models: Sequence[str]) -> list[page.Handle]:
    """Entries of a legend for the marks of models."""
    places = frames.places(models)
    return [page.line_handle(frames.label(m), **model_look(places[m])) for m in models]


def band_handle(level: pd.Series) -> page.Handle:
    """An entry of a legend for the bands of random words."""
    return Patch(label=f"{100 * level.max():g}% of random target sets", **BAND)


def draw_mark(axes: Axes, row: Any, y: float, look: Mapping[str, Any]) -> None:
    """Draw the value of a score of items with its intervals, or mark that it has no value."""
    if math.isnan(row.value):
        page.mark_missing(axes, [y])
        return
    for name, width in (("_both", THIN), ("", THICK)):
        low, high = (getattr(row, f"{end}{name}", math.nan) for end in ("ci_low", "ci_high"))
        if not math.isnan(low):
            axes.plot([low, high], [y, y], color=look["color"], linewidth=width)
    axes.plot([row.value], [y], **look)


def handles(
    frames: StudyFrames, shown: pd.DataFrame, models: list[str], published: bool
) -> Iterator[page.Handle]:
    """Entries for what is drawn of the lanes `shown`, and whether a published value is."""
    yield from model_handles(frames, models)
    for end, words, width in (
        ("ci_low", "target words", THICK),
        ("ci_low_both", "target and attribute words", THIN),
    ):
        if shown[end].notna().any():
            yield page.interval_handle(shown["ci_level"], f"over {words}", width)
    if shown["null_band_low"].notna().any():
        yield band_handle(shown["ci_level"])
    if ((shown["statistics"] == "few_words") & shown["value"].notna()).any():
        yield page.line_handle("white: few words in a set, rough interval", **HOLLOW)
    if published:
        yield page.line_handle("published", **PUBLISHED)
    if (shown["short"] != "").any():
        yield page.line_handle("no value", **page.MISSING)


def notes(frames: StudyFrames, shown: pd.DataFrame) -> Iterator[str]:
    """What a reader must know, with the metrics for which it is true; some are empty."""
    metrics_of: dict[str, list[str]] = {}
    for metric, rows in shown.groupby("metric", sort=False):
        for note in _notes_of_metric(frames, rows):
            metrics_of.setdefault(note, []).append(frames.label(metric))
    missing = [f"{_each(labels)}: {note}" for note, labels in metrics_of.items() if note]
    yield from missing
    yield without_value(shown, frames.label)
    if missing:
        yield "The table of scores gives the reasons."


def _each(labels: Sequence[str]) -> str:
    """'A', 'Each of A and B': what is counted is counted of one metric."""
    return f"Each of {listed(labels)}" if len(labels) > 1 else labels[0]


def _notes_of_metric(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    several = rows[rows["n_subqueries"] > 1].dropna(subset="subquery")
    if len(several):
        first = several[several["query"] == several["query"].iloc[0]]
        names = parts_of_names(list(dict.fromkeys(first["subquery"])))
        yield (
            "a mark for each sub-query, from top to bottom in their order (in the first row: "
            f"{', '.join(names)})."
        )
    yield missing_note(rows, frames.label)


# Of a lane, so that the bands of two models do not touch.
BAND_SHARE = 0.8
Published = Mapping[tuple[str, str], Sequence[float]]


def draw_panel(
    axes: Axes, panel: pd.DataFrame, published: Published, places: Mapping[str, int]
) -> None:
    """Draw lanes.

    Parameters
    ----------
    panel : of `fairflow.products.figures._forest.lanes`.
    published : (query, model) -> published values. places : model -> its place in the study, which
        decides what it looks like.
    """
    axes.axvline(0, color="black", linewidth=0.5, zorder=1)
    bands = panel[panel["null_band_low"].notna()]
    widths = bands["null_band_high"] - bands["null_band_low"]
    heights = BAND_SHARE * bands["height"]
    axes.barh(bands["y"], widths, heights, bands["null_band_low"], zorder=0.5, **BAND)
    for model in panel["model"].unique():
        index = places[model]
        of_model = panel[panel["model"] == model]
        colour = page.PALETTE[index % len(page.PALETTE)]
        for low, high, width in (
            ("ci_low_both", "ci_high_both", THIN),
            ("ci_low", "ci_high", THICK),
        ):
            drawn = of_model[of_model[low].notna()]
            lines = axes.hlines(drawn["y"], drawn[low], drawn[high], colour, linewidth=width)
            lines.set(zorder=2, label=low, capstyle="butt")
        for few in (False, True):
            marked = of_model[(of_model["statistics"] == "few_words") == few]
            axes.plot(marked["value"], marked["y"], zorder=3, **model_look(index, few))
        undefined = of_model[of_model["short"] != ""]
        page.mark_missing(axes, undefined["y"])
        middles = of_model.groupby("query", sort=False)["y"].mean()
        points = [(x, y) for query, y in middles.items() for x in published.get((query, model), ())]
        if points:
            axes.plot(*zip(*points, strict=True), label="published", **PUBLISHED)
    page.part_rows(axes, panel["row"].max() + 1)
    page.value_axis(axes, grid=False)


LINE_HEIGHT = 7.8
# Points of a lane: as many as look well, and as few as keep the marks of two apart.
LANE_HEIGHT, LEAST_LANE_HEIGHT = 6.1, 3.6
# Inches: titles, axis labels and the legend of three models; each three models more.
SURROUNDINGS = 1.2
LEGEND_ROW = 0.14
# A line of the titles and labels of the axes, and how many lines these surroundings have.
LABEL_LINE, USUAL_LABEL = 0.12, 2


class Column(NamedTuple):
    """What stands above and below a column of panels, its metric, and whose lanes it has."""

    title: str
    metric: str
    models: Sequence[str]
    axis: str


def forest_grid(
    frames: StudyFrames,
    columns: Sequence[Column],
    query_label: Callable[[str], str],
    share: Literal["col", "all"] = "col",
    more_notes: Iterable[str] = (),
    legend_columns: int = 3,
) -> Figure:
    """Draw the scores of each column in the lanes of its models.

    Parameters
    ----------
    frames : `scores` with model, metric, criterion, query, value, n_words, n_oov, status and the
        intervals and bands of `Uncertainty`; `published` as the table of a study.
    query_label : query -> the lines of its label. share : which panels have one axis of values.
    more_notes : further sentences of the caption.
    """
    models, more_notes = in_order(frames.scores["model"]), [*more_notes]
    drawn = frames.scores[frames.scores["metric"].isin([column.metric for column in columns])]
    every = study.queries_by_criterion(drawn)
    labels = {query: query_label(query) for queries in every.values() for query in queries}
    most = max(len(column.models) for column in columns)
    around = SURROUNDINGS + LEGEND_ROW * ((len(models) - 1) // 3)
    for texts in ([column.title for column in columns], [column.axis for column in columns]):
        around += LABEL_LINE * max(0, page.most_lines(texts) - USUAL_LABEL)
    heads = [(column.title, column.axis) for column in columns]
    figure, grid, criteria = fitting_grid(every, labels, heads, most, around, share)
    places = frames.places(models)
    published = [_published(frames.published, column.metric) for column in columns]
    for row, queries in zip(grid, criteria.values(), strict=True):
        for axes, column, printed in zip(row, columns, published, strict=True):
            draw_panel(axes, _panel(frames, column, queries), printed, places)
    own = [_panel(frames, c, queries) for queries in criteria.values() for c in columns]
    shown = pd.concat(own)
    is_printed = any(line.get_label() == "published" for a in grid.flat for line in a.get_lines())
    entries = handles(frames, shown, models, is_printed)
    n_shown = sum(map(len, criteria.values()))
    left = page.left_for_space(n_shown, sum(map(len, every.values())), "queries")
    told = [*more_notes, *notes(frames, shown), left]
    return page.finished(figure, told, entries, legend_columns)


def fitting_grid(
    every: dict[str, list[str]],
    labels: Mapping[str, str],
    columns: Sequence[tuple[str, str]],
    lanes: int,
    around: float,
    share: Literal["col", "all"] = "col",
) -> tuple[Figure, np.ndarray, dict[str, list[str]]]:
    """Panels of the queries that a page has room for, which are returned by criterion.

    Lanes get thinner before a query is left out.

    Parameters
    ----------
    lanes : of a query, at most. around : inches of what surrounds all.
    """
    room, lines = page.PAGE - around, page.most_lines(labels.values())
    points = page.POINTS_PER_INCH * room / sum(map(len, every.values()))
    lane = min(LANE_HEIGHT, max(LEAST_LANE_HEIGHT, (points - 3) / lanes))
    height_of_row = row_height(lines, lane * lanes)
    criteria = study.first_queries(every, max(1, int(room / height_of_row + 1e-9)))
    height = sum(map(len, criteria.values())) * height_of_row + around
    return *page.query_grid(criteria, labels, columns, height, share), criteria


def _panel(frames: StudyFrames, column: Column, queries: Sequence[str]) -> pd.DataFrame:
    rows = frames.scores[frames.scores["metric"] == column.metric]
    return lanes(rows, queries, column.models).assign(metric=column.metric)


def row_height(lines: int, lanes: float) -> float:
    """Inches of a row with this number of lines of text and of points of lanes."""
    return max(LINE_HEIGHT * lines + 5, lanes + 3) / page.POINTS_PER_INCH


def _published(published: pd.DataFrame, metric: str) -> Published:
    """Published values of the measure on this axis, by scope (the query) and model."""
    if published.empty:
        return {}
    rows = ranked_rows(published).dropna(subset="published")
    rows = rows[rows["metric"] == metric]
    return rows.groupby(["scope", "model"])["published"].agg(list).to_dict()
