"""Scores by all metrics with intervals, published values and null bands of random words."""

from functools import partial
from typing import ClassVar

import pandas as pd
from matplotlib.figure import Figure

from fairflow.products.figures._drawing import wrapped_name
from fairflow.products.figures._forest import Column, forest_grid
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure

LABEL_WIDTH = 46


class ForestPlot(BaseFigure):
    """Draw the scores with both intervals: criteria as rows, metrics as columns.

    Needs the `scores` and `published` of `forest_grid`. Each model has a lane in the row of a
    query, each of its sub-queries a part of the lane. A model without value keeps its lane, with
    the reason.

    Attributes
    ----------
    title_width : letters of a line above a column.
    """

    title_width: ClassVar[int] = 20

    def title(self, rows: pd.DataFrame) -> str:
        return self.around_zero(rows)

    def plot(self) -> Figure:
        rows = self.data()
        models, metrics = in_order(rows["model"]), in_order(rows["metric"])
        columns = [
            Column(
                wrapped_name(self.label(metric), self.title_width),
                metric,
                models,
                self.frames.axis_in_lines(metric, len(metrics)),
            )
            for metric in metrics
        ]
        label = partial(self.frames.row_label, metrics=metrics, width=LABEL_WIDTH)
        return forest_grid(self.frames, columns, label)
