"""How word values correlate with what people or statistics say of the same words."""

from collections.abc import Iterator

import pandas as pd
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _forest as forest
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import listed_briefly

LABEL_WIDTH, AXIS_LETTERS = 34, 80
AXIS = "correlation (1: as in the norm)"
# `lanes` and `draw_panel` know these names.
_AS_SCORES = {"row": "query", "pearson": "value"}
_AS_SCORES |= {f"pearson_{end}": f"ci_{end}" for end in ("low", "high")}


class Yardsticks(BaseFigure):
    """Draw correlations of word values with norms: norms as rows, metrics as columns.

    Needs `yardsticks`; a lane for each model.
    """

    nothing = "No word value of this study has a norm to compare with."

    def plot(self) -> Figure:
        rows = self.data()
        if rows.empty or rows["pearson"].isna().all():
            return page.sentence_figure(self.nothing)
        rows = rows.assign(row=rows["concept"] + "." + rows["norm"]).rename(columns=_AS_SCORES)
        models, metrics = in_order(rows["model"]), in_order(rows["metric"])
        labels = {str(query): norm_label(own) for query, own in rows.groupby("query", sort=False)}
        width = AXIS_LETTERS // len(metrics)
        names = rows.drop_duplicates("metric")["label"]
        columns = [(page.wrapped_name(n, width), page.wrapped_name(AXIS, width)) for n in names]
        around = forest.SURROUNDINGS + forest.LEGEND_ROW * (len(models) // 3)
        lines = sum(map(page.most_lines, zip(*columns, strict=True)))
        around += forest.LABEL_LINE * lines
        size = len(models), around
        figure, grid, shown = forest.fitting_grid({"": [*labels]}, labels, columns, *size, "all")
        places = self.frames.places(models)
        for panels, own in zip(grid, shown.values(), strict=True):
            for axes, metric in zip(panels, metrics, strict=True):
                panel = forest.lanes(rows[rows["metric"] == metric], own, models)
                forest.draw_panel(axes, panel, {}, places)
        grid[0][0].set_xlim(min(-0.1, rows[["value", "ci_low"]].min(axis=None)) - 0.05, 1)
        over = page.line_handle("95% interval over words", color="black", linewidth=forest.THICK)
        notes = self._notes(rows, sum(map(len, shown.values())), len(labels))
        return page.finished(figure, notes, [*forest.model_handles(self.frames, models), over])

    def data(self) -> pd.DataFrame:
        """All correlations, also with ranks and given log frequency."""
        return self.frames.yardsticks

    def title(self, rows: pd.DataFrame) -> str:
        known = rows.dropna(subset="pearson_low")
        clear = (known["pearson_low"] > 0).sum()
        what = "correlations with norms have an interval above zero"
        return f"{clear} of {len(known)} {what}" * (len(known) > 0)

    def about(self, rows: pd.DataFrame) -> str:
        return "Correlations of word values with norms, in rows by norm, with a line at 0."

    def _notes(self, rows: pd.DataFrame, shown: int, every: int) -> Iterator[str]:
        yield "In parentheses: words with both a value and a norm. Pearson's correlation."
        lacking = rows[rows["value"].isna()]
        reasons = in_order(lacking["reason"])
        yield f"No value (x): {listed_briefly(reasons)}." if reasons else ""
        yield page.left_for_space(shown, every, "norms")


def norm_label(rows: pd.DataFrame) -> str:
    """What a norm says, without its scale, and of how many words that have a value, in lines."""
    sizes = rows.loc[rows["n_words"] > 0, "n_words"].astype(int)
    label = str(rows["norm_label"].iloc[0]).partition(" (")[0]
    if sizes.empty:
        return page.wrapped_name(label, LABEL_WIDTH)
    low, high = sizes.min(), sizes.max()
    words = f"{low:,} to {high:,} words" if low < high else f"{high:,} words"
    return f"{page.wrapped_name(label, LABEL_WIDTH)}\n({words})"
