"""Words that models are missing: the word sets that lose words, and how many."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted

# Inches: a row, a column at most, the names of rows, what surrounds a panel.
ROW_HEIGHT, COLUMN, LABELS, BELOW = 0.17, 0.62, 1.7, 0.1
# Panels next to each other, and the models that each has room for.
MOST_PANELS, MOST_NARROW = 2, 8


class Coverage(BaseFigure):
    """Draw the number of words that are missing: word sets as rows, models as columns.

    Needs `coverage` with model, word_set, words, found and oov. Only sets that lose a word in some
    model are drawn, those that lose the largest share first; a darker cell loses a larger share.
    """

    nothing = "No words are missing: every model has all word sets."

    def plot(self) -> Figure:
        cells = self.data()
        models, every = in_order(cells["model"]), in_order(cells["row"])
        n_panels = 1 if len(models) > MOST_NARROW else MOST_PANELS
        width = page.DOUBLE_COLUMN / n_panels
        shown = every[: n_panels * page.MOST_ROWS]
        parts = page.even_parts(shown)
        column = min(COLUMN, (width - LABELS - 0.1) / len(models))
        heads, key = page.column_heads([self.label(model) for model in models], column)
        head = 0.11 * page.most_lines(heads) + 0.06
        rows = max(map(len, parts))
        size = page.DOUBLE_COLUMN, head + rows * ROW_HEIGHT + BELOW
        is_narrow = len(parts) < n_panels
        figure = Figure(figsize=(page.SINGLE_COLUMN, size[1]) if is_narrow else size)
        for number, part in enumerate(parts):
            height = len(part) * ROW_HEIGHT
            place = (number * width + LABELS, size[1] - head - height, column * len(models), height)
            axes = page.axes_at(figure, *place)
            _draw_panel(axes, cells[cells["row"].isin(part)], models)
            axes.set_yticks(np.arange(len(part)) + 0.5, [_in_line(name) for name in part])
            axes.set_xticks(np.arange(len(models)) + 0.5, heads)
            axes.tick_params(axis="x", labelbottom=False, labeltop=True, pad=1)
        numbered = f"Models: {'; '.join(key)}." if key else ""
        text = "In parentheses: words of the set. The darker a cell, the larger the missing share."
        short = page.left_for_space(len(shown), len(every), "sets")
        return page.finished(figure, [text, numbered, short])

    def title(self, rows: pd.DataFrame) -> str:
        totals = self.frames.coverage.groupby("model", sort=False)[["oov", "words"]].sum()
        worst = (totals["oov"] / totals["words"]).idxmax()
        of = counted(int(totals.loc[worst, "words"]), "word")
        return f"{self.label(worst)} is missing {totals.loc[worst, 'oov']} of {of}"

    def data(self) -> pd.DataFrame:
        """Word sets that lose a word in some model, with share (of missing words) and row."""
        table = self.frames.coverage
        if table.empty:
            return table
        names = table["word_set"] + " (" + table["words"].astype(str) + ")"
        cells = table.assign(row=names, share=table["oov"] / table["words"])
        cells = cells.drop_duplicates(["row", "model"])
        largest = cells.groupby("row")["share"].transform("max")
        order = largest.sort_values(ascending=False, kind="stable").index
        return cells.loc[order][largest.loc[order] > 0]

    def about(self, rows: pd.DataFrame) -> str:
        return (
            f"Words that are missing from {counted(rows['model'].nunique(), 'model')}, in "
            f"{counted(rows['word_set'].nunique(), 'word set')} that lose any."
        )


def _in_line(name: str) -> str:
    """The name of a word set in small print: with its number of words, cut where it is long."""
    set_, _, number = name.rpartition(" (")
    return f"{set_ if len(set_) <= 30 else set_[:29] + chr(8230)} ({number}"


def _draw_panel(axes: Axes, cells: pd.DataFrame, models: list[str]) -> None:
    table = cells.pivot(index="row", columns="model")
    rows = in_order(cells["row"])
    shares = table["share"].reindex(index=rows, columns=models).to_numpy(dtype=float)
    counts = table["oov"].reindex(index=rows, columns=models).to_numpy(dtype=float)

    def write(row: int, column: int, _: float, face: object) -> None:
        if counts[row, column] > 0:
            text, ink = f"{counts[row, column]:.0f}", page.text_colour_on(face)
            page.small_text(axes, column + 0.5, row + 0.5, text, ink)

    page.heat_map(axes, shares, 1, 0.6, write, 0, "Oranges")
