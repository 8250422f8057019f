"""The effect size of each query on each model, with intervals, published values and null bands."""

import pandas as pd

from fairflow.products.figures._study_frames import first_effect_size
from fairflow.products.figures.base_figure import excluding_zero
from fairflow.products.figures.forest_plot import ForestPlot


class EffectSizes(ForestPlot):
    """Draw the scores of one metric with both intervals, a row per query and a lane per model.

    Needs the `scores` and `published` of `forest_grid`. Drawn is the first metric whose measure is
    an effect size, else the first metric; `forest_plot` draws all metrics of a study.
    """

    title_width = 80

    def data(self) -> pd.DataFrame:
        """The scores of the metric that is drawn."""
        rows = super().data()
        return rows if rows.empty else rows[rows["metric"] == first_effect_size(self.frames.scores)]

    def title(self, rows: pd.DataFrame) -> str:
        return excluding_zero(rows)
