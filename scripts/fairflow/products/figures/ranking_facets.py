"""Ranks of the models, one facet per criterion and metric."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    NOTE_WIDTH,
    SMALL_TEXT,
    UNDEFINED_GREY,
    bar_look,
    in_paper_style,
    sentence_figure,
    wrapped,
)
from fairflow.products.figures.names import wrapped_name
from fairflow.products.figures.ranked_models import (
    control_notes,
    marked_label,
    ranked_models,
    why_no_ranking,
)
from fairflow.products.figures.study_frames import StudyFrames, in_order

ROW_HEIGHT = 0.24


@in_paper_style
def ranking_facets(frames: StudyFrames) -> Figure:
    """Draw rank bars of the computed scores: criteria as rows, metrics as columns.

    Needs `ranking` with source, criterion, metric, model, score, rank, status and note. The score
    stands at the end of its bar, "n/a" where a model has no rank. Who is left out and why is told
    below, as in `fairflow.products.figures.ranking_bars`.
    """
    ranking, notes = ranked_models(frames, "computed")
    if ranking.empty:
        return sentence_figure("No computed ranking in this study" + why_no_ranking(notes))
    models, metrics = in_order(ranking["model"]), in_order(ranking["metric"])
    criteria = in_order(ranking["criterion"])
    height = len(criteria) * (len(models) * ROW_HEIGHT + 0.12) + 0.75
    figure = Figure(figsize=(DOUBLE_COLUMN, height), layout="constrained")
    grid = figure.subplots(len(criteria), len(metrics), sharex=True, sharey=True, squeeze=False)
    cells = ranking.set_index(["criterion", "metric", "model"])[["rank", "score"]].astype(float)
    colours = {metric: index for index, metric in enumerate(frames.metrics())}
    for row, criterion in zip(grid, criteria, strict=True):
        for axes, metric in zip(row, metrics, strict=True):
            keys = [(criterion, metric, model) for model in models]
            _draw_facet(axes, cells.reindex(keys), colours[metric])
        row[-1].yaxis.set_label_position("right")
        row[-1].set_ylabel(criterion, rotation=270, va="bottom", fontweight="bold")
    for axes, metric in zip(grid[0], metrics, strict=True):
        axes.set_title(wrapped_name(frames.label(metric), 20))
    grid[0][0].set_yticks(
        range(len(models)), [wrapped_name(marked_label(frames, model), 28) for model in models]
    )
    grid[0][0].set_ylim(len(models) - 0.5, -0.5)
    grid[0][0].set_xlim(0, 1.45 * len(models))
    what = "rank (1 = weakest association); score at the end of the bar"
    notes += control_notes(frames, models)
    lines = [what, *(wrapped(note, NOTE_WIDTH) for note in notes)]
    figure.supxlabel("\n".join(lines), fontsize=7 if len(lines) == 1 else SMALL_TEXT)
    return figure


def _draw_facet(axes: Axes, cells: pd.DataFrame, colour: int) -> None:
    look = bar_look(colour) | {"hatch": ""}
    for y, (rank, score) in enumerate(cells.itertuples(index=False)):
        missing = math.isnan(rank)
        if not missing:
            axes.barh(y, rank, 0.7, **look)
        text = "n/a" if missing or math.isnan(score) else f"{score:.3f}"
        axes.annotate(
            text,
            (0 if missing else rank, y),
            (2, 0),
            textcoords="offset points",
            va="center",
            fontsize=SMALL_TEXT,
            color=UNDEFINED_GREY if missing else "black",
        )
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4, integer=True))
    axes.tick_params(axis="y", length=0)
