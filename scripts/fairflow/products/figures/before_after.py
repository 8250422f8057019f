"""How each score moves from before to after, with intervals and bands of random words."""

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
from fairflow.studies.before_after import NOT_COMPARABLE, NOT_TOLD_APART, UNTESTED
from fairflow.studies.wording import counted, listed

LABEL_WIDTH = 42
ENDS = ("low", "high", "null_band_low", "null_band_high")
# Inches: title, axis label and the legend of two models; each two models more.
SURROUNDINGS = 1.7
BEFORE = {"marker": "|", "markersize": 5.0, "color": "black", "markeredgewidth": 0.9}
BEFORE |= {"linestyle": "none"}
# Of a difference that is not told from 0.
UNCLEAR = (NOT_TOLD_APART, UNTESTED, NOT_COMPARABLE)


class BeforeAfter(BaseFigure):
    """Draw a line from the value before to that after, a lane for each model.

    Needs `before_after`. A metric has a column, a query a row; its first lane is the model before,
    and each sub-query a part of a lane. A filled mark differs from before by the test of the table,
    a white one does not.
    """

    def plot(self) -> Figure:
        if self.frames.before_after.empty:
            return page.sentence_figure("No models are compared before and after in this study.")
        rows = self.frames.before_after
        models, metrics = in_order(rows["model"]), in_order(rows["metric"])
        every = study.queries_by_criterion(rows)
        labels = {
            query: page.wrapped_query(str(label), LABEL_WIDTH)
            for query, label in rows.groupby("query", sort=False)["query_label"].first().items()
        }
        columns = [
            (page.wrapped_name(self.label(m), 30), self.frames.axis_in_lines(m, len(metrics)))
            for m in metrics
        ]
        lines = page.most_lines(labels.values())
        row_height = forest.row_height(lines, forest.LANE_HEIGHT * (len(models) + 1))
        around = SURROUNDINGS + forest.LEGEND_ROW * ((len(models) + 1) // 2)
        figure, grid, criteria = forest.fitting_grid(every, labels, columns, row_height, around)
        for panels, queries in zip(grid, criteria.values(), strict=True):
            for axes, metric in zip(panels, metrics, strict=True):
                _draw_panel(axes, lanes(rows[rows["metric"] == metric], queries, models), models)
        page.add_legend(figure, self._handles(rows, models), 2)
        page.set_notes(figure, _notes(rows, every, criteria))
        return figure

    def data(self) -> pd.DataFrame:
        """The table itself, without the identities of queries."""
        return self.frames.before_after.drop(columns="subquery_digest", errors="ignore")

    def alt_text(self, rows: pd.DataFrame) -> Iterator[str]:
        models = in_order(rows["label_model"])
        before = self.label(rows["before_model"].iloc[0])
        yield (
            f"Values before, in {before}, and after, in {listed(models)}, joined by lines, with "
            f"intervals; {counted(rows['query'].nunique(), 'query', 'queries')} in rows, metrics "
            "in columns."
        )
        for (model, metric), group in rows.groupby(["label_model", "label_metric"], sort=False):
            verdicts = group["verdict"].value_counts(sort=False)
            told = listed(f"{count} {name}" for name, count in verdicts.items())
            yield f"{model} by {metric}: {told}."

    def _handles(self, rows: pd.DataFrame, models: Sequence[str]) -> Iterator[page.Handle]:
        yield page.line_handle(f"before: {self.label(rows['before_model'].iloc[0])}", **BEFORE)
        for index, model in enumerate(models):
            look = model_look(index) | {"linestyle": "-", "linewidth": THICK}
            yield page.line_handle(f"after: {self.label(model)}", **look)
        level = rows["ci_level"]
        if rows["after_low"].notna().any():
            look = {"color": page.UNDEFINED_GREY, "linewidth": THIN}
            yield page.interval_handle(level, "of each value", **look)
        if rows[["before_null_band_low", "after_null_band_low"]].notna().any(axis=None):
            yield forest.band_handle(level)
        if rows["verdict"].isin(UNCLEAR).any():
            look = model_look(0, hollow=True) | {"color": page.UNDEFINED_GREY}
            yield page.line_handle("white: not told apart from before", **look)


def lanes(rows: pd.DataFrame, queries: Sequence[str], models: Sequence[str]) -> pd.DataFrame:
    """The rows of one metric with the place of each, after a lane for the model before.

    Columns row (of the panel), y and height (in rows), side ("before" or "after"), and value, low,
    high, null_band_low and null_band_high of that side.
    """
    slot = forest.ROW_SHARE / (len(models) + 1)
    placed = []
    for number, query in enumerate(queries):
        of_query = rows[rows["query"] == query]
        first = of_query.drop_duplicates("subquery")
        of_models = (of_query[of_query["model"] == model] for model in models)
        for index, lane in enumerate([first, *of_models]):
            side = "after" if index else "before"
            height = slot / max(1, len(lane))
            top = number - forest.ROW_SHARE / 2 + index * slot
            middle = top + (np.arange(len(lane)) + 0.5) * height
            ends = {end: lane[f"{side}_{end}"] for end in ENDS}
            place = {"row": number, "y": middle, "height": height, "side": side}
            placed.append(lane.assign(value=lane[side], **ends, **place))
    return pd.concat(placed, ignore_index=True)


def _draw_panel(axes: Axes, panel: pd.DataFrame, models: Sequence[str]) -> None:
    axes.axvline(0, color="black", linewidth=0.5, zorder=1)
    bands = panel.dropna(subset="null_band_low")
    widths = bands["null_band_high"] - bands["null_band_low"]
    axes.barh(bands["y"], widths, 0.8 * bands["height"], bands["null_band_low"], **BAND)
    axes.plot(panel["before"], panel["y"], zorder=2.5, **BEFORE)
    first = panel[panel["side"] == "before"]
    axes.hlines(first["y"], first["low"], first["high"], "black", linewidth=THIN, zorder=2)
    for index, model in enumerate(models):
        lane = panel[(panel["model"] == model) & (panel["side"] == "after")]
        colour = page.PALETTE[index % len(page.PALETTE)]
        axes.hlines(lane["y"], lane["before"], lane["after"], colour, linewidth=THICK, zorder=2)
        axes.hlines(lane["y"], lane["low"], lane["high"], colour, linewidth=THIN, zorder=2)
        for unclear in (False, True):
            marked = lane[lane["verdict"].isin(UNCLEAR) == unclear]
            axes.plot(marked["after"], marked["y"], zorder=3, **model_look(index, unclear))
    page.part_rows(axes, int(panel["row"].max()) + 1)
    page.value_axis(axes, nbins=5, grid=False)


def _notes(rows: pd.DataFrame, every: dict, shown: dict) -> list[str]:
    several = rows[rows.groupby(["metric", "query", "model"])["model"].transform("size") > 1]
    parts = ""
    if len(several):
        first = several[several["query"] == several["query"].iloc[0]]
        names = ", ".join(forest.parts_of_names(in_order(first["subquery"])))
        parts = (
            f"A mark for each sub-query, from top to bottom in their order (first row: {names})."
        )
    test = (
        "Whether a value differs from that before is told by resampling the same words in both, "
        "not by overlapping intervals."
    )
    gone = "A smaller value does not say that bias is gone rather than hidden."
    return [test, gone, parts, study.left_out(every, shown)]
