"""Shares of negative sentiment by word, against the uniform distribution."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import listed_briefly, shortened

MEASURE = "negative_probability"
ROW_HEIGHT = 1.25
GROUP_WIDTH = 0.8
UNIFORM: page.Look = {"color": "black", "linewidth": 0.8, "linestyle": "--"}
PUBLISHED = page.published_look(3)


class NegativeSentiment(BaseFigure):
    """Draw each word's share of negative probability (0 to 1): models as rows, queries as columns.

    Needs `scores` with model, metric, query, value, reason and words (set, word, measure, value),
    and the negative_share rows of `published`. A dashed line is the uniform share 1/n; open
    diamonds are published shares. The caption says why a model has no value for a query.
    """

    nothing = "No negative sentiment in this study."

    def plot(self) -> Figure:
        shares = negative_shares(self.frames.scores)
        # A model or query without any value has no panels, but a sentence.
        queries = [q for q in in_order(self.frames.scores["query"]) if q in set(shares["query"])]
        models = [m for m in in_order(self.frames.scores["model"]) if m in set(shares["model"])]
        metrics = in_order(shares["metric"])
        height = ROW_HEIGHT * len(models) + 1.1
        figure = Figure(figsize=(page.DOUBLE_COLUMN, height), layout="constrained")
        grid = figure.subplots(len(models), len(queries), squeeze=False)
        printed = _printed_shares(self.printed("negative_share"), shares)
        for axes_row, model in zip(grid, models, strict=True):
            for axes, query in zip(axes_row, queries, strict=True):
                cell = shares[(shares["query"] == query) & (shares["model"] == model)]
                if cell.empty:
                    axes.set_axis_off()
                    where = {"ha": "center", "va": "center", "transform": axes.transAxes}
                    axes.text(0.5, 0.5, "no value", color=page.UNDEFINED_GREY, **where)
                else:
                    _draw_panel(axes, cell, metrics, printed.get((model, query), {}))
            name = page.wrapped_name(self.label(model), 20)
            axes_row[0].set_ylabel(name, fontsize=page.SMALL_TEXT)
        figure.supylabel("share of negative sentiment", fontsize="medium")
        for axes, query in zip(grid[0], queries, strict=True):
            axes.set_title(_criterion(self.frames.scores, query))
        bars = (page.bar_handle(self.label(metric), i) for i, metric in enumerate(metrics))
        handles: list[page.Handle] = [*bars, page.line_handle("uniform share", **UNIFORM)]
        if printed:
            handles.append(page.line_handle("published", **PUBLISHED))
        notes = ["Words from the largest share to the smallest.", self._without_value(shares)]
        return page.finished(figure, notes, handles)

    def data(self) -> pd.DataFrame:
        """Each word's share of the negative probability."""
        return negative_shares(self.frames.scores)

    def title(self, rows: pd.DataFrame) -> str:
        means = rows.groupby(["query", "model", "word"], sort=False)["share"].mean()
        most = means.groupby(level=["query", "model"], sort=False).idxmax()
        told = [
            f"{word} in {self.label(model)} ({_criterion(self.frames.scores, query)})"
            for query, model, word in most
        ]
        return f"The most negative sentiment goes with {listed_briefly(told)}"

    def about(self, rows: pd.DataFrame) -> str:
        return (
            "Bars of each target word's share of the negative probability, with a line at the "
            "uniform share; models in rows, queries in columns."
        )

    def _without_value(self, shares: pd.DataFrame) -> str:
        """Which cells have no panel, and why, in a sentence; "" if all have one."""
        drawn = {*shares[["model", "query"]].itertuples(index=False, name=None)}
        cells = self.frames.scores.drop_duplicates(["model", "query"]).to_dict("records")
        missing = [
            f"{self.label(cell['model'])}, {_criterion(self.frames.scores, cell['query'])}: "
            f"{shortened(str(cell['reason']))}"
            for cell in cells
            if (cell["model"], cell["query"]) not in drawn
        ]
        return f"No value: {'. '.join(missing)}." if missing else ""


def _criterion(scores: pd.DataFrame, query: str) -> str:
    return str(scores.loc[scores["query"] == query, "criterion"].iloc[0])


def negative_shares(scores: pd.DataFrame) -> pd.DataFrame:
    """The share of each word in the sum of negative probabilities.

    Returns
    -------
    Columns model, metric, query, word, share; the shares of a cell add up to 1.
    """
    rows = []
    for cell in scores.to_dict(orient="records"):
        words = [word for word in cell.get("words", ()) if word["measure"] == MEASURE]
        total = sum(word["value"] for word in words)
        names = {name: cell[name] for name in ("model", "metric", "query")}
        rows += [names | {"word": w["word"], "share": w["value"] / total} for w in words]
    return pd.DataFrame(rows, columns=["model", "metric", "query", "word", "share"])


def _printed_shares(
    published: pd.DataFrame, shares: pd.DataFrame
) -> dict[tuple[str, str], dict[str, float]]:
    """(model, query) -> word -> share, of words that we have, from the first place to print it."""
    ours = set(shares[["model", "query", "word"]].itertuples(index=False, name=None))
    rows = published[published["model"].notna()]
    keys = rows[["model", "scope", "item"]].itertuples(index=False, name=None)
    rows = rows[np.array([key in ours for key in keys], dtype=bool)]
    share_of = {}
    for (model, query), group in rows.groupby(["model", "scope"], sort=False):
        first = group[group["table"] == group["table"].iloc[0]]
        share_of[model, query] = dict(zip(first["item"], first["published"], strict=True))
    return share_of


def _draw_panel(
    axes: Axes, cell: pd.DataFrame, metrics: list[str], printed: dict[str, float]
) -> None:
    means = cell.groupby("word", sort=False)["share"].mean()
    words = list(means.sort_values(ascending=False, kind="stable").index)
    width = GROUP_WIDTH / len(metrics)
    for index, metric in enumerate(metrics):
        values = cell[cell["metric"] == metric].set_index("word")["share"].reindex(words)
        places = [x - GROUP_WIDTH / 2 + (index + 0.5) * width for x in range(len(words))]
        axes.bar(places, values, width, linewidth=0.3, **page.bar_look(index))
    axes.axhline(1 / len(words), **UNIFORM)
    shown = [(x, printed[word]) for x, word in enumerate(words) if word in printed]
    if shown:
        axes.plot(*zip(*shown, strict=True), **PUBLISHED)
    axes.set_xticks(range(len(words)), words, rotation=90, fontsize=page.SMALL_TEXT)
    axes.set_xlim(-0.6, len(words) - 0.4)
    axes.tick_params(axis="x", length=0)
