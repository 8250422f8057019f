"""Ranks of the models, one facet per criterion and metric."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.ranking_bars import RankingBars

ROW_HEIGHT = 0.24


class RankingFacets(RankingBars):
    """Draw rank bars of the computed scores: criteria as rows, metrics as columns.

    Needs `ranking` with source, criterion, metric, model, score, rank, status and note. The score
    stands at the end of its bar, "n/a" where a model has no rank. Who is left out and why is told
    below, as in `fairflow.products.figures.ranking_bars`.
    """

    def plot(self) -> Figure:
        ranking, notes = study.ranked_models(self.frames, self.source)
        if ranking.empty:
            return self.no_ranking(notes)
        models, metrics = in_order(ranking["model"]), in_order(ranking["metric"])
        criteria = in_order(ranking["criterion"])
        height = len(criteria) * (len(models) * ROW_HEIGHT + 0.12) + 0.75
        figure, facets = study.rank_facets(self.frames, criteria, metrics, models, height)
        cells = ranking.set_index(["criterion", "metric", "model"])[["rank", "score"]].astype(float)
        colours = {metric: index for index, metric in enumerate(self.frames.metrics())}
        for (criterion, metric), axes in facets.items():
            keys = [(criterion, metric, model) for model in models]
            _draw_facet(axes, cells.reindex(keys), colours[metric])
        axes.set_xlim(0, 1.45 * len(models))
        what = "rank (1 = weakest association); score at the end of the bar"
        notes += study.control_notes(self.frames, models)
        figure.supxlabel(what, fontsize="medium")
        page.set_notes(figure, notes)
        return figure


def _draw_facet(axes: Axes, cells: pd.DataFrame, colour: int) -> None:
    look = page.bar_look(colour) | {"hatch": ""}
    for y, (rank, score) in enumerate(cells.itertuples(index=False)):
        missing = math.isnan(rank)
        if not missing:
            axes.barh(y, rank, 0.7, **look)
        text = "n/a" if missing or math.isnan(score) else f"{score:.3f}"
        colour = page.UNDEFINED_GREY if missing else "black"
        page.beside(axes, text, (0 if missing else rank, y), 2, colour)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4, integer=True))
    axes.tick_params(axis="y", length=0)
