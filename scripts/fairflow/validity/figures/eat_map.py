"""What lies behind one effect size: how near each set of target words is to each attribute set."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._forest import LEGEND_ROW, model_handles, model_look
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted
from fairflow.validity.eat_patterns import is_expected_pattern

MOST_QUERIES, MOST_SPREADS, COLUMNS = 12, 2, 4
# Inches: what surrounds the axes of a panel, a line of text, and what is below all panels.
LEFT, RIGHT, TOP, BOTTOM, FOOT, LINE = 0.46, 0.11, 0.1, 0.2, 0.2, 0.105
HEAD_LETTERS, AXIS_LETTERS = 36, 26
MEANS = {"mean_xa": "sd_xa", "mean_xb": "sd_xb", "mean_ya": "sd_ya", "mean_yb": "sd_yb"}
SPREAD = page.Look(linewidth=0.5, alpha=0.7, zorder=2)
DIAGONAL = page.Look(color="#8A8A8A", linewidth=0.6, linestyle=(0, (4, 2)), zorder=1)
FILLED, HOLLOW = "\N{BLACK CIRCLE}", "\N{WHITE CIRCLE}"
# Of the range of values, free on each side.
PAD = 0.08


class EatMap(BaseFigure):
    """Draw the four mean associations of a query: both targets in the plane of the attributes.

    Needs `eat_patterns` (ML-EAT, Wolfe et al. 2024). A panel for each query, the strongest of many;
    on the diagonal both attribute sets are equally near.
    """

    nothing = "No query of this study has two target and attribute sets."

    def plot(self) -> Figure:
        rows = _defined(self.data())
        if rows.empty:
            return page.sentence_figure(self.nothing)
        every, models = in_order(rows["query"]), in_order(rows["model"])
        shown = _strongest(rows, every)
        rows = rows[rows["query"].isin(shown)]
        panels = [own for _, own in rows.groupby("query", sort=False)]
        narrow = len(panels) <= COLUMNS // 2
        wide = page.SINGLE_COLUMN if narrow else page.DOUBLE_COLUMN
        width = wide / (COLUMNS // 2 if narrow else COLUMNS)
        heads = [_head(own) for own in panels]
        below = [_axis_name(own["first_attribute"]) for own in panels]
        size = width - LEFT - RIGHT
        levels = [slice(at, at + COLUMNS) for at in range(0, len(panels), COLUMNS)]
        above = [LINE * page.most_lines(heads[level]) + TOP for level in levels]
        heights = [
            upper + size + BOTTOM + LINE * page.most_lines(below[level])
            for upper, level in zip(above, levels, strict=True)
        ]
        legend = self._handles(rows, models)
        columns = 1 if narrow else 3
        foot = FOOT + LEGEND_ROW * (len(legend) // columns)
        figure = Figure(figsize=(wide, sum(heights) + foot))
        top = sum(heights) + foot
        for level, upper, height in zip(levels, above, heights, strict=True):
            for column, own in enumerate(panels[level]):
                left = column * width + LEFT
                axes = page.axes_at(figure, left, top - upper - size, size, size)
                _draw_panel(axes, own, self.frames.places(models))
                axes.set_title(_head(own), fontsize=page.SMALL_TEXT, pad=3, x=-LEFT / size + 0.03)
            top -= height
        return page.finished(figure, self._notes(len(shown), len(every)), legend, columns)

    def data(self) -> pd.DataFrame:
        """The four means of each query and model, with their spreads."""
        return self.frames.eat_patterns

    def title(self, rows: pd.DataFrame) -> str:
        rows = _defined(rows)
        n = sum(map(is_expected_pattern, rows.to_dict("records")))
        what = "each of the two targets is significantly nearer to a different attribute"
        return f"In {n} of {counted(len(rows), 'effect')}, {what}" * (len(rows) > 0)

    def about(self, rows: pd.DataFrame) -> str:
        return "Mean similarity of two target sets to two attribute sets, a panel for each query."

    def _handles(self, rows: pd.DataFrame, models: Sequence[str]) -> list[page.Handle]:
        black = {"color": "black"}
        filled = model_look(0) | black | {"markerfacecolor": "black"}
        spread = page.line_handle("standard deviation over words", color="black", linewidth=0.5)
        return [
            *model_handles(self.frames, models),
            page.line_handle("first targets", **filled),
            page.line_handle("second targets", **model_look(0, hollow=True) | black),
            page.line_handle("both attribute sets equally near", **DIAGONAL),
            *[spread] * (rows["model"].nunique() <= MOST_SPREADS),
        ]

    def _notes(self, shown: int, every: int) -> Iterator[str]:
        yield (
            "Below the diagonal words are nearer to the attribute set of the horizontal axis. "
            "Values are mean cosines; scales differ between panels."
        )
        rest = f"The {shown} strongest of {every} queries; the table has all."
        yield rest * (shown < every)


def _defined(rows: pd.DataFrame) -> pd.DataFrame:
    return rows if rows.empty else rows.dropna(subset=[*MEANS])


def _strongest(rows: pd.DataFrame, queries: Sequence[str]) -> list[str]:
    """The queries with the largest mean effect over models, in the order of the study."""
    effect = (rows["d_x"] - rows["d_y"]).abs().groupby(rows["query"]).mean()
    strongest = {*effect.sort_values(ascending=False, kind="stable").index[:MOST_QUERIES]}
    return [query for query in queries if query in strongest]


def _head(rows: pd.DataFrame) -> str:
    """Both targets with their marks, and the pattern of all models, in lines."""
    first, second = rows[["first_target", "second_target"]].iloc[0]
    names = f"{FILLED}\N{NO-BREAK SPACE}{first} and {HOLLOW}\N{NO-BREAK SPACE}{second}"
    patterns = in_order(rows["pattern"])
    told = patterns[0] if len(patterns) == 1 else "patterns differ between models" * bool(patterns)
    return "\n".join(page.wrapped(text, HEAD_LETTERS) for text in (names, told) if text)


def _axis_name(names: pd.Series) -> str:
    return page.wrapped_name(f"near {names.iloc[0]} \N{RIGHTWARDS ARROW}", AXIS_LETTERS)


def _draw_panel(axes: Axes, rows: pd.DataFrame, places: Mapping[str, int]) -> None:
    spreads = rows["model"].nunique() <= MOST_SPREADS
    ends = rows[[*MEANS]].to_numpy(dtype=float)
    around = rows[[*MEANS.values()]].to_numpy(dtype=float) * spreads
    low, high = np.nanmin(ends - np.nan_to_num(around)), np.nanmax(ends + np.nan_to_num(around))
    free = PAD * (high - low) or 0.01
    limits = low - free, high + free
    axes.plot(limits, limits, **DIAGONAL)
    for (xa, xb, ya, yb), (sxa, sxb, sya, syb), model in zip(
        ends, around, rows["model"], strict=True
    ):
        place = places[model]
        colour = model_look(place)["color"]
        axes.plot([ya, xa], [yb, xb], color=colour, linewidth=0.6, alpha=0.5, zorder=2)
        for x, y, wide, high_, hollow in ((xa, xb, sxa, sxb, False), (ya, yb, sya, syb, True)):
            if spreads:
                axes.plot([x - wide, x + wide], [y, y], color=colour, **SPREAD)
                axes.plot([x, x], [y - high_, y + high_], color=colour, **SPREAD)
            look = model_look(place, hollow) | {"markersize": 3.6, "markeredgewidth": 0.8}
            axes.plot([x], [y], zorder=3, **look)
    axes.set(xlim=limits, ylim=limits)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=3, min_n_ticks=2))
    axes.tick_params(labelsize=page.SMALL_TEXT, pad=1)
    axes.set_xlabel(_axis_name(rows["first_attribute"]), fontsize=page.SMALL_TEXT, labelpad=1)
    axes.set_ylabel(_axis_name(rows["second_attribute"]), fontsize=page.SMALL_TEXT, labelpad=1)
