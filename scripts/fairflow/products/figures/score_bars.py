"""Bars of the association scores of every query."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    POINTS_PER_INCH,
    STRIPE,
    UNDEFINED_GREY,
    bar_handle,
    bar_look,
    in_paper_style,
    sentence_figure,
    wrapped,
    wrapped_query,
)
from fairflow.products.figures.study_frames import StudyFrames, in_order

GROUP_HEIGHT = 0.84
LABEL_WIDTH = 46
LINE_HEIGHT = 7.8
UNDEFINED = {"marker": "x", "color": UNDEFINED_GREY, "markersize": 2.6, "markeredgewidth": 0.7}
PARTIAL = {"marker": "o", "color": "black", "markersize": 2.4, "markerfacecolor": "white"}
PARTIAL |= {"markeredgewidth": 0.5}


@in_paper_style
def score_bars(frames: StudyFrames) -> Figure:
    """Draw the scores (in the metric's own unit): criteria as rows, metrics as columns.

    Needs `scores` with model, metric, criterion, query and value. A query with several
    sub-queries is drawn as the mean of its defined ones; a cell without any is marked.
    """
    scores = frames.scores
    if scores.empty:
        return sentence_figure("No scores in this study.")
    models, metrics = in_order(scores["model"]), in_order(scores["metric"])
    groups = scores.groupby("criterion", sort=False)["query"].agg(in_order)
    cells = query_means(scores)
    labels = {
        query: wrapped_query(frames.query_label(query), LABEL_WIDTH)
        for queries in groups
        for query in queries
    }
    lines = max(label.count("\n") + 1 for label in labels.values())
    figure, grid = _grid(groups, len(models), len(metrics), lines)
    for row, (criterion, queries) in enumerate(groups.items()):
        for column, metric in enumerate(metrics):
            axes = grid[row][column]
            _draw_panel(axes, cells, metric, queries, models)
            if row == 0:
                axes.set_title(wrapped(frames.label(metric), 20))
            if row == len(groups) - 1:
                axes.set_xlabel(_score_label(frames.label(metric), cells.loc[metric]))
        grid[row][0].set_yticks(range(len(queries)), [labels[query] for query in queries])
        if len(groups) > 1:
            side = grid[row][-1]
            side.yaxis.set_label_position("right")
            side.set_ylabel(str(criterion), rotation=270, va="bottom", fontweight="bold")
    _add_legend(figure, [frames.label(model) for model in models], cells)
    return figure


def query_means(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean over defined sub-queries, number defined and number in all.

    Indexed by metric, query and model; every combination has a row.
    """
    keys = ["metric", "query", "model"]
    values = scores["value"].astype(float).groupby([scores[key] for key in keys], sort=False)
    means = pd.DataFrame({"mean": values.mean(), "defined": values.count(), "all": values.size()})
    every = pd.MultiIndex.from_product([in_order(scores[key]) for key in keys], names=keys)
    return means.reindex(every).fillna({"defined": 0, "all": 0})


def _grid(
    groups: pd.Series, n_models: int, n_metrics: int, label_lines: int
) -> tuple[Figure, list[list[Axes]]]:
    sizes = [len(queries) for queries in groups]
    query_height = max(LINE_HEIGHT * label_lines + 2.0, 5.0 * n_models + 2.5) / POINTS_PER_INCH
    height = sum(sizes) * query_height + 1.1 + 0.1 * len(sizes)
    figure = Figure(figsize=(DOUBLE_COLUMN, height), layout="constrained")
    grid = figure.subplots(
        len(sizes), n_metrics, sharex="col", sharey="row", squeeze=False, height_ratios=sizes
    )
    return figure, grid


def _draw_panel(
    axes: Axes, cells: pd.DataFrame, metric: str, queries: list[str], models: list[str]
) -> None:
    bar_height = GROUP_HEIGHT / len(models)
    for row, query in enumerate(queries):
        if row % 2:
            axes.axhspan(row - 0.5, row + 0.5, color=STRIPE, linewidth=0, zorder=0)
        for index, model in enumerate(models):
            y = row - GROUP_HEIGHT / 2 + (index + 0.5) * bar_height
            cell = cells.loc[(metric, query, model)]
            if math.isnan(cell["mean"]):
                axes.plot(0, y, linestyle="none", **UNDEFINED)
                continue
            axes.barh(y, cell["mean"], bar_height, linewidth=0.3, **bar_look(index))
            if cell["defined"] < cell["all"]:
                axes.plot(cell["mean"], y, linestyle="none", **PARTIAL)
    axes.axvline(0, color="black", linewidth=0.5)
    axes.set_ylim(len(queries) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4, min_n_ticks=2))
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)


def _score_label(metric_label: str, cells: pd.DataFrame) -> str:
    mean = ", mean over sub-queries" if (cells["all"] > 1).any() else ""
    return wrapped(f"{metric_label}: association{mean}", 24)


def _add_legend(figure: Figure, model_labels: list[str], cells: pd.DataFrame) -> None:
    handles = [bar_handle(label, index) for index, label in enumerate(model_labels)]
    if cells["mean"].isna().any():
        handles.append(Line2D([], [], linestyle="none", label="undefined", **UNDEFINED))
    if ((cells["defined"] > 0) & (cells["defined"] < cells["all"])).any():
        text = "mean of the defined sub-queries only"
        handles.append(Line2D([], [], linestyle="none", label=text, **PARTIAL))
    figure.legend(handles=handles, loc="outside lower center", ncols=min(3, len(handles)))
