"""Scores of metrics of items: a panel per metric, with those queries and models that it takes."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    PALETTE,
    SMALL_TEXT,
    UNDEFINED_GREY,
    add_legend_with_notes,
    in_paper_style,
    sentence_figure,
    wrapped,
)
from fairflow.products.figures.forest_legend import THICK, THIN, model_look
from fairflow.products.figures.study_frames import StudyFrames, in_order
from fairflow.statistics.counts import FEW_COUNTS

COLUMNS = 3
LANE = 0.15
AROUND = 0.62


@in_paper_style
def item_scores(frames: StudyFrames) -> Figure:
    """Draw each metric's scores in a panel of its own, with intervals over units and templates.

    Needs `scores` with model, metric, query, subquery, value, status and the intervals of
    `Uncertainty`. 0 is fair for every metric but those that no value is fair of.
    """
    scores = frames.scores
    if scores.empty:
        return sentence_figure("No scores in this study.")
    ends = ["ci_low", "ci_high", "ci_low_both", "ci_high_both", "ci_level", "statistics"]
    scores = scores.reindex(columns=scores.columns.union(ends, sort=False))
    models, metrics = in_order(scores["model"]), in_order(scores["metric"])
    groups = [scores[scores["metric"] == metric] for metric in metrics]
    n_rows = math.ceil(len(groups) / COLUMNS)
    heights = [
        AROUND + LANE * max(len(group) for group in groups[row * COLUMNS : (row + 1) * COLUMNS])
        for row in range(n_rows)
    ]
    figure = Figure(figsize=(DOUBLE_COLUMN, sum(heights) + 0.6), layout="constrained")
    grid = figure.subplots(n_rows, min(COLUMNS, len(groups)), squeeze=False, height_ratios=heights)
    for axes, group, metric in zip(grid.flat, groups, metrics, strict=False):
        _draw(axes, group, models, frames)
        axes.set_title(wrapped(frames.label(metric), 34))
    for axes in list(grid.flat)[len(groups) :]:
        axes.set_axis_off()
    levels = scores["ci_level"].dropna()
    level = f"{100 * levels.max():g}%" if len(levels) else ""
    add_legend_with_notes(figure, _handles(frames, models, level), _notes(scores))
    return figure


def _draw(axes: Axes, group: pd.DataFrame, models: list[str], frames: StudyFrames) -> None:
    axes.axvline(0, color=UNDEFINED_GREY, linewidth=0.5, zorder=0)
    labels = []
    for lane, row in enumerate(group.itertuples()):
        few = row.statistics == "few_words" or row.status == FEW_COUNTS
        look = model_look(models.index(row.model), few)
        name = frames.query_label(row.query)
        labels.append(wrapped(name + row.subquery.removeprefix(row.query), 22))
        if math.isnan(row.value):
            axes.plot([0], [lane], marker="x", color=UNDEFINED_GREY, markersize=2.4)
            continue
        colour = PALETTE[models.index(row.model) % len(PALETTE)]
        for low, high, width in (
            (row.ci_low_both, row.ci_high_both, THIN),
            (row.ci_low, row.ci_high, THICK),
        ):
            if not math.isnan(low):
                axes.plot([low, high], [lane, lane], color=colour, linewidth=width)
        axes.plot([row.value], [lane], **look)
    axes.set_yticks(range(len(group)), labels, fontsize=SMALL_TEXT)
    axes.set_ylim(len(group) - 0.5, -0.5)


def _handles(frames: StudyFrames, models: list[str], level: str) -> list[Line2D]:
    handles = [
        Line2D([], [], label=frames.label(model), **model_look(number))
        for number, model in enumerate(models)
    ]
    if level:
        thick = f"{level} interval over units"
        handles.append(Line2D([], [], label=thick, color="black", linewidth=THICK))
        both = f"{level} interval over units and templates"
        handles.append(Line2D([], [], label=both, color="black", linewidth=THIN))
    return handles


def _notes(scores: pd.DataFrame) -> list[str]:
    notes = []
    if (scores["statistics"] == "few_words").any():
        notes.append("White: fewer than ten units or templates, whose intervals are rough.")
    if (scores["status"] == FEW_COUNTS).any():
        notes.append("White, too: too few words were counted for the value to be ranked.")
    if scores["value"].isna().any():
        notes.append("Crosses: undefined, with the reason in the table of scores.")
    return notes
