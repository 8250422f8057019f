"""Aggregated scores of the models with their ranks, one panel per criterion and metric."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.ranking_bars import RankingBars
from fairflow.studies.wording import counted


class RankingFacets(RankingBars):
    """Draw the score that ranks each model, and its rank: criteria as rows, metrics as columns.

    Needs `ranking` with source, criterion, metric, model, score, rank, status and note. The rank is
    next to the score, "n/a" where a model has no rank. The caption names the models that are left
    out, with the reason.
    """

    def plot(self) -> Figure:
        ranking, notes = study.shown_ranking(self.frames)
        if ranking.empty:
            return self.no_ranking(notes)
        models, metrics = in_order(ranking["model"]), in_order(ranking["metric"])
        criteria = in_order(ranking["criterion"])
        figure, facets = study.rank_facets(self.frames, criteria, metrics, models, "col")
        cells = ranking.set_index(["criterion", "metric", "model"])[["rank", "score"]].astype(float)
        largest = ranking.groupby("metric")["score"].max()
        for (criterion, metric), axes in facets.items():
            keys = [(criterion, metric, model) for model in models]
            _draw_facet(axes, cells.reindex(keys))
            axes.set_xlim(0, 1.35 * (largest[metric] if largest[metric] > 0 else 1.0))
            axes.label_outer()
            if criterion == criteria[-1]:
                axes.set_xlabel("score")
        how = "The number at a score is the rank: 1 is the weakest association."
        return page.finished(figure, [how, *notes, *study.control_notes(self.frames, models)])

    def title(self, rows: pd.DataFrame) -> str:
        ranking = study.shown_ranking(self.frames)[0]
        if ranking.empty or (ranking["rank"] != 1).all():
            return ""
        ranking = ranking.dropna(subset="rank")
        n_first = ranking.loc[ranking["rank"] == 1, "model"].value_counts()
        model, n = self.label(n_first.index[0]), n_first.iloc[0]
        of = counted(ranking[["criterion", "metric"]].drop_duplicates().shape[0], "case")
        return f"{model} has the weakest association in {n} of {of}"


def _draw_facet(axes: Axes, cells: pd.DataFrame) -> None:
    for y, (rank, score) in enumerate(cells.itertuples(index=False)):
        if math.isnan(rank) or math.isnan(score):
            page.beside(axes, "n/a", (0, y), 2, page.UNDEFINED_GREY)
            continue
        axes.plot([0, score], [y, y], color=page.PALETTE[0], linewidth=1.2, zorder=2)
        axes.plot(score, y, "o", color=page.PALETTE[0], zorder=3)
        page.beside(axes, f"{rank:g}", (score, y), 4, "black")
    page.value_axis(axes, nbins=3)
