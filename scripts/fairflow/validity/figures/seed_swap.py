"""What a score becomes with the word sets that other publications use for the same concept."""

from collections.abc import Iterator, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _forest as forest
from fairflow.products.figures._study_frames import first_effect_size, in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted

LABEL_WIDTH = 46
OWN = page.Look(marker="|", color="black", markersize=6.5, markeredgewidth=1.1, linestyle="none")


class SeedSwap(BaseFigure):
    """Draw each score with its own and with every published word set, a row per query and side.

    Needs `seed_swap`; a lane for each model. Drawn is the first metric whose measure is an effect
    size, else the first metric.
    """

    nothing = "No query of this study has published word sets to exchange."

    def plot(self) -> Figure:
        rows = self.data()
        if rows.empty or rows.loc[~rows["is_own"].eq(True), "value"].isna().all():
            return page.sentence_figure(self.nothing)
        rows = rows.assign(query=rows["query"] + "|" + rows["role"], own=rows["is_own"].eq(True))
        models, metric = in_order(rows["model"]), rows["metric"].iloc[0]
        # A row without another list shows nothing that other figures do not.
        swapped = rows.loc[~rows["own"] & rows["value"].notna(), "query"]
        rows = rows[rows["query"].isin(swapped)]
        every = rows.groupby("criterion", sort=False)["query"].agg(in_order).to_dict()
        labels = {str(query): self._row_label(own) for query, own in rows.groupby("query")}
        axis = self.frames.axis_in_lines(metric, 1)
        around = forest.SURROUNDINGS + forest.LEGEND_ROW * (1 + (len(models) + 1) // 3)
        columns = [(self.label(metric), axis)]
        size = len(models), around
        figure, grid, shown = forest.fitting_grid(every, labels, columns, *size, "all")
        for (axes,), queries in zip(grid, shown.values(), strict=True):
            self._draw_panel(axes, rows, queries, models)
        own = page.line_handle("with the query's own words", **OWN)
        loose = page.line_handle("hollow: words that do not hold together", **forest.HOLLOW)
        notes = self._notes(rows, sum(map(len, shown.values())), len(labels))
        handles = [*forest.model_handles(self.frames, models), own, loose]
        return page.finished(figure, notes, handles)

    def data(self) -> pd.DataFrame:
        """The scores by the metric that is drawn, a row for each published pair of word sets."""
        rows = self.frames.seed_swap
        if rows.empty:
            return rows
        return rows[rows["metric"] == first_effect_size(rows)]

    def title(self, rows: pd.DataFrame) -> str:
        others = rows[~rows["is_own"].eq(True)].dropna(subset=["value", "own_value"])
        same = int(others["same_sign"].eq(True).sum())
        what = "scores with other published words keep the sign of the query's own"
        return f"{same:,} of {len(others):,} {what}" * (len(others) > 0)

    def about(self, rows: pd.DataFrame) -> str:
        return "Scores with published word sets in place of the query's own, in rows by query."

    def _row_label(self, rows: pd.DataFrame) -> str:
        """The query, and how many published word sets replace one side."""
        query, role = str(rows["query"].iloc[0]).split("|")
        number = rows.loc[~rows["own"] & rows["value"].notna(), "seeds"].nunique()
        name = self.frames.row_label(query, [rows["metric"].iloc[0]], LABEL_WIDTH)
        return f"{name}\n{counted(number, 'other set')} of {role}"

    def _draw_panel(
        self, axes: Axes, rows: pd.DataFrame, queries: Sequence[str], models: Sequence[str]
    ) -> None:
        axes.axvline(0, color="black", linewidth=0.5, zorder=1)
        # A lane without any value is marked, so only one row of each decides.
        cells = rows.sort_values("value", kind="stable").drop_duplicates(["query", "model"])
        for lane in forest.lanes(cells, queries, models).itertuples():
            own = rows[(rows["query"] == lane.query) & (rows["model"] == lane.model)]
            place = self.frames.places(models)[lane.model]
            others = own[~own["own"]].dropna(subset="value")
            for loose, sets in others.groupby(others["holds_together"].eq(False)):
                look = forest.model_look(place, hollow=loose)
                axes.plot(sets["value"], [lane.y] * len(sets), zorder=3 + loose, **look)
            axes.plot(own["own_value"][:1], [lane.y] * len(own[:1]), zorder=5, **OWN)
            if others.empty:
                page.mark_missing(axes, [lane.y])
        page.part_rows(axes, len(queries))
        page.value_axis(axes, grid=False)

    def _notes(self, rows: pd.DataFrame, shown: int, every: int) -> Iterator[str]:
        yield (
            "A point is the score with the word sets of one publication in place of the query's "
            "own; its other sets stay the same."
        )
        lacking = rows[rows["value"].isna()]
        if len(lacking):
            yield f"{len(lacking):,} of {len(rows):,} scores are missing; the table says why."
        yield page.left_for_space(shown, every, "queries and roles")
