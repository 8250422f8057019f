"""How each score changes from before to after, in a panel for each model that was changed."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _forest as forest
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._forest import BAND, THICK, THIN, model_look
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.before_after import NOT_COMPARABLE, NOT_DISTINGUISHABLE, SMALLER, UNTESTED
from fairflow.studies.wording import counted, listed

LABEL_WIDTH = 42
ENDS = ("low", "high", "null_band_low", "null_band_high")
# Panels next to each other; further models have panels below.
MOST_COLUMNS = 4
# Inches: the titles and axes of a row of panels, and the legend. Points: a sub-query.
AROUND, LEGEND, PART = 0.75, 0.45, 7.0
BEFORE = page.Look(marker="|", markersize=6, color="black", markeredgewidth=0.9, linestyle="none")
# Verdicts on a difference that may be 0.
UNCLEAR = (NOT_DISTINGUISHABLE, UNTESTED, NOT_COMPARABLE)


class BeforeAfter(BaseFigure):
    """Draw a line from each value before to the one after: a panel for each metric and model.

    Needs `before_after`. A query is a row, and a sub-query a part of it. A filled mark differs from
    before by the test of the table; a white one does not. Metrics that measure none of the queries
    of the first, such as hidden bias, are left to the table.
    """

    @property
    def _table(self) -> pd.DataFrame:
        rows = self.frames.before_after
        if rows.empty:
            return rows
        rows = rows[rows["query"].notna()]
        queries = rows.loc[rows["metric"] == rows["metric"].iloc[0], "query"]
        shared = rows.loc[rows["query"].isin(queries), "metric"]
        return rows[rows["metric"].isin(shared)]

    nothing = "No models are compared before and after in this study."

    def plot(self) -> Figure:
        rows = self._table
        models, metrics = in_order(rows["model"]), in_order(rows["metric"])
        columns = min(MOST_COLUMNS, len(models))
        blocks = [models[start : start + columns] for start in range(0, len(models), columns)]
        every = study.queries_by_criterion(rows)
        labels = {query: self._row_label(query, metrics) for query in in_order(rows["query"])}
        parts = rows.groupby(["metric", "model", "query"]).size().max()
        row_height = forest.row_height(page.most_lines(labels.values()), PART * parts)
        n_panels = len(blocks) * len(metrics)
        queries = [query for own in every.values() for query in own]
        height = n_panels * (AROUND + row_height * len(queries)) + LEGEND
        figure = Figure(figsize=(page.DOUBLE_COLUMN, height), layout="constrained")
        grid = figure.subplots(n_panels, columns, sharey=True, squeeze=False)
        turns = [(metric, block) for metric in metrics for block in blocks]
        places = self.frames.places(models)
        for axes_row, (metric, block) in zip(grid, turns, strict=True):
            axes_row[0].set_yticks(range(len(queries)), [labels[query] for query in queries])
            of_metric = rows[rows["metric"] == metric]
            axis = self.frames.axis_in_lines(metric, columns)
            for axes, model in zip(axes_row, block, strict=False):
                panel = lanes_of_metric(of_metric[of_metric["model"] == model], queries)
                _draw_panel(axes, panel, places[model], len(queries))
                axes.set_title(self._panel_title(model, metric, len(metrics)))
                axes.set_xlim(_limits(of_metric))
                axes.set_xlabel(axis)
            for axes in axes_row[len(block) :]:
                axes.set_visible(False)
        return page.finished(figure, _notes(rows), self._handles(rows), 4)

    def title(self, rows: pd.DataFrame) -> str:
        n = int((rows["verdict"] == SMALLER).sum())
        verb = "is" if n == 1 else "are"
        return f"{n} of {counted(len(rows), 'value')} {verb} clearly smaller than before"

    def data(self) -> pd.DataFrame:
        """The table itself, without the identities of queries."""
        return self._table.drop(columns="subquery_digest", errors="ignore")

    def about(self, rows: pd.DataFrame) -> str:
        models = in_order(rows["label_model"])
        before = self.label(rows["before_model"].iloc[0])
        return (
            f"Values before, in {before}, and after, in {listed(models)}, joined by lines, with "
            f"intervals; {counted(rows['query'].nunique(), 'query', 'queries')} in rows, a panel "
            "for each metric and model."
        )

    def _row_label(self, query: str, metrics: Sequence[str]) -> str:
        own = self._table
        label = str(own.loc[own["query"] == query, "query_label"].iloc[0])
        in_lines = page.paired_sets if self.frames.in_pairs(metrics) else page.wrapped_query
        return in_lines(label, LABEL_WIDTH, self.frames.sets(query))

    def _panel_title(self, model: str, metric: str, n_metrics: int) -> str:
        """The model without the name of the one before, and its metric where there are several."""
        before = self.label(self.frames.before_after["before_model"].iloc[0])
        name = self.label(model).removeprefix(f"{before}, ")
        parts = [page.wrapped_name(name, 26)]
        return "\n".join([*parts, self.label(metric)] if n_metrics > 1 else parts)

    def _handles(self, rows: pd.DataFrame) -> Iterator[page.Handle]:
        yield page.line_handle(f"before: {self.label(rows['before_model'].iloc[0])}", **BEFORE)
        look = model_look(0) | {"color": page.UNDEFINED_GREY, "linestyle": "-", "linewidth": THICK}
        yield page.line_handle("after", **look | {"markerfacecolor": page.UNDEFINED_GREY})
        if rows["verdict"].isin(UNCLEAR).any():
            look = model_look(0, hollow=True) | {"color": page.UNDEFINED_GREY}
            yield page.line_handle("white: cannot be distinguished from before", **look)
        level = rows["ci_level"]
        if rows["after_low"].notna().any():
            yield page.interval_handle(level, "after", THIN, page.UNDEFINED_GREY)
        if rows["after_null_band_low"].notna().any():
            yield forest.band_handle(level)


def lanes_of_metric(rows: pd.DataFrame, queries: Sequence[str]) -> pd.DataFrame:
    """The rows of one metric and model with their place in a panel.

    Columns row (of the panel), y and height (in rows), and those of the table.
    """
    own = rows.groupby("query", sort=False)["query"]
    row, height = rows["query"].map(queries.index), forest.ROW_SHARE / own.transform("size")
    middle = row - forest.ROW_SHARE / 2 + (own.cumcount() + 0.5) * height
    return rows.assign(row=row, y=middle, height=height)


def _limits(rows: pd.DataFrame) -> tuple[float, float]:
    """Ends of the axis of a metric, the same for all models; 0 is between them."""
    drawn = rows[["before", "after", "after_low", "after_high"]].to_numpy(dtype=float)
    values = np.append(drawn[np.isfinite(drawn)], 0.0)
    pad = 0.05 * np.ptp(values) or 1.0
    return float(values.min() - pad), float(values.max() + pad)


def _draw_panel(axes: Axes, panel: pd.DataFrame, index: int, n_rows: int) -> None:
    axes.axvline(0, color="black", linewidth=0.5, zorder=1)
    bands = panel.dropna(subset="after_null_band_low")
    widths = bands["after_null_band_high"] - bands["after_null_band_low"]
    axes.barh(bands["y"], widths, 0.8 * bands["height"], bands["after_null_band_low"], **BAND)
    axes.plot(panel["before"], panel["y"], zorder=2.5, **BEFORE)
    colour = page.PALETTE[index % len(page.PALETTE)]
    axes.hlines(panel["y"], panel["before"], panel["after"], colour, linewidth=THICK, zorder=2)
    axes.hlines(panel["y"], panel["after_low"], panel["after_high"], colour, linewidth=THIN)
    for unclear in (False, True):
        marked = panel[panel["verdict"].isin(UNCLEAR) == unclear]
        axes.plot(marked["after"], marked["y"], zorder=3, **model_look(index, unclear))
    missing = panel[panel["after"].isna()]
    page.mark_missing(axes, missing["y"])
    page.part_rows(axes, n_rows)
    page.value_axis(axes, nbins=4, grid=False)


def _notes(rows: pd.DataFrame) -> list[str]:
    several = rows[rows.groupby(["metric", "query", "model"])["model"].transform("size") > 1]
    parts = ""
    if len(several):
        first = several[several["query"] == several["query"].iloc[0]]
        names = ", ".join(forest.parts_of_names(in_order(first["subquery"])))
        parts = f"A row has a mark for each sub-query, in their order (first row: {names})."
    test = (
        "Both values are computed on the same resampled words to test whether they differ; "
        "overlapping intervals do not answer that."
    )
    hidden = "A smaller value does not show that bias was removed rather than hidden."
    return [test, hidden, parts]
