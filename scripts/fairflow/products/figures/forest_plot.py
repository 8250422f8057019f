"""Scores by all metrics with intervals, published values and null bands of random words."""

from functools import partial

from matplotlib.figure import Figure

from fairflow.products.figures._drawing import sentence_figure, wrapped_name
from fairflow.products.figures._forest import Column, forest_grid
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure

LABEL_WIDTH = 46


class ForestPlot(BaseFigure):
    """Draw the scores with both intervals: criteria as rows, metrics as columns.

    Needs the `scores` and `published` of `forest_grid`. Each model has a lane in the row of a
    query, each of its sub-queries a part of the lane. A model without value keeps its lane, with
    the reason.
    """

    def plot(self) -> Figure:
        if self.frames.scores.empty:
            return sentence_figure("No scores in this study.")
        models, metrics = (in_order(self.frames.scores[name]) for name in ("model", "metric"))
        in_pairs = self.frames.in_pairs(metrics)
        columns = [
            Column(
                wrapped_name(self.label(m), 20),
                m,
                models,
                self.frames.axis_in_lines(m, len(metrics), in_pairs=in_pairs),
            )
            for m in metrics
        ]
        label = partial(self.frames.row_label, metrics=metrics, width=LABEL_WIDTH)
        return forest_grid(self.frames, columns, label)
