"""Heat maps of the rank correlations between metrics."""

import math
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._study_frames import computed_rows, in_order, why_no_ranking
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted

FEW_MODELS = 5
# A correlation that only equal orders have.
ALIKE = 1 - 1e-9


class CorrelationHeatmaps(BaseFigure):
    """Draw the correlations (-1 to 1) between the computed rankings, a heat map per criterion.

    Needs `correlations` with source, criterion, method, metric_row, metric_column, correlation
    and n_models. With several methods only the first is drawn; the colour bar names it.
    """

    nothing = "No computed rank correlations in this study."

    def plot(self) -> Figure:
        rows = self.data()
        # A metric agrees with itself whatever it measures.
        pairs = rows[rows["metric_row"] != rows["metric_column"]]
        if pairs["correlation"].isna().all():
            reasons = why_no_ranking(in_order(pairs["reason"]))
            return page.sentence_figure(self.nothing.removesuffix(".") + reasons)
        criteria = in_order(rows["criterion"])
        metrics = in_order([*rows["metric_row"], *rows["metric_column"]])
        labels, centres = [*map(self.label, metrics)], np.arange(len(metrics)) + 0.5
        panel_height = 0.45 + max(0.36 * len(metrics), 1.2)
        figure, grid, columns = page.criterion_panels(criteria, panel_height, 0.6)
        for number, (axes, criterion) in enumerate(zip(grid, criteria, strict=False)):
            panel = rows[rows["criterion"] == criterion]
            mesh = page.heat_map(axes, _matrix(panel, metrics), 1, 0.6, partial(_write, axes))
            ends = dict.fromkeys([panel["n_models"].min(), panel["n_models"].max()])
            number_of = "\N{EN DASH}".join(map(str, ends))
            axes.set_title(f"{criterion} (n = {number_of} models)")
            axes.set(xticks=centres, xticklabels=[], yticks=centres, yticklabels=[])
            if number + columns >= len(criteria):
                axes.set_xticklabels([page.wrapped_name(label, 9) for label in labels])
            if number % columns == 0:
                axes.set_yticklabels([page.wrapped_name(label, 16) for label in labels])
        bar = figure.colorbar(mesh, ax=list(grid), ticks=[-1, -0.5, 0, 0.5, 1], aspect=30, pad=0.02)
        bar.set_label(f"{rows['method'].iloc[0].capitalize()} rank correlation")
        bar.outline.set_linewidth(0.4)
        told = pairs.dropna(subset="correlation")
        few = "With so few models a rank correlation says little: it can take only a few values"
        p = told["smallest_p"].min()
        note = f"{few}." if math.isnan(p) else f"{few}, and p is at least {p:.2f}."
        return page.finished(figure, [note] * bool(told["n_models"].min() <= FEW_MODELS))

    def title(self, rows: pd.DataFrame) -> str:
        a, b = (rows[f"metric_{side}"] for side in ("row", "column"))
        known = rows[a < b].dropna(subset="correlation")
        same = int((known["correlation"] > ALIKE).sum())
        what = "metrics rank the models in the same order"
        return f"In {same} of {counted(len(known), 'case')} two {what}" * (len(known) > 0)

    def data(self) -> pd.DataFrame:
        """Correlations by the first method, the one that is drawn."""
        rows = computed_rows(self.frames.correlations)
        return rows if rows.empty else rows[rows["method"] == rows["method"].iloc[0]]

    def about(self, rows: pd.DataFrame) -> str:
        return (
            f"{rows['method'].iloc[0].capitalize()} correlations between the computed "
            "rankings of models by two metrics, a heat map per criterion."
        )


def _matrix(rows: pd.DataFrame, metrics: list[str]) -> np.ndarray:
    matrix = rows.set_index(["metric_row", "metric_column"])["correlation"].unstack()
    return matrix.reindex(index=metrics, columns=metrics).to_numpy(dtype=float)


def _write(axes: Axes, row: int, column: int, value: float, face: object) -> None:
    text = "n/a" if math.isnan(value) else f"{value:.2f}".replace("-", "\N{MINUS SIGN}")
    behind = {"facecolor": face, "edgecolor": "none", "pad": 0.8}
    place: page.Look = {"ha": "center", "va": "center", "bbox": behind}
    axes.text(column + 0.5, row + 0.5, text, color=page.text_colour_on(face), **place)
