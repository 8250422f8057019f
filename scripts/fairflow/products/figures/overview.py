"""A study at a glance: the effect size of each query on each model, and what of it is sure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    PAGE,
    POINTS_PER_INCH,
    SMALL_TEXT,
    add_legend_with_notes,
    in_paper_style,
    no_value_look,
    sentence_figure,
    text_colour_on,
    wrapped,
)
from fairflow.products.figures.names import wrapped_name, wrapped_query
from fairflow.products.figures.overview_cells import EFFECT, cells, claims
from fairflow.products.figures.study_frames import (
    StudyFrames,
    first_queries,
    in_order,
    left_out,
    queries_by_criterion,
)
from fairflow.statistics.friedman import ALPHA
from fairflow.studies.wording import listed

# The largest effect size there is; of other measures the scale ends at the largest value.
LARGEST_EFFECT = 2.0
LABEL_WIDTH, ASLANT, MOST_LINES = 48, 26, 3
# Inches: a line of text, a column, what stands beside and below the cells.
LINE, COLUMN = 7.8 / POINTS_PER_INCH, 0.62
LABELS, AROUND, BETWEEN, LETTER = 2.85, 2.0, 0.12, 0.05
BEYOND = {"fill": False, "linewidth": 0.9}


@in_paper_style
def overview(frames: StudyFrames) -> Figure:
    """Draw a map of values: (sub-)queries as rows, models as columns.

    Needs the `scores` of `fairflow.products.figures.overview_cells.cells`. A cell holds its value,
    an asterisk where that survives Holm's correction, and a frame where it lies beyond the band of
    random words. The scale is symmetric; cells without value are hatched.
    """
    rows = cells(frames)
    if rows.empty:
        return sentence_figure("No scores in this study.")
    models = in_order(rows["model"])
    every = queries_by_criterion(rows)
    labels = {name: wrapped_query(name, LABEL_WIDTH) for name in in_order(rows["subquery"])}
    row_height = LINE * max(label.count("\n") + 1 for label in labels.values()) + 0.06
    room = PAGE - AROUND - BETWEEN * len(every)
    shown = first_queries(every, max(1, int(room / row_height)))
    width = min(DOUBLE_COLUMN, LABELS + COLUMN * max(2, len(models)))
    sizes = [_n_rows(rows, queries) for queries in shown.values()]
    height = sum(sizes) * row_height + AROUND + BETWEEN * len(sizes)
    figure = Figure(figsize=(width, height), layout="constrained")
    grid = figure.subplots(len(sizes), 1, sharex=True, squeeze=False, height_ratios=sizes)[:, 0]
    limit = _limit(rows)
    for axes, (criterion, queries) in zip(grid, shown.items(), strict=True):
        panel = rows[rows["query"].isin(queries)]
        mesh = _draw_panel(axes, panel, models, limit)
        keys = in_order(panel["subquery"])
        axes.tick_params(axis="x", labelbottom=False)
        axes.set_yticks(np.arange(len(keys)) + 0.5, [labels[key] for key in keys])
        if len(shown) > 1:
            axes.yaxis.set_label_position("right")
            axes.set_ylabel(criterion, rotation=270, va="bottom", fontweight="bold")
    column = (width - LABELS) / len(models)
    _name_models(grid[0], [frames.label(model) for model in models], column)
    bar = figure.colorbar(mesh, ax=list(grid), location="bottom", aspect=34, pad=0.02, shrink=0.9)
    bar.set_label(wrapped(frames.axis(rows["metric"].iloc[0]), 66), fontsize=SMALL_TEXT)
    bar.outline.set_linewidth(0.4)
    notes = [*_notes(frames, rows), left_out(every, shown)]
    narrow = width < DOUBLE_COLUMN - 1
    add_legend_with_notes(
        figure, list(_handles(rows)), notes, 1 if narrow else 3, round(19 * width)
    )
    return figure


def _n_rows(rows: pd.DataFrame, queries: Sequence[str]) -> int:
    return rows.loc[rows["query"].isin(queries), "subquery"].nunique()


def _limit(rows: pd.DataFrame) -> float:
    """End of the scale, on both sides."""
    if (rows["measure"] == EFFECT).all():
        return LARGEST_EFFECT
    largest = rows["value"].abs().max()
    return float(largest) if largest > 0 else 1.0


def _draw_panel(axes: Axes, panel: pd.DataFrame, models: list[str], limit: float) -> QuadMesh:
    keys = in_order(panel["subquery"])
    matrix = panel.pivot(index="subquery", columns="model", values="value")
    matrix = matrix.reindex(index=keys, columns=models).to_numpy(dtype=float)
    norm, colours = Normalize(-limit, limit), matplotlib.colormaps["RdBu_r"]
    look = {"cmap": colours, "norm": norm, "edgecolors": "white", "linewidth": 0.8}
    mesh = axes.pcolormesh(np.ma.masked_invalid(matrix), **look)
    marks = panel.set_index(["subquery", "model"])[["survives", "beyond"]]
    for (row, column), value in np.ndenumerate(matrix):
        if np.isnan(value):
            axes.add_patch(Rectangle((column, row), 1, 1, **no_value_look()))
            continue
        survives, beyond = marks.loc[(keys[row], models[column])]
        colour = text_colour_on(colours(norm(value))[:3])
        text = f"{value:.2f}".replace("-", "\N{MINUS SIGN}") + ("*" if survives else "")
        look = {"ha": "center", "va": "center_baseline", "fontsize": SMALL_TEXT, "color": colour}
        axes.text(column + 0.5, row + 0.5, text, **look)
        if beyond:
            frame = Rectangle((column + 0.06, row + 0.1), 0.88, 0.8, edgecolor=colour, **BEYOND)
            axes.add_patch(frame)
    axes.set(xlim=(0, len(models)), ylim=(len(keys), 0))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return mesh


def _name_models(axes: Axes, labels: list[str], column: float) -> None:
    """Above the first panel, aslant where a column of so many inches is too narrow."""
    upright = [wrapped_name(label, int(column / LETTER)) for label in labels]
    slant = any(len(line) * LETTER > column for label in upright for line in label.split("\n"))
    slant = slant or any(label.count("\n") > MOST_LINES - 1 for label in upright)
    names = [wrapped_name(label, ASLANT) for label in labels] if slant else upright
    lines = max(name.count("\n") + 1 for name in names)
    # Steep enough for all lines of a name to fit between its neighbours.
    angle = max(30.0, math.degrees(math.asin(min(1.0, 1.1 * lines * LINE / column))))
    look = {"rotation": angle, "ha": "left", "rotation_mode": "anchor"} if slant else {}
    axes.set_xticks(np.arange(len(labels)) + 0.5, names, **look)
    axes.tick_params(axis="x", labeltop=True)


def _handles(rows: pd.DataFrame) -> Iterator[Line2D | Patch]:
    if rows["survives"].any():
        look = {"marker": (5, 2, 0), "markersize": 4, "color": "black", "linestyle": "none"}
        yield Line2D([], [], label=f"p < {ALPHA:g} after Holm's correction", **look)
    if rows["beyond"].any():
        yield Patch(label="beyond 95% of random target sets", **BEYOND)
    if rows["value"].isna().any():
        yield Patch(label="no value", **no_value_look())


def _notes(frames: StudyFrames, rows: pd.DataFrame) -> list[str]:
    """What a reader must know; a model without bands, for one, has no frames."""
    defined = rows.dropna(subset="value")
    without = {
        "no band of random words": "random_low",
        "no test": "p_holm",
    }
    notes = list(claims(rows))
    for what, column in without.items():
        lacking = defined[defined[column].isna()]
        models = [frames.label(model) for model in in_order(lacking["model"])]
        if models:
            whose = f", of {listed(models)}" if len(lacking) < len(defined) else ""
            notes.append(f"{what.capitalize()} in {len(lacking)} cells{whose}.")
    return notes
