"""Share of each word set that each model lacks."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted

ROW_HEIGHT = 0.155
# Of a model's name upright below its column.
LEAST_LETTERS = 13


class Coverage(BaseFigure):
    """Draw a map of word sets (rows) by models (columns): the share of words lost.

    Needs `coverage` with model, word_set, words, found and oov. Each cell holds the number of
    words lost, nothing where all were found.
    """

    def plot(self) -> Figure:
        table = self.frames.coverage
        if table.empty:
            return page.sentence_figure("No word sets in this study.")
        rows = table["word_set"] + " (" + table["words"].astype(str) + ")"
        models, sets = in_order(table["model"]), in_order(rows)
        cells = table.assign(row=rows, share=table["oov"] / table["words"])
        cells = cells.drop_duplicates(["row", "model"]).pivot(index="row", columns="model")
        shares, lost = (cells[name].loc[sets, models] for name in ("share", "oov"))
        size = page.DOUBLE_COLUMN * 0.75, len(sets) * ROW_HEIGHT + 1.0
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots()
        image = axes.imshow(shares, vmin=0, vmax=1, cmap="Oranges", aspect="auto")
        # One letter is about 0.05 inches wide, and columns have about 0.6 of the width.
        letters = int(0.6 * figure.get_figwidth() / 0.05 / len(models))
        aslant = letters < LEAST_LETTERS
        look = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if aslant else {}
        width = 24 if aslant else letters
        names = [page.wrapped_name(self.label(model), width) for model in models]
        axes.set_xticks(range(len(models)), names, **look)
        axes.set_yticks(range(len(sets)), sets)
        axes.tick_params(length=0)
        axes.set_ylabel("word set (number of words)")
        for (row, column), count in np.ndenumerate(lost):
            if count > 0:
                colour = page.text_colour_on(image.cmap(image.norm(shares.iloc[row, column]))[:3])
                page.small_text(axes, column, row, f"{count:.0f}", colour, va="center")
        bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02)
        bar.set_label("share of words lost; numbers: words")
        return figure

    def data(self) -> pd.DataFrame:
        return self.frames.coverage

    def alt_text(self, rows: pd.DataFrame) -> Iterator[str]:
        yield (
            f"Share of the words of {counted(rows['word_set'].nunique(), 'word set')} that each of "
            f"{counted(rows['model'].nunique(), 'model')} lacks."
        )
        for model, sets in rows.groupby("label_model", sort=False):
            worst = sets.loc[(sets["oov"] / sets["words"]).idxmax()]
            most = f"; most in {worst['word_set']}, {worst['oov']} of {worst['words']}"
            lost, words = sets["oov"].sum(), sets["words"].sum()
            yield f"{model} lacks {lost} of {words} words{most if worst['oov'] else ''}."
