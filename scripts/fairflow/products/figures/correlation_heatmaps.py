"""Heat maps of the rank correlations between metrics."""

import math

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    SINGLE_COLUMN,
    SMALL_TEXT,
    in_paper_style,
    no_value_look,
    sentence_figure,
    text_colour_on,
    wrapped,
)
from fairflow.products.figures.names import wrapped_name
from fairflow.products.figures.ranked_models import why_no_ranking
from fairflow.products.figures.study_frames import StudyFrames, in_order, rows_of_source

FEW_MODELS = 5


@in_paper_style
def correlation_heatmaps(frames: StudyFrames) -> Figure:
    """Draw the correlations (-1 to 1) between the computed rankings, a heat map per criterion.

    Needs `correlations` with source, criterion, method, metric_row, metric_column, correlation
    and n_models. With several methods only the first is drawn; the colour bar names it.
    """
    return _heatmap_figure(frames, "computed", "No computed rank correlations in this study")


@in_paper_style
def published_correlation_heatmaps(frames: StudyFrames) -> Figure:
    """Draw the published correlations in the manner of `correlation_heatmaps`."""
    return _heatmap_figure(frames, "published", "No published rank correlations in this study")


def _heatmap_figure(frames: StudyFrames, source: str, sentence: str) -> Figure:
    rows = rows_of_source(frames.correlations, source)
    if rows.empty:
        return sentence_figure(f"{sentence}.")
    method = in_order(rows["method"])[0]
    rows = rows[rows["method"] == method]
    # A metric agrees with itself whatever it measures.
    pairs = rows[rows["metric_row"] != rows["metric_column"]]
    if pairs["correlation"].isna().all():
        return sentence_figure(sentence + why_no_ranking(_reasons(pairs)))
    criteria = in_order(rows["criterion"])
    metrics = in_order([*rows["metric_row"], *rows["metric_column"]])
    columns = min(2, len(criteria))
    figure, grid = _grid(math.ceil(len(criteria) / columns), columns, len(metrics))
    for number, (axes, criterion) in enumerate(zip(grid, criteria, strict=False)):
        panel = rows[rows["criterion"] == criterion]
        mesh = _draw_heatmap(axes, _matrix(panel, metrics))
        axes.set_title(f"{criterion} ({models_phrase(panel['n_models'])})")
        labels = [frames.label(metric) for metric in metrics]
        _label_axes(axes, labels, number % columns == 0, number + columns >= len(criteria))
    for axes in grid[len(criteria) :]:
        axes.set_visible(False)
    bar = figure.colorbar(mesh, ax=list(grid), ticks=[-1, -0.5, 0, 0.5, 1], aspect=30, pad=0.02)
    bar.set_label(f"{method.capitalize()} rank correlation")
    bar.outline.set_linewidth(0.4)
    if pairs.dropna(subset="correlation")["n_models"].min() <= FEW_MODELS:
        note = "With so few models a rank correlation can take only a few values."
        figure.supxlabel(wrapped(note, 90 if columns == 2 else 46), fontsize=SMALL_TEXT)
    return figure


def _reasons(pairs: pd.DataFrame) -> list[str]:
    return [] if "reason" not in pairs else in_order(pairs["reason"].dropna())


def models_phrase(counts: pd.Series) -> str:
    """Number of models behind the correlations, as "n = 3 models" or "n = 2-3 models"."""
    stated = counts.dropna().astype(int)
    if stated.empty:
        return "number of models unknown"
    low, high = stated.min(), stated.max()
    return f"n = {low} models" if low == high else f"n = {low}\N{EN DASH}{high} models"


def _grid(rows: int, columns: int, n_metrics: int) -> tuple[Figure, np.ndarray]:
    width = DOUBLE_COLUMN if columns == 2 else SINGLE_COLUMN
    panel_height = 0.45 + max(0.36 * n_metrics, 1.2)
    figure = Figure(figsize=(width, rows * panel_height + 0.6), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False).ravel()


def _matrix(rows: pd.DataFrame, metrics: list[str]) -> pd.DataFrame:
    matrix = rows.set_index(["metric_row", "metric_column"])["correlation"].unstack()
    return matrix.reindex(index=metrics, columns=metrics).astype(float)


def _draw_heatmap(axes: Axes, matrix: pd.DataFrame) -> QuadMesh:
    colours = matplotlib.colormaps["RdBu_r"]
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(matrix.to_numpy()),
        cmap=colours,
        vmin=-1,
        vmax=1,
        edgecolors="white",
        linewidth=0.6,
    )
    for (row, column), value in np.ndenumerate(matrix.to_numpy()):
        if math.isnan(value):
            axes.add_patch(Rectangle((column, row), 1, 1, **no_value_look()))
        face = no_value_look()["facecolor"] if math.isnan(value) else colours((value + 1) / 2)[:3]
        axes.text(
            column + 0.5,
            row + 0.5,
            "n/a" if math.isnan(value) else f"{value:.2f}".replace("-", "\N{MINUS SIGN}"),
            ha="center",
            va="center",
            color=text_colour_on(face),
            bbox={"facecolor": face, "edgecolor": "none", "pad": 0.8},
        )
    axes.set(xlim=(0, len(matrix)), ylim=(len(matrix), 0))
    return mesh


def _label_axes(axes: Axes, labels: list[str], left: bool, bottom: bool) -> None:
    centres = np.arange(len(labels)) + 0.5
    axes.set_xticks(centres, [wrapped_name(label, 9) for label in labels] if bottom else [])
    axes.set_yticks(centres, [wrapped_name(label, 16) for label in labels] if left else [])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
