"""Words in the four quadrants of two contrasts, with the share of each next to random words."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fairflow.metrics.intersections import AXES, QUADRANT, QUADRANTS
from fairflow.nulls.group_claims import FEWER, MORE
from fairflow.products.figures import _drawing as page
from fairflow.products.figures._names_at_points import name_points
from fairflow.products.figures._study_frames import scored_words
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted

# Inches: a panel, its axes, and what is left of and below them; panels of a page one column wide.
HEIGHT, WIDE, HIGH, LEFT, BELOW, MOST = 2.7, 2.9, 2.2, 0.46, 0.32, 3
# The ends of both axes, of the distance of the outermost word; words of a quadrant that are named.
ENDS, NAMED = (1.3, 1.5), 4
POINT = page.Look(marker="o", markersize=1.8, markeredgewidth=0, linestyle="none", alpha=0.8)
SMALL = page.Look(fontsize=page.SMALL_TEXT)
X, Y = AXES
_CELL = ["model", "metric", "query"]
_GROUP = ["by", "group", "value", "null_low", "null_high", "verdict"]
_NOTES = (
    "A point is a word; its place is its association on either contrast, a difference of mean "
    "cosines. Scales differ between panels.",
    "In the corners: share of the words, and 95% of sets of random words of equal frequency; bold "
    "beyond them, corrected for four groups.",
)


class Quadrants(BaseFigure):
    """Draw words by their associations on two contrasts, with the share of each quadrant.

    Needs `intersections`, and `scores` with the values of words. A panel for each list of names and
    model.
    """

    of_study = True
    nothing = "No query of this study crosses two contrasts."

    def plot(self) -> Figure:
        panels = [own for _, own in self.data().groupby(_CELL, sort=False)]
        columns = 1 if len(panels) <= MOST else 2
        shown = panels[: columns * MOST]
        wide = page.SINGLE_COLUMN if columns == 1 else page.DOUBLE_COLUMN
        high = HEIGHT * -(-len(shown) // columns)
        figure = Figure(figsize=(wide, high))
        for number, own in enumerate(shown):
            level, column = divmod(number, columns)
            left, bottom = column * wide / columns + LEFT, high - HEIGHT * (level + 1) + BELOW
            self._draw_panel(page.axes_at(figure, left, bottom, WIDE, HIGH), own)
        left_out = page.left_for_space(len(shown), len(panels), "panels")
        return page.finished(figure, [*_NOTES, left_out])

    def data(self) -> pd.DataFrame:
        """Each word with its associations, and the share of its group with that of random words."""
        words = scored_words(self.frames.scores, (*AXES, QUADRANT))
        if words.empty or self.frames.intersections.empty:
            return pd.DataFrame()
        words[QUADRANT] = words[QUADRANT].map(dict(enumerate(QUADRANTS)))
        groups = self.frames.intersections[[*_CELL, QUADRANT, *_GROUP]]
        words = words[words["query"].isin(groups["query"])].drop(columns="subquery")
        return words.merge(groups, "left", [*_CELL, QUADRANT])

    def title(self, rows: pd.DataFrame) -> str:
        groups = self.frames.intersections
        far = int(groups["verdict"].isin([MORE, FEWER]).sum())
        return f"{far} of {len(groups)} groups have more or fewer words than random words"

    def about(self, rows: pd.DataFrame) -> str:
        n = counted(len(rows.drop_duplicates(_CELL)), "panel")
        return f"Words by their associations on two contrasts, in {n} of a list and a model."

    def _draw_panel(self, axes: Axes, rows: pd.DataFrame) -> None:
        """The words of a query in a model: the first set of each contrast is right, or on top."""
        cell, groups = rows[_CELL].iloc[0], self.frames.intersections
        groups = groups[(groups[_CELL] == cell).all(axis=1)]
        right, left, top, bottom = self.frames.sets(cell["query"])[1]
        most = rows[[*AXES]].abs().max() * ENDS
        axes.set(xlim=(-most[X], most[X]), ylim=(-most[Y], most[Y]))
        axes.axhline(0, color="black", linewidth=0.5, zorder=1)
        axes.axvline(0, color="black", linewidth=0.5, zorder=1)
        for name, colour in zip(QUADRANTS, page.PALETTE, strict=False):
            axes.plot(X, Y, data=rows[rows[QUADRANT] == name], color=colour, zorder=2, **POINT)
        places = ((0.99, 0.985), (0.99, 0.015), (0.01, 0.985), (0.01, 0.015))
        for (x, y), group in zip(places, groups.itertuples(), strict=True):
            share = f"{group.group} {group.value:.0%}"
            if group.null_low >= 0:
                share += f"\nrandom words {group.null_low:.0%} to {group.null_high:.0%}"
            look = page.Look(ha="right" if x > 0.5 else "left", va="top" if y > 0.5 else "bottom")
            weight = "bold" if group.verdict in (MORE, FEWER) else "normal"
            axes.text(x, y, share, transform=axes.transAxes, fontweight=weight, **SMALL, **look)
        _name_words(axes, rows, most)
        axes.set_title(f"{groups['by'].iloc[0]}, {self.label(cell['model'])}", fontsize=7, pad=3)
        for axis, low, high in ((axes.xaxis, left, right), (axes.yaxis, bottom, top)):
            sides = f"\N{LEFTWARDS ARROW} {low}    {high} \N{RIGHTWARDS ARROW}"
            axis.set_label_text(sides, **SMALL)
            axis.labelpad = 1
            axis.set_major_locator(MaxNLocator(nbins=4, min_n_ticks=3))
        axes.tick_params(labelsize=page.SMALL_TEXT, pad=1)


def _name_words(axes: Axes, rows: pd.DataFrame, most: pd.Series) -> None:
    """Name the outermost words of each quadrant, as far as there is room."""
    order = (rows[[*AXES]] / most).pow(2).sum(axis=1).sort_values(ascending=False, kind="stable")
    rows = rows.loc[order.index]
    first = rows.groupby(QUADRANT).cumcount() < NAMED
    rows = pd.concat([rows[first], rows[~first]])
    # No name covers the texts in the corners or a line: these are points in small steps.
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 81)] * 2), axis=-1).reshape(-1, 2)
    beside, above = np.abs(grid).T
    kept = ((beside > 0.1) & (above > 0.78)) | (np.minimum(beside, above) < 0.01)
    names = rows["word"].tolist()[: int(first.sum())]
    taken = grid[kept] * most.to_numpy()
    name_points(axes, rows[[*AXES]].to_numpy(), names, page.SMALL_TEXT - 0.5, taken)
