"""Stacked bars of the ranks of the models."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    NARROW_NOTE,
    NOTE_WIDTH,
    POINTS_PER_INCH,
    SINGLE_COLUMN,
    SMALL_TEXT,
    UNDEFINED_GREY,
    add_legend_with_notes,
    bar_handle,
    bar_look,
    in_paper_style,
    sentence_figure,
    text_colour_on,
)
from fairflow.products.figures.names import wrapped_name
from fairflow.products.figures.ranked_models import (
    control_notes,
    marked_label,
    ranked_models,
    why_no_ranking,
)
from fairflow.products.figures.study_frames import StudyFrames, in_order
from fairflow.studies.wording import listed

ROW_HEIGHT = 18.0 / POINTS_PER_INCH
BESIDE = {"textcoords": "offset points", "va": "center"}


@in_paper_style
def ranking_bars(frames: StudyFrames) -> Figure:
    """Draw the ranks of the computed scores, stacked over the metrics, a panel per criterion.

    Needs `ranking` with source, criterion, metric, model, rank, status and note. The smallest total
    is on top; models that lack a rank come last, without a bar. Metrics that rank nobody, and
    models of vectors that another stands for, are named below the panels.
    """
    return _rank_figure(frames, "computed", "No computed ranking in this study")


@in_paper_style
def published_ranking_bars(frames: StudyFrames) -> Figure:
    """Draw the ranks of the published scores, in the manner of `ranking_bars`."""
    return _rank_figure(frames, "published", "No published ranking in this study")


def ranks_by_model(ranking: pd.DataFrame, models: list[str]) -> pd.DataFrame:
    """Ranks of one criterion, models as rows and metrics as columns, best total first.

    Models that lack a rank come after all others, so that a gap is never an advantage.
    """
    ranks = ranking.set_index(["model", "metric"])["rank"].astype(float).unstack()
    ranks = ranks.reindex(index=models, columns=in_order(ranking["metric"]))
    order = pd.DataFrame({"missing": ranks.isna().sum(axis=1), "total": ranks.sum(axis=1)})
    return ranks.loc[order.sort_values(["missing", "total"], kind="stable").index]


def _rank_figure(frames: StudyFrames, source: str, sentence: str) -> Figure:
    ranking, notes = ranked_models(frames, source)
    if ranking.empty:
        return sentence_figure(sentence + why_no_ranking(notes))
    models, criteria = in_order(ranking["model"]), in_order(ranking["criterion"])
    columns = min(2, len(criteria))
    rows = math.ceil(len(criteria) / columns)
    size = (
        DOUBLE_COLUMN if columns == 2 else SINGLE_COLUMN,
        rows * (len(models) * ROW_HEIGHT + 0.55) + 0.5,
    )
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharex=True).ravel()
    for axes, criterion in zip(grid, criteria, strict=False):
        ranks = ranks_by_model(ranking[ranking["criterion"] == criterion], models)
        _draw_panel(axes, ranks, frames)
        axes.set_title(criterion)
    for axes in grid[len(criteria) :]:
        axes.set_visible(False)
    for axes in grid[max(0, len(criteria) - columns) : len(criteria)]:
        axes.set_xlabel("sum of ranks (1 = weakest association)")
        axes.tick_params(axis="x", labelbottom=True)
    _add_legend(figure, frames, ranking, [*notes, *control_notes(frames, models)])
    return figure


def _draw_panel(axes: Axes, ranks: pd.DataFrame, frames: StudyFrames) -> None:
    metrics = frames.metrics()
    for y, (_, row) in enumerate(ranks.iterrows()):
        missing = [frames.label(metric) for metric in row.index[row.isna()]]
        if missing:
            # No bar: of whatever length it was, it would be read as a sum.
            text = f"n/a by {listed(missing)}: no sum"
            axes.annotate(text, (0, y), (3, 0), color=UNDEFINED_GREY, **BESIDE)
            continue
        left = 0.0
        for metric, rank in row.items():
            look = bar_look(metrics.index(metric))
            axes.barh(y, rank, 0.72, left=left, **look)
            face = look["facecolor"]
            axes.text(
                left + rank / 2,
                y,
                f"{rank:g}",
                ha="center",
                va="center_baseline",
                fontsize=SMALL_TEXT,
                color=text_colour_on(face),
                bbox={"facecolor": face, "edgecolor": "none", "pad": 0.6},
            )
            left += rank
        axes.annotate(f"{left:g}", (left, y), (3, 0), **BESIDE)
    axes.set_yticks(
        range(len(ranks)), [wrapped_name(marked_label(frames, model), 28) for model in ranks.index]
    )
    axes.set_ylim(len(ranks) - 0.5, -0.5)
    axes.set_xlim(0, max(axes.get_xlim()[1], 1.18 * len(ranks) * ranks.shape[1]))
    axes.tick_params(axis="y", length=0)


def _add_legend(
    figure: Figure, frames: StudyFrames, ranking: pd.DataFrame, notes: list[str]
) -> None:
    number_of = {metric: index for index, metric in enumerate(frames.metrics())}
    shown = in_order(ranking["metric"])
    handles = [bar_handle(frames.label(metric), number_of[metric]) for metric in shown]
    narrow = figure.get_figwidth() < DOUBLE_COLUMN
    ncols = min(len(handles), 2 if narrow else 5)
    add_legend_with_notes(figure, handles, notes, ncols, NARROW_NOTE if narrow else NOTE_WIDTH)
