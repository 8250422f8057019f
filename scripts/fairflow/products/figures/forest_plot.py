"""Scores with their intervals, beside published ones and random word sets."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    PAGE,
    PALETTE,
    POINTS_PER_INCH,
    SMALL_TEXT,
    UNDEFINED_GREY,
    add_legend_with_notes,
    in_paper_style,
    sentence_figure,
    wrapped,
    wrapped_query,
)
from fairflow.products.figures.forest_lanes import has_intervals, lanes
from fairflow.products.figures.forest_legend import (
    BAND,
    PUBLISHED,
    THICK,
    THIN,
    UNDEFINED,
    handles,
    model_look,
    notes,
)
from fairflow.products.figures.study_frames import (
    StudyFrames,
    first_queries,
    in_order,
    left_out,
    queries_by_criterion,
)

LABEL_WIDTH = 46
LINE_HEIGHT = 7.8
LANE_HEIGHT = 6.1
# Inches: titles, axis labels and the legend of three models; each three models more.
SURROUNDINGS = 1.75
LEGEND_ROW = 0.14


@in_paper_style
def forest_plot(frames: StudyFrames) -> Figure:
    """Draw the scores with both intervals: criteria as rows, metrics as columns.

    Needs `scores` with model, metric, criterion, query, value, n_words, n_lost, status and the
    intervals and bands of `Uncertainty`; `published` with model, metric, scope, headline and
    published. Each model has a lane in the row of a query, each of its sub-queries a part of the
    lane. A model without value keeps its lane, with the reason.
    """
    if not has_intervals(frames.scores):
        return sentence_figure("No intervals in this study: its scores hold no statistics.")
    models, metrics = in_order(frames.scores["model"]), in_order(frames.scores["metric"])
    every = queries_by_criterion(frames.scores)
    labels = {
        q: wrapped_query(frames.query_label(q), LABEL_WIDTH) for c in every.values() for q in c
    }
    lines = max(label.count("\n") + 1 for label in labels.values())
    row_height = max(LINE_HEIGHT * lines + 2, LANE_HEIGHT * len(models) + 3) / POINTS_PER_INCH
    around = SURROUNDINGS + LEGEND_ROW * ((len(models) - 1) // 3)
    criteria = first_queries(every, max(1, int((PAGE - around) / row_height)))
    height = sum(map(len, criteria.values())) * row_height + around
    figure, grid = _grid(frames, criteria, metrics, height, labels)
    panels = {}
    for row, (criterion, queries) in zip(grid, criteria.items(), strict=True):
        for axes, metric in zip(row, metrics, strict=True):
            rows = frames.scores[frames.scores["metric"] == metric]
            panel = panels[criterion, metric] = lanes(rows, queries, models)
            _draw_panel(axes, panel, _published(frames.published, metric), models)
    # The sides of the reasons depend on the limits that all panels of a column share.
    for axes, panel in zip(grid.flat, panels.values(), strict=True):
        _write_reasons(axes, panel)
    shown = pd.concat([panel.assign(metric=metric) for (_, metric), panel in panels.items()])
    published = any(line.get_label() == "published" for a in grid.flat for line in a.get_lines())
    entries = list(handles(frames, shown, models, published))
    add_legend_with_notes(figure, entries, [*notes(frames, shown), left_out(every, criteria)])
    return figure


def _grid(
    frames: StudyFrames,
    criteria: dict[str, list[str]],
    metrics: list[str],
    height: float,
    labels: dict[str, str],
) -> tuple[Figure, np.ndarray]:
    sizes = [len(queries) for queries in criteria.values()]
    figure = Figure(figsize=(DOUBLE_COLUMN, height), layout="constrained")
    grid = figure.subplots(
        len(sizes), len(metrics), sharex="col", sharey="row", squeeze=False, height_ratios=sizes
    )
    for row, (criterion, queries) in zip(grid, criteria.items(), strict=True):
        row[0].set_yticks(range(len(queries)), [labels[query] for query in queries])
        if len(sizes) > 1:
            row[-1].yaxis.set_label_position("right")
            row[-1].set_ylabel(criterion, rotation=270, va="bottom", fontweight="bold")
    for column, metric in zip(grid.T, metrics, strict=True):
        column[0].set_title(wrapped(frames.label(metric), 20))
        column[-1].set_xlabel(wrapped(f"{frames.label(metric)}: association", 24))
    return figure, grid


def _published(published: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Published values of the measure on this axis, indexed by scope (the query) and model."""
    if published.empty:
        return pd.DataFrame()
    on_axis = published["headline"].astype(bool) & (published["metric"] == metric)
    rows = published[on_axis & published["published"].notna()]
    return rows.set_index(["scope", "model"])[["published"]]


def _draw_panel(
    axes: Axes, panel: pd.DataFrame, published: pd.DataFrame, models: list[str]
) -> None:
    axes.axvline(0, color="black", linewidth=0.5, zorder=1)
    bands = panel[panel["random_low"].notna()]
    widths = bands["random_high"] - bands["random_low"]
    axes.barh(bands["y"], widths, bands["height"], bands["random_low"], zorder=0.5, **BAND)
    for index, model in enumerate(models):
        of_model = panel[panel["model"] == model]
        colour = PALETTE[index % len(PALETTE)]
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
        for query, lane in of_model.groupby("query", sort=False):
            if (query, model) in published.index:
                values = published.loc[[(query, model)], "published"]
                axes.plot(values, [lane["y"].mean()] * len(values), label="published", **PUBLISHED)
    n_rows = panel["row"].max() + 1
    for row in range(1, n_rows):
        axes.axhline(row - 0.5, color="#D9D9D9", linewidth=0.4, zorder=0)
    axes.set_ylim(n_rows - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4, min_n_ticks=2))
    axes.spines["left"].set_visible(False)


def _write_reasons(axes: Axes, panel: pd.DataFrame) -> None:
    """Reasons of undefined scores, on the side of the panel where the row leaves room."""
    low, high = axes.get_xlim()
    for _, row in panel.groupby("row", sort=False):
        middle = row[["value", "ci_low_both", "ci_high_both", "ci_low", "ci_high"]].mean().mean()
        left = not middle < (low + high) / 2  # also when nothing is drawn
        for _, of_model in row.groupby("model", sort=False):
            undefined = of_model[of_model["value"].isna()]
            if len(undefined) < len(of_model):
                axes.plot([0] * len(undefined), undefined["y"], zorder=3, **UNDEFINED)
                continue
            axes.text(
                0.02 if left else 0.98,
                of_model["y"].mean(),
                of_model["short"].iloc[0],
                transform=axes.get_yaxis_transform(),
                ha="left" if left else "right",
                va="center_baseline",
                fontsize=SMALL_TEXT,
                color=UNDEFINED_GREY,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0},
            )
