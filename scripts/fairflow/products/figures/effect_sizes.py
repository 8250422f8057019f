"""The effect size of each query on each model, with intervals, published values and null bands."""

from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from fairflow.products.figures._drawing import sentence_figure
from fairflow.products.figures._forest import Column, forest_grid
from fairflow.products.figures._study_frames import in_order, lead_metric
from fairflow.products.figures.base_figure import BaseFigure, excluding_zero

LABEL_WIDTH = 46


class EffectSizes(BaseFigure):
    """Draw the scores of one metric with both intervals, a row per query and a lane per model.

    Needs the `scores` and `published` of `forest_grid`. Drawn is the first metric whose measure is
    an effect size, else the first metric; `forest_plot` draws all metrics of a study.
    """

    def plot(self) -> Figure:
        rows = self.data()
        if rows.empty:
            return sentence_figure("No scores in this study.")
        metric = rows["metric"].iloc[0]
        axis = self.frames.axis_in_lines(metric, 1, in_pairs=True)
        column = Column(self.label(metric), metric, in_order(rows["model"]), axis)
        label = partial(self.frames.row_label, metrics=[metric], width=LABEL_WIDTH)
        return forest_grid(self.frames, [column], label)

    def data(self) -> pd.DataFrame:
        """The scores of the metric that is drawn."""
        rows = super().data()
        return rows if rows.empty else rows[rows["metric"] == lead_metric(self.frames.scores)]

    def title(self, rows: pd.DataFrame) -> str:
        return excluding_zero(rows)
