"""The plots of WEFE's `utils`, of plain tables instead of a study."""

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from fairflow.products.figures.correlation_heatmaps import correlation_heatmaps
from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    HATCHES,
    PALETTE,
    POINTS_PER_INCH,
    STRIPE,
    UNDEFINED_GREY,
    bar_look,
    in_paper_style,
    sentence_figure,
)
from fairflow.products.figures.names import wrapped_name, wrapped_query
from fairflow.products.figures.ranking_bars import ranking_bars, ranks_by_model
from fairflow.products.figures.study_frames import StudyFrames

GROUP_HEIGHT = 0.84
LINE_HEIGHT = 7.8
BAR_HEIGHT = 5.0
LABEL_WIDTH = 46
LEGEND_WIDTH = 34
NARROW_LEGEND_WIDTH = 22
HEATMAP_LABEL_WIDTH = 16
UNDEFINED = {"marker": "x", "color": UNDEFINED_GREY, "markersize": 2.6, "linestyle": "none"}


@in_paper_style
def queries_results(results: pd.DataFrame, by: str) -> Figure:
    """Grouped bars of a results table, see `fairflow.wefe.utils.plot_queries_results`."""
    _check_frame(results, "results")
    if by not in ("query", "model"):
        raise ValueError(f"by must be 'query' or 'model', got {by!r}")
    if results.empty:
        return sentence_figure("No results.")
    table = results.T if by == "query" else results  # groups x series
    groups = [wrapped_query(str(name), LABEL_WIDTH) for name in table.index]
    lines = max(label.count("\n") + 1 for label in groups)
    group_height = max(LINE_HEIGHT * lines + 2, BAR_HEIGHT * table.shape[1] + 2.5)
    legend_rows = math.ceil((table.shape[1] + 1) / 3)
    height = (len(table) * group_height + 20 * legend_rows) / POINTS_PER_INCH + 0.6
    figure = Figure(figsize=(DOUBLE_COLUMN, height), layout="constrained")
    axes = figure.subplots()
    _draw_groups(axes, table.to_numpy(float))
    axes.set_yticks(range(len(groups)), groups)
    axes.set(ylabel=by.capitalize(), xlabel="Bias measure")
    handles = [
        Patch(label=wrapped_query(str(name), LEGEND_WIDTH), **_series_look(index))
        for index, name in enumerate(table.columns)
    ]
    if table.isna().any(axis=None):
        handles.append(Line2D([], [], label="undefined", **UNDEFINED))
    figure.legend(handles=handles, loc="outside lower center", ncols=min(3, len(handles)))
    return figure


@in_paper_style
def ranking(ranks: pd.DataFrame, title: str, facets: bool) -> Figure:
    """Bars of ranks, see `fairflow.wefe.utils.plot_ranking`."""
    _check_frame(ranks, "ranking")
    if ranks.empty:
        return sentence_figure("No ranking.")
    names = ranks.rename(index=str, columns=str).rename_axis(index="model", columns="metric")
    rows = names.stack(future_stack=True).rename("rank").reset_index()
    if facets:
        return _ranking_facets(ranks_by_model(rows, list(names.index)), title)
    labels = {metric: wrapped_name(metric, NARROW_LEGEND_WIDTH) for metric in names.columns}
    rows = rows.assign(source="computed", criterion=title)
    figure = ranking_bars(StudyFrames(ranking=rows, labels=labels))
    # Two columns of entries, as high as WEFE's long column names make them.
    lines = sum(label.count("\n") + 1 for label in labels.values()) / 2 + 1
    figure.set_figheight(figure.get_figheight() + lines * LINE_HEIGHT / POINTS_PER_INCH)
    return figure


@in_paper_style
def ranking_correlations(matrix: pd.DataFrame, title: str) -> Figure:
    """Heat map of correlations, see `fairflow.wefe.utils.plot_ranking_correlations`."""
    _check_frame(matrix, "correlation_matrix")
    if list(matrix.index) != list(matrix.columns):
        raise ValueError("correlation_matrix must have the same rankings as rows and as columns")
    if matrix.empty:
        return sentence_figure("No rank correlations.")
    names = matrix.rename(index=str, columns=str)
    names = names.rename_axis(index="metric_row", columns="metric_column")
    rows = names.stack(future_stack=True).rename("correlation").reset_index()
    method = matrix.attrs.get("method", "")
    facts = {"source": "computed", "criterion": "", "method": method, "n_models": math.nan}
    figure = correlation_heatmaps(StudyFrames(correlations=rows.assign(**facts)))
    lines = max(wrapped_name(name, HEATMAP_LABEL_WIDTH).count("\n") + 1 for name in names)
    # WEFE's column names are long: a row must be as high as its label.
    label_height = (lines * LINE_HEIGHT + 4) / POINTS_PER_INCH
    figure.set_figheight(figure.get_figheight() + len(names) * max(0.0, label_height - 0.3))
    heat_map, colour_bar = figure.axes
    heat_map.set_title(title)
    colour_bar.set_ylabel(f"{method} rank correlation".strip().capitalize())
    return figure


def _check_frame(frame: Any, argument: str) -> None:
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{argument} must be a DataFrame, got {type(frame)}")


def _series_look(index: int) -> dict[str, str]:
    # By model, a table has more series than the palette has colours.
    hatch = HATCHES[(index + index // len(PALETTE)) % len(HATCHES)]
    return bar_look(index) | {"hatch": hatch}


def _draw_groups(axes: Axes, values: np.ndarray) -> None:
    """Draw (groups, series) as bars side by side."""
    height = GROUP_HEIGHT / values.shape[1]
    for (group, series), value in np.ndenumerate(values):
        y = group - GROUP_HEIGHT / 2 + (series + 0.5) * height
        if math.isnan(value):
            axes.plot(0, y, **UNDEFINED)
        else:
            axes.barh(y, value, height, linewidth=0.3, **_series_look(series))
    for group in range(1, len(values), 2):
        axes.axhspan(group - 0.5, group + 0.5, color=STRIPE, linewidth=0, zorder=0)
    axes.axvline(0, color="black", linewidth=0.5)
    axes.set_ylim(len(values) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)


def _ranking_facets(ranks: pd.DataFrame, title: str) -> Figure:
    height = 0.24 * len(ranks) + 0.9
    figure = Figure(figsize=(DOUBLE_COLUMN, height), layout="constrained")
    grid = figure.subplots(1, ranks.shape[1], sharex=True, sharey=True, squeeze=False)[0]
    for index, (axes, (metric, column)) in enumerate(zip(grid, ranks.items(), strict=True)):
        for y, rank in enumerate(column):
            missing = math.isnan(rank)
            axes.barh(y, 0 if missing else rank, 0.7, **bar_look(index) | {"hatch": ""})
            text, x = ("n/a", 0) if missing else (f"{rank:g}", rank)
            axes.annotate(text, (x, y), (2, 0), textcoords="offset points", va="center")
        axes.set_title(wrapped_name(metric, max(12, 72 // ranks.shape[1])))
        axes.xaxis.set_major_locator(MaxNLocator(nbins=4, integer=True))
        axes.tick_params(axis="y", length=0)
    grid[0].set_yticks(range(len(ranks)), [wrapped_name(model, 28) for model in ranks.index])
    grid[0].set(ylim=(len(ranks) - 0.5, -0.5), xlim=(0, 1.3 * len(ranks)))
    figure.suptitle(title)
    figure.supxlabel("rank (1 = weakest association)", fontsize=7)
    return figure
