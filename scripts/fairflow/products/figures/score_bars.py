"""Bars of the association scores of every query."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure

GROUP_HEIGHT = 0.84
# Of a bold letter, in inches.
LETTER = 0.085
LABEL_WIDTH = 46
LINE_HEIGHT = 7.8
# Inches of titles, axes and legend.
ROOM = 1.6
PARTIAL = {"marker": "o", "color": "black", "markersize": 2.4, "markerfacecolor": "white"}
PARTIAL |= {"markeredgewidth": 0.5}
SUBQUERY = {"marker": "|", "color": "black", "markersize": 3.0, "markeredgewidth": 0.6}


class ScoreBars(BaseFigure):
    """Draw the scores (in the metric's own unit): criteria as rows, metrics as columns.

    Needs `scores` with model, metric, criterion, query and value. A query with several
    sub-queries is drawn as the mean of its defined ones, with a stroke for each: ranks aggregate
    sub-queries, and opposite ones cancel in the mean. A cell without a value is marked.
    """

    def plot(self) -> Figure:
        scores = self.frames.scores
        if scores.empty:
            return page.sentence_figure("No scores in this study.")
        models, metrics = in_order(scores["model"]), in_order(scores["metric"])
        cells, parts = query_means(scores), _subqueries(scores)
        labels = {
            query: page.wrapped_query(self.query_label(query), LABEL_WIDTH, self.frames.sets(query))
            for query in in_order(scores["query"])
        }
        every = study.queries_by_criterion(scores)
        row = LINE_HEIGHT * page.most_lines(labels.values()) + 2.0
        groups = study.first_queries(every, int(page.POINTS_PER_INCH * (page.PAGE - ROOM) / row))
        # The name of a criterion of a single row has each word on its own line.
        named = {
            str(name).replace(" ", "\n") if len(queries) == 1 else str(name): queries
            for name, queries in groups.items()
        }
        columns = []
        for metric in metrics:
            mean = "mean of sub-queries" if (cells.loc[metric]["all"] > 1).any() else ""
            axis = self.frames.axis_in_lines(metric, len(metrics), mean)
            columns.append((page.wrapped_name(self.label(metric), 20), axis))
        height = _height(named, len(models), page.most_lines(labels.values()))
        figure, grid = page.query_grid(named, labels, columns, height)
        for panels, queries in zip(grid, groups.values(), strict=True):
            for axes, metric in zip(panels, metrics, strict=True):
                _draw_panel(axes, cells, parts, metric, queries, models)
        _add_legend(figure, [self.label(model) for model in models], cells)
        page.set_notes(figure, [study.left_out(every, groups)])
        return figure

    def data(self) -> pd.DataFrame:
        """Means over defined sub-queries."""
        if self.frames.scores.empty:
            return pd.DataFrame()
        means = query_means(self.frames.scores).reset_index()
        criteria = self.frames.scores[["criterion", "query", "query_label"]].drop_duplicates()
        rows = criteria.merge(means, on="query", how="left")
        names = {"mean": "value", "defined": "n_defined", "all": "n_subqueries"}
        counts = {"n_defined": int, "n_subqueries": int}
        return rows.rename(columns=names).astype(counts)


def query_means(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean over defined sub-queries, number defined and number in all.

    Indexed by metric, query and model; every combination has a row.
    """
    keys = ["metric", "query", "model"]
    values = scores["value"].astype(float).groupby([scores[key] for key in keys], sort=False)
    means = pd.DataFrame({"mean": values.mean(), "defined": values.count(), "all": values.size()})
    every = pd.MultiIndex.from_product([in_order(scores[key]) for key in keys], names=keys)
    return means.reindex(every).fillna({"defined": 0, "all": 0})


def _subqueries(scores: pd.DataFrame) -> dict[tuple[str, str, str], np.ndarray]:
    """(metric, query, model) -> defined values, of queries with several sub-queries."""
    keys = ["metric", "query", "model"]
    several = scores[scores.groupby(keys)["value"].transform("size") > 1].dropna(subset="value")
    return {key: group.to_numpy(float) for key, group in several.groupby(keys, sort=False)["value"]}


def _height(groups: Mapping[str, Sequence[str]], n_models: int, label_lines: int) -> float:
    """Inches of the figure."""
    sizes = [len(queries) for queries in groups.values()]
    around = 1.1 + 0.1 * len(sizes)
    text, bars = LINE_HEIGHT * label_lines + 2.0, 5.0 * n_models + 2.5
    # Bars get thinner rather than leave the page.
    bars = min(bars, page.POINTS_PER_INCH * (page.PAGE - around) / sum(sizes))
    query_height = max(text, bars) / page.POINTS_PER_INCH
    if len(groups) > 1:
        longest = (max(map(len, name.split("\n"))) for name in groups)
        letters = (length / n for length, n in zip(longest, sizes, strict=True))
        query_height = max(query_height, LETTER * max(letters))
    return sum(sizes) * query_height + around


def _draw_panel(
    axes: Axes,
    cells: pd.DataFrame,
    parts: dict[tuple[str, str, str], np.ndarray],
    metric: str,
    queries: list[str],
    models: list[str],
) -> None:
    for row in range(1, len(queries), 2):
        axes.axhspan(row - 0.5, row + 0.5, color=page.STRIPE, linewidth=0, zorder=0)
    bar_height = GROUP_HEIGHT / len(models)
    for index, model in enumerate(models):
        rows = cells.reindex([(metric, query, model) for query in queries])
        means, defined, every = (rows[name].to_numpy() for name in ("mean", "defined", "all"))
        ys = np.arange(len(queries)) - GROUP_HEIGHT / 2 + (index + 0.5) * bar_height
        none = np.isnan(means)
        page.mark_missing(axes, ys[none])
        bars = _bars(means[~none], ys[~none], bar_height)
        axes.add_patch(PathPatch(bars, linewidth=0.3, **page.bar_look(index)))
        strokes = [parts.get((metric, query, model), np.empty(0)) for query in queries]
        heights = np.repeat(ys, [len(values) for values in strokes])
        axes.plot(np.concatenate(strokes), heights, linestyle="none", **SUBQUERY)
        partial = ~none & (defined < every)
        axes.plot(means[partial], ys[partial], linestyle="none", **PARTIAL)
    axes.autoscale_view()
    axes.axvline(0, color="black", linewidth=0.5)
    axes.set_ylim(len(queries) - 0.5, -0.5)
    page.value_axis(axes)


def _bars(ends: np.ndarray, ys: np.ndarray, height: float) -> Path:
    """Bars from 0, as one shape: what is hatched is drawn once."""
    corners = [
        np.column_stack([x * ends, ys + y * height])
        for x, y in ((0, -0.5), (1, -0.5), (1, 0.5), (0, 0.5))
    ]
    return Path.make_compound_path(
        *(Path(bar, closed=True) for bar in np.stack([*corners, corners[0]], axis=1))
    )


def _add_legend(figure: Figure, model_labels: list[str], cells: pd.DataFrame) -> None:
    handles = [page.bar_handle(label, index) for index, label in enumerate(model_labels)]
    partial = (cells["defined"] > 0) & (cells["defined"] < cells["all"])
    for shown, text, look in (
        (cells["mean"].isna(), "undefined", page.MISSING),
        (cells["all"] > 1, "a sub-query: ranks aggregate these", SUBQUERY),
        (partial, "mean of the defined sub-queries only", PARTIAL),
    ):
        if shown.any():
            handles.append(page.line_handle(text, **({"linestyle": "none"} | look)))
    figure.legend(handles=handles, loc="outside lower center", ncols=min(3, len(handles)))
