"""Stacked bars of the ranks of the models."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._study_frames import control_notes, in_order, marked_label
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted, listed


def ranks_by_model(ranking: pd.DataFrame, models: list[str]) -> pd.DataFrame:
    """Ranks of one criterion, models as rows and metrics as columns, best total first.

    Models that lack a rank come after all others, so that a gap is never an advantage.
    """
    ranks = ranking.set_index(["model", "metric"])["rank"].astype(float).unstack()
    ranks = ranks.reindex(index=models, columns=in_order(ranking["metric"]))
    order = pd.DataFrame({"missing": ranks.isna().sum(axis=1), "total": ranks.sum(axis=1)})
    return ranks.loc[order.sort_values(["missing", "total"], kind="stable").index]


class RankingBars(BaseFigure):
    """Draw the ranks of the computed scores, stacked over the metrics, a panel per criterion.

    Needs `ranking` with source, criterion, metric, model, rank, status and note. The smallest total
    is on top; models that lack a rank come last, without a bar. Metrics that rank nobody, and
    models of vectors that another stands for, are named below the panels.
    """

    nothing = "No computed ranking in this study."

    def plot(self) -> Figure:
        ranking, notes = study.shown_ranking(self.frames)
        if ranking.empty:
            return self.no_ranking(notes)
        models, criteria = in_order(ranking["model"]), in_order(ranking["criterion"])
        columns = min(2, len(criteria))
        # And the title and the axis of a panel.
        row = study.rank_row(-(-len(criteria) // columns), len(models) + 2)
        panel_height = len(models) * row + 0.4
        figure, grid, columns = page.criterion_panels(criteria, panel_height, 0.5, sharex=True)
        for axes, criterion in zip(grid, criteria, strict=False):
            ranks = ranks_by_model(ranking[ranking["criterion"] == criterion], models)
            self._draw_panel(axes, ranks)
            axes.set_title(criterion)
        for axes in grid[max(0, len(criteria) - columns) : len(criteria)]:
            axes.set_xlabel("sum of ranks (1 = weakest association)")
            axes.tick_params(axis="x", labelbottom=True)
        every = self.frames.metrics()
        shown = in_order(ranking["metric"])
        handles = [page.bar_handle(self.label(metric), every.index(metric)) for metric in shown]
        notes = [*notes, *control_notes(self.frames, models)]
        return page.finished(figure, notes, handles, 2 if columns == 1 else 5)

    def title(self, rows: pd.DataFrame) -> str:
        ranking, _ = study.shown_ranking(self.frames)
        if ranking.empty:
            return ""
        models = in_order(ranking["model"])
        least: dict[str, list[str]] = {}
        for criterion, own in ranking.groupby("criterion", sort=False):
            totals = ranks_by_model(own, models).sum(axis=1, skipna=False)
            for model in totals.index[totals == totals.min()]:
                least.setdefault(self.label(model), []).append(str(criterion))
        has = (
            f"{model} has the smallest sum of ranks on {listed(on)}" for model, on in least.items()
        )
        return "; ".join(has)

    def data(self) -> pd.DataFrame:
        return study.computed_rows(self.frames.ranking)

    def about(self, rows: pd.DataFrame) -> str:
        return (
            f"Ranks of {counted(rows['model'].nunique(), 'model')} by "
            f"{listed(in_order(rows['label_metric']))}, "
            "from computed scores; rank 1 is the weakest association."
        )

    def no_ranking(self, notes: list[str]) -> Figure:
        """A sentence that says why nothing is ranked."""
        return page.sentence_figure(self.nothing.removesuffix(".") + study.why_no_ranking(notes))

    def _draw_panel(self, axes: Axes, ranks: pd.DataFrame) -> None:
        metrics = self.frames.metrics()
        for y, (_, row) in enumerate(ranks.iterrows()):
            missing = [self.label(metric) for metric in row.index[row.isna()]]
            if missing:
                # No bar: of whatever length it was, it would be read as a sum.
                text = f"n/a by {listed(missing)}: no sum"
                page.beside(axes, text, (0, y), 3, page.UNDEFINED_GREY, fontsize=None)
                continue
            left = 0.0
            for metric, rank in row.items():
                look = page.bar_look(metrics.index(metric))
                axes.barh(y, rank, 0.72, left=left, **look)
                behind = {"facecolor": look["facecolor"], "edgecolor": "none", "pad": 0.6}
                colour = page.text_colour_on(look["facecolor"])
                page.small_text(axes, left + rank / 2, y, f"{rank:g}", colour, bbox=behind)
                left += rank
            page.beside(axes, f"{left:g}", (left, y), 3, "black", fontsize=None)
        names = [page.wrapped_name(marked_label(self.frames, model), 28) for model in ranks.index]
        axes.set_yticks(range(len(ranks)), names)
        axes.set_ylim(len(ranks) - 0.5, -0.5)
        axes.set_xlim(0, max(axes.get_xlim()[1], 1.18 * len(ranks) * ranks.shape[1]))
        axes.tick_params(axis="y", length=0)
