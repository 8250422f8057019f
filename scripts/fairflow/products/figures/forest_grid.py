"""Panels of a forest plot: criteria as rows, and columns that share their queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    NOTE_WIDTH,
    PAGE,
    POINTS_PER_INCH,
    add_legend_with_notes,
    sentence_figure,
    wrapped,
)
from fairflow.products.figures.forest_lanes import has_intervals, lanes
from fairflow.products.figures.forest_legend import handles, notes
from fairflow.products.figures.forest_panel import Published, draw_panel
from fairflow.products.figures.study_frames import (
    StudyFrames,
    first_queries,
    in_order,
    left_out,
    queries_by_criterion,
)

LINE_HEIGHT = 7.8
# Points of a lane: as many as look well, and as few as keep the marks of two apart.
LANE_HEIGHT, LEAST_LANE_HEIGHT = 6.1, 3.6
# Inches: titles, axis labels and the legend of three models; each three models more.
SURROUNDINGS = 1.75
LEGEND_ROW = 0.14
# A line of notes, and how many stand in these surroundings.
NOTE_LINE, USUAL_LINES = 0.1, 4
# And of the titles and labels of the axes.
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
    frames : `scores` with model, metric, criterion, query, value, n_words, n_lost, status and the
        intervals and bands of `Uncertainty`; `published` with model, metric, scope, headline and
        published.
    query_label : query -> the lines beside its row. share : which panels have one axis of values.
    more_notes : what a reader must know besides.
    """
    if not has_intervals(frames.scores):
        return sentence_figure("No intervals in this study: its scores hold no statistics.")
    models, more_notes = in_order(frames.scores["model"]), [*more_notes]
    every = queries_by_criterion(frames.scores)
    labels = {query: query_label(query) for queries in every.values() for query in queries}
    lines = max(label.count("\n") + 1 for label in labels.values())
    most = max(len(column.models) for column in columns)
    around = SURROUNDINGS + LEGEND_ROW * ((len(models) - 1) // 3)
    around += _more_lines([*more_notes, *notes(frames, _shown(frames, columns, every))])
    around += LABEL_LINE * (_lines(c.title for c in columns) + _lines(c.axis for c in columns))
    row_height = _row_height(PAGE - around, sum(map(len, every.values())), lines, most)
    criteria = first_queries(every, max(1, int((PAGE - around) / row_height + 1e-9)))
    height = sum(map(len, criteria.values())) * row_height + around
    figure, grid = _grid(criteria, columns, height, labels, share)
    places = {model: place for place, model in enumerate(models)}
    published = [_published(frames.published, column.metric) for column in columns]
    for row, queries in zip(grid, criteria.values(), strict=True):
        for axes, column, printed in zip(row, columns, published, strict=True):
            draw_panel(axes, _panel(frames, column, queries), printed, places)
    shown = _shown(frames, columns, criteria)
    is_printed = any(line.get_label() == "published" for a in grid.flat for line in a.get_lines())
    entries = list(handles(frames, shown, models, is_printed))
    told = [*more_notes, *notes(frames, shown), left_out(every, criteria)]
    add_legend_with_notes(figure, entries, told, legend_columns)
    return figure


def _panel(frames: StudyFrames, column: Column, queries: Sequence[str]) -> pd.DataFrame:
    rows = frames.scores[frames.scores["metric"] == column.metric]
    return lanes(rows, queries, column.models).assign(metric=column.metric)


def _shown(
    frames: StudyFrames, columns: Sequence[Column], criteria: dict[str, list[str]]
) -> pd.DataFrame:
    """The lanes of all panels."""
    panels = (
        _panel(frames, column, queries) for queries in criteria.values() for column in columns
    )
    return pd.concat([*panels])


def _lines(labels: Iterable[str]) -> int:
    """Lines of the longest label beyond those that every figure has room for."""
    return max(0, max(label.count("\n") + 1 for label in labels) - USUAL_LABEL)


def _more_lines(told: Iterable[str]) -> float:
    """Inches of the lines of notes beyond those that every figure has room for."""
    lines = sum(wrapped(note, NOTE_WIDTH).count("\n") + 1 for note in told if note)
    return NOTE_LINE * max(0, lines - USUAL_LINES)


def _row_height(room: float, rows: int, lines: int, lanes: int) -> float:
    """Inches of a row: lanes get thinner before a query is left out."""
    points = POINTS_PER_INCH * room / rows
    lane = min(LANE_HEIGHT, max(LEAST_LANE_HEIGHT, (points - 3) / lanes))
    return max(LINE_HEIGHT * lines + 2, lane * lanes + 3) / POINTS_PER_INCH


def _grid(
    criteria: dict[str, list[str]],
    columns: Sequence[Column],
    height: float,
    labels: dict[str, str],
    share: Literal["col", "all"],
) -> tuple[Figure, np.ndarray]:
    sizes = [len(queries) for queries in criteria.values()]
    figure = Figure(figsize=(DOUBLE_COLUMN, height), layout="constrained")
    grid = figure.subplots(
        len(sizes), len(columns), sharex=share, sharey="row", squeeze=False, height_ratios=sizes
    )
    for row, (criterion, queries) in zip(grid, criteria.items(), strict=True):
        row[0].set_yticks(range(len(queries)), [labels[query] for query in queries])
        if len(sizes) > 1:
            row[-1].yaxis.set_label_position("right")
            row[-1].set_ylabel(criterion, rotation=270, va="bottom", fontweight="bold")
    for panels, column in zip(grid.T, columns, strict=True):
        panels[0].set_title(column.title)
        panels[-1].set_xlabel(column.axis)
    return figure, grid


def _published(published: pd.DataFrame, metric: str) -> Published:
    """Published values of the measure on this axis, by scope (the query) and model."""
    if published.empty:
        return {}
    on_axis = published["headline"].astype(bool) & (published["metric"] == metric)
    rows = published[on_axis & published["published"].notna()]
    values: dict[tuple[str, str], list[float]] = {}
    for scope, model, value in zip(rows["scope"], rows["model"], rows["published"], strict=True):
        values.setdefault((scope, model), []).append(value)
    return values
