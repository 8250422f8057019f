"""Whether metrics and people agree on a trait, and not on everything: traits by methods."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.validity.yardsticks import PEOPLE
from fairflow.studies.wording import counted, listed_briefly

VALIDITY = "validity"
KINDS = {
    VALIDITY: "one trait by two methods",
    "same method": "two traits by one method",
    "neither": "two traits by two methods",
}
# Inches: a cell at most, one that numbers fit into, and what surrounds a matrix and all of them.
CELL, NUMBERED, GAP, HEAD, TAIL, FOOT, BAR = 0.3, 0.17, 0.12, 0.2, 0.2, 0.5, 0.07
MOST_COLUMNS = 3
Side = tuple[str, str]


class TraitsAndMethods(BaseFigure):
    """Draw the multitrait-multimethod matrix of Campbell and Fiske (1959), one for each model.

    Needs `traits_and_methods`. Methods are blocks; correlations of one trait are outlined.
    """

    def plot(self) -> Figure:
        rows = self.data()
        if rows.empty or rows["correlation"].isna().all():
            return page.sentence_figure("No words of this study have norms of several traits.")
        every, sides = in_order(rows["model"]), _sides(rows)
        names = [f"{self.label(method)}, {trait}" for method, trait in sides]
        names = [f"{name}  {number}" for number, name in enumerate(names, start=1)]
        left = max(page.text_width(name, 7) for name in names) / page.POINTS_PER_INCH + 0.1
        columns = min(len(every), MOST_COLUMNS)
        width = (page.DOUBLE_COLUMN - left) / columns
        cell = min(CELL, (width - GAP) / len(sides))
        size = cell * len(sides)
        height = size + HEAD + TAIL
        shown = every[: columns * max(1, int((page.PAGE - FOOT) / height))]
        levels = -(-len(shown) // columns)
        figure = Figure(figsize=(page.DOUBLE_COLUMN, levels * height + FOOT))
        for number, model in enumerate(shown):
            level, column = divmod(number, columns)
            bottom = FOOT + (levels - level - 1) * height + TAIL
            axes = page.axes_at(figure, left + column * width, bottom, size, size)
            mesh = _draw_matrix(axes, rows[rows["model"] == model], sides, cell)
            axes.set_title(page.wrapped_name(self.label(model), int(width * 16)))
            axes.set_yticks(np.arange(len(sides)) + 0.5, [] if column else names)
            axes.set_xticks(np.arange(len(sides)) + 0.5, range(1, len(sides) + 1))
        bar = page.axes_at(figure, left, 0.28, 1.2, BAR)
        figure.colorbar(mesh, cax=bar, orientation="horizontal", ticks=[-1, 0, 1])
        bar.set_title("correlation (in cells times 100)", fontsize=7, pad=2, loc="left")
        outlined = Patch(facecolor="none", edgecolor="black", linewidth=1, label=KINDS[VALIDITY])
        place = {"loc": "lower right", "bbox_to_anchor": (1, 0), "ncols": 2}
        none = Patch(label="no value", **page.no_value_look())
        figure.legend(handles=[outlined, none][: 1 + rows["correlation"].isna().any()], **place)
        page.set_notes(figure, _notes(rows, len(shown), len(every)))
        return figure

    def data(self) -> pd.DataFrame:
        """Each correlation of two traits or two methods."""
        return self.frames.traits_and_methods

    def title(self, rows: pd.DataFrame) -> str:
        return convergent(rows)

    def alt_text(self, rows: pd.DataFrame) -> Iterator[str]:
        methods = len({method for method, _ in _sides(rows)})
        yield (
            f"Correlations of {counted(len({t for _, t in _sides(rows)}), 'trait')} by "
            f"{counted(methods, 'method')}, a triangular matrix for each model."
        )
        for model, own in rows.groupby("label_model", sort=False):
            mean = own.groupby("kind")["correlation"].mean().dropna()
            told = [f"{mean[kind]:.2f} for {name}" for kind, name in KINDS.items() if kind in mean]
            yield f"{model}, on average: {', '.join(told) or 'no correlation'}."
        yield f"{convergent(rows)}." * bool(convergent(rows))


def convergent(rows: pd.DataFrame) -> str:
    """In how many models metrics agree with people more on one trait than on two; "" if unknown.

    Compared are means. Metrics of the same vectors agree with each other anyway.
    """
    rows = rows[(rows["row_method"] == PEOPLE) != (rows["column_method"] == PEOPLE)]
    mean = rows.groupby(["model", "kind"], sort=False)["correlation"].mean().unstack()
    mean = mean.reindex(columns=[*KINDS]).dropna(subset=[VALIDITY, "neither"])
    more = int((mean[VALIDITY] > mean["neither"]).sum())
    what = (
        "metrics correlate with people's ratings of the same trait more than of others, on average"
    )
    return f"In {more} of {counted(len(mean), 'model')}, {what}" * (len(mean) > 0)


def _sides(rows: pd.DataFrame) -> list[Side]:
    """Method and trait of each row and column, by method, as they come first."""
    both = rows[[*_COLUMN]].to_numpy().tolist() + rows[[*_ROW]].to_numpy().tolist()
    methods, traits = (in_order(names) for names in zip(*both, strict=True))
    found = {tuple(side) for side in both}
    return [(m, t) for m in methods for t in traits if (m, t) in found]


_ROW, _COLUMN = ("row_method", "row_trait"), ("column_method", "column_trait")


def _draw_matrix(axes: Axes, rows: pd.DataFrame, sides: Sequence[Side], cell: float) -> QuadMesh:
    place = {side: number for number, side in enumerate(sides)}
    values = np.full((len(sides), len(sides)), np.nan)
    cells = []
    for row in rows.to_dict("records"):
        ends = (place[row[a], row[b]] for a, b in (_ROW, _COLUMN))
        column, line = sorted(ends)
        values[line, column] = row["correlation"]
        cells.append((line, column, row["kind"]))
    look = {"cmap": "RdBu_r", "vmin": -1, "vmax": 1, "edgecolors": "white", "linewidth": 0.4}
    mesh = axes.pcolormesh(np.ma.masked_invalid(values), **look)
    for line, column, kind in cells:
        value = values[line, column]
        if np.isnan(value):
            axes.add_patch(Rectangle((column, line), 1, 1, **page.no_value_look()))
        elif cell >= NUMBERED:
            colour = page.text_colour_on(mesh.cmap(mesh.norm(value))[:3])
            text = f"{round(100 * value)}".replace("-", "\N{MINUS SIGN}")
            page.small_text(axes, column + 0.5, line + 0.5, text, colour)
        if kind == VALIDITY:
            outline = {"facecolor": "none", "edgecolor": "black", "linewidth": 0.8, "zorder": 4}
            axes.add_patch(Rectangle((column, line), 1, 1, **outline))
    for end in range(1, len(sides)):
        if sides[end][0] != sides[end - 1][0]:
            axes.plot([0, end], [end, end], color="#6E6E6E", linewidth=0.6)
            axes.plot([end, end], [end, len(sides)], color="#6E6E6E", linewidth=0.6)
    axes.set(xlim=(0, len(sides)), ylim=(len(sides), 0))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return mesh


def _notes(rows: pd.DataFrame, shown: int, every: int) -> Iterator[str]:
    low, high = rows["n_words"].min(), rows["n_words"].max()
    over = f"{low:.0f} to {high:.0f} words" if low < high else f"{high:.0f} words"
    yield f"Pearson's correlations over {over}; a lower triangle, as both sides are the same."
    reasons = in_order(rows.loc[rows["correlation"].isna(), "reason"])
    yield f"No value: {listed_briefly(reasons)}." if reasons else ""
    yield page.left_for_space(shown, every, "models")
