"""Scores of metrics of items: a panel per metric, with those queries and models that it takes."""

import math
from typing import Any

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
)
from fairflow.products.figures.forest_legend import THICK, THIN, model_look
from fairflow.products.figures.names import wrapped_name
from fairflow.products.figures.study_frames import StudyFrames, in_order
from fairflow.statistics.counts import FEW_COUNTS
from fairflow.studies.samples import sample_text

COLUMNS = 3
LANE, LINE = 0.15, 0.1
AROUND = 0.84
AXIS_WIDTH = 30
ENDS = ("ci_low", "ci_high", "ci_low_both", "ci_high_both")
# So many times as far from 0 as intervals are wide, 0 is not shown.
FAR = 3


@in_paper_style
def item_scores(frames: StudyFrames) -> Figure:
    """Draw each metric's scores in a panel of its own, with intervals over units and templates.

    Needs `scores` with model, metric, query, subquery, value, status and the intervals of
    `Uncertainty`. 0 is fair for every metric but those that no value is fair of.
    """
    scores = frames.scores
    if scores.empty:
        return sentence_figure("No scores in this study.")
    wanted = [*ENDS, "ci_level", "statistics", "n_words", "sampled_from"]
    scores = scores.reindex(columns=scores.columns.union(wanted, sort=False))
    models, metrics = in_order(scores["model"]), in_order(scores["metric"])
    groups = [scores[scores["metric"] == metric] for metric in metrics]
    n_rows = math.ceil(len(groups) / COLUMNS)
    heights = [
        AROUND + max(_lanes(group, frames) for group in groups[row * COLUMNS : (row + 1) * COLUMNS])
        for row in range(n_rows)
    ]
    figure = Figure(figsize=(DOUBLE_COLUMN, sum(heights) + 0.6), layout="constrained")
    grid = figure.subplots(n_rows, min(COLUMNS, len(groups)), squeeze=False, height_ratios=heights)
    for axes, group, metric in zip(grid.flat, groups, metrics, strict=False):
        _draw(axes, group, models, frames)
        axes.set_title(wrapped_name(frames.label(metric), 34))
        said = wrapped_name(frames.readings.get(metric, ""), AXIS_WIDTH)
        axes.set_xlabel(said, fontsize=SMALL_TEXT)
    for axes in list(grid.flat)[len(groups) :]:
        axes.set_axis_off()
    levels = scores["ci_level"].dropna()
    level = f"{100 * levels.max():g}%" if len(levels) else ""
    add_legend_with_notes(figure, _handles(frames, models, level), _notes(scores))
    return figure


def _draw(axes: Axes, group: pd.DataFrame, models: list[str], frames: StudyFrames) -> None:
    if _shows_zero(group):
        axes.axvline(0, color=UNDEFINED_GREY, linewidth=0.5, zorder=0)
    labels = []
    for lane, row in enumerate(group.itertuples()):
        few = row.statistics == "few_words" or row.status == FEW_COUNTS
        look = model_look(models.index(row.model), few)
        labels.append(_label(row, frames))
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


def _label(row: Any, frames: StudyFrames) -> str:
    """The query, its part, and of how many items the sample is."""
    name = wrapped_name(frames.query_label(row.query) + row.subquery.removeprefix(row.query), 22)
    return "\n".join(filter(None, [name, sample_text(row.n_words, row.sampled_from)]))


def _lanes(group: pd.DataFrame, frames: StudyFrames) -> float:
    """Height of a panel's lanes, in inches; each has room for the longest label."""
    lines = max(1 + _label(row, frames).count("\n") for row in group.itertuples())
    return len(group) * max(LANE, LINE * lines)


def _shows_zero(group: pd.DataFrame) -> bool:
    """Whether an axis with 0 leaves room to see intervals; that of log-likelihoods does not."""
    shown = group[["value", *ENDS]].stack()
    if shown.empty:
        return True
    low, high = shown.min(), shown.max()
    return max(low, -high) <= FAR * (high - low) or low == high


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
    if scores["sampled_from"].notna().any():
        notes.append('"of ... items": a sample, the same for every model and metric.')
    if (scores["statistics"] == "few_words").any():
        notes.append("White: fewer than ten units or templates, whose intervals are rough.")
    if (scores["status"] == FEW_COUNTS).any():
        notes.append("White, too: too few words were counted for the value to be ranked.")
    if scores["value"].isna().any():
        notes.append("Crosses: undefined, with the reason in the table of scores.")
    return notes
