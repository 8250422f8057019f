"""What published methods find where nothing is, next to ours."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.nulls.method_tables import HOLDS
from fairflow.nulls.methods.method import VALUE
from fairflow.products.figures import _drawing as page
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted

# Inches: a row, what is around the panel, the names of rows. Letters of a name.
ROW, AROUND, LABELS, LETTERS = 0.3, 0.75, 2.55, 46
SIDE = 0.17
LOOKS: dict[str, page.Look] = {
    "theirs": {"color": page.GROUPS[0], "marker": "o", "label": "published method"},
    "ours": {"color": page.GROUPS[1], "marker": "s", "label": "fairflow in the same worlds"},
}


class FalseFindings(BaseFigure):
    """Draw how often published methods find what is not so, next to ours in the same worlds.

    Needs `methods`. A row for each method and kind of worlds, with the intervals of both shares;
    the line is at 5 %. Values are in the table.
    """

    of_study = True
    nothing = "No methods were tried in this study."

    def plot(self) -> Figure:
        rows = self.data()
        height = len(rows) * ROW
        figure = Figure(figsize=(page.DOUBLE_COLUMN, height + AROUND))
        width = page.DOUBLE_COLUMN - LABELS - 0.15
        axes = page.axes_at(figure, LABELS, AROUND - 0.1, width, height)
        handles = [_drawn(axes, rows, who, look) for who, look in LOOKS.items()]
        axes.set_yticks(range(len(rows)), [_name(row) for row in rows.to_dict("records")])
        axes.set(xlim=(-0.02, 1.02), ylim=(len(rows) - 0.5, -0.5))
        page.part_rows(axes, len(rows))
        page.value_axis(axes, nbins=10)
        axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
        axes.axvline(0.05, color="black", linewidth=0.6, linestyle=(0, (3, 2)))
        axes.set_xlabel("share of worlds in which it finds what is not so; dashed: 5 %")
        return page.finished(figure, handles=handles, ncols=2)

    def data(self) -> pd.DataFrame:
        """The rows of shares."""
        table = self.frames.methods
        return table if table.empty else table[table["counts"] != VALUE]

    def title(self, rows: pd.DataFrame) -> str:
        # Those of values, too, as the answer of the study counts.
        every = self.frames.methods.groupby("method")
        held = every["verdict"].apply(lambda of: of.eq(HOLDS).all())
        n = counted(len(held), "method")
        return f"{(~held).sum()} of {n} do not hold where the truth is known"

    def about(self, rows: pd.DataFrame) -> str:
        return f"{self.title(rows)}; ours stands below in the same worlds."


def _name(row: dict) -> str:
    return page.wrapped_name(f"{row['label']} ({row['where']})", LETTERS)


def _drawn(axes: Axes, rows: pd.DataFrame, who: str, look: page.Look) -> page.Handle:
    ys = [number + (SIDE if who == "ours" else -SIDE) for number in range(len(rows))]
    ends = [rows[who] - rows[f"{who}_low"], rows[f"{who}_high"] - rows[who]]
    axes.errorbar(rows[who], ys, xerr=ends, linestyle="none", markersize=3.5, linewidth=1, **look)
    return page.line_handle(linestyle="none", **look)
