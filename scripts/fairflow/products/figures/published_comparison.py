"""Published values against the computed ones."""

import math
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.scores.ranked import ranked_rows
from fairflow.studies.wording import counted

# Letters of a label, in a figure of one model and of several.
LABEL_WIDTHS = 30, 50
LINE_HEIGHT = 9.0 / page.POINTS_PER_INCH
PUBLISHED = page.published_look(5)
VERDICTS: dict[str, page.Look] = {
    "match": {"marker": "o", "color": "#009E73"},
    "within tolerance": {"marker": "s", "color": "#0072B2"},
    "within the draws": {"marker": "s", "color": "#CC79A7"},
    "differs": {"marker": "^", "color": "#D55E00"},
}


class Block(NamedTuple):
    """The rows of one table and metric, and how they lie, in lines of text from the top.

    Attributes
    ----------
    labels : of the rows, that of the block first. edges : upper and lower borders of these.
    centres : "" (the block) or key of a row -> the middle of its label.
    """

    rows: pd.DataFrame
    labels: list[str]
    edges: list[int]
    centres: dict[str, float]


class PublishedComparison(BaseFigure):
    """Draw published (open diamond) and computed values (filled) in the metric's own unit.

    Needs `published` with table, model, published_model, metric, scope, published, computed and
    verdict. Models are columns; each table and metric has a block of rows with its own axis.
    Rows without a published value, or whose model is not of this study, are left out.
    """

    nothing = "No published values in this study."

    def plot(self) -> Figure:
        rows = comparable_rows(self.frames.published)
        models = in_order(rows["model"])
        several = len(models) > 1
        tables = rows.groupby(["metric", "table"], sort=False)
        blocks = [self._block(block, LABEL_WIDTHS[several]) for _, block in tables]
        lines = [block.edges[-1] for block in blocks]
        height = sum(lines) * LINE_HEIGHT + 0.22 * len(blocks) + 0.75
        width = page.DOUBLE_COLUMN if several else page.SINGLE_COLUMN
        figure = Figure(figsize=(width, height), layout="constrained")
        how = page.Look(sharex="row", sharey="row", squeeze=False, height_ratios=lines)
        grid = figure.subplots(len(blocks), len(models), **how)
        for axes_row, block in zip(grid, blocks, strict=True):
            for axes, model in zip(axes_row, models, strict=True):
                _draw_block(axes, block, model)
            axes_row[0].set_yticks([*block.centres.values()], block.labels)
            axes_row[0].get_yticklabels()[0].set_fontweight("bold")
        for axes, model in zip(grid[0], models, strict=True):
            axes.set_title(page.wrapped_name(self.label(model), max(12, 72 // len(models))))
        ncols = len(VERDICTS) + 1 if several else 2
        return page.finished(figure, handles=_handles(rows), ncols=ncols)

    def title(self, rows: pd.DataFrame) -> str:
        n = int(rows["verdict"].isin([v for v in VERDICTS if v != "differs"]).sum())
        return f"{n} of {counted(len(rows), 'published number')} reproduced"

    def data(self) -> pd.DataFrame:
        """Published values of models of the study, with ours."""
        return comparable_rows(self.frames.published).drop(columns="key", errors="ignore")

    def about(self, rows: pd.DataFrame) -> str:
        return (
            "Published values (open diamonds) and ours (filled marks), in rows by query or "
            "criterion."
        )

    def _block(self, rows: pd.DataFrame, width: int) -> Block:
        metric, table = rows["metric"].iloc[0], rows["table"].iloc[0]
        name = f"{self.label(metric)} ({self.label(table)})"
        names = {"": page.wrapped_name(name, width - 6)}
        for key in in_order(rows["key"]):
            scope, _, model = key.partition("\0")
            suffix = f" ({self.label(model)})" if model else ""
            name, sets = self.query_label(scope) + suffix, self.frames.sets(scope)
            names[key] = page.wrapped_query(name, width, sets)
        edges = [0, *accumulate(map(page.line_count, names.values()))]
        middles = [(upper + lower) / 2 for upper, lower in pairwise(edges)]
        return Block(rows, [*names.values()], edges, dict(zip(names, middles, strict=True)))


def comparable_rows(published: pd.DataFrame) -> pd.DataFrame:
    """Rows with a model of this study and a published value; adds their `key` within a block.

    The published model belongs to the key only where one model is compared with several.
    """
    if published.empty:
        return published
    published = ranked_rows(published)
    named = published["model"].fillna("").astype(str).str.strip() != ""
    rows = published[named & published["published"].notna()].copy()
    repeated = rows.duplicated(["table", "metric", "scope", "model"]).any()
    other = rows["published_model"].fillna("").astype(str)
    rows["key"] = rows["scope"] + "\0" + other if repeated else rows["scope"]
    return rows


def _draw_block(axes: Axes, block: Block, model: str) -> None:
    for upper, lower in list(pairwise(block.edges))[1::2]:
        axes.axhspan(upper, lower, color=page.STRIPE, linewidth=0, zorder=0)
    values = block.rows[["published", "computed"]].astype(float)
    middle = (values.min(axis=None) + values.max(axis=None)) / 2
    for row in block.rows[block.rows["model"] == model].itertuples():
        y = block.centres[row.key]
        axes.plot(row.published, y, zorder=3, **PUBLISHED)
        if math.isnan(row.computed):
            shift = 5 if row.published <= middle else -5
            at = row.published, y
            page.beside(axes, "not computed", at, shift, page.UNDEFINED_GREY)
            continue
        axes.plot([row.published, row.computed], [y, y], color="black", linewidth=0.5, zorder=1)
        axes.plot(row.computed, y, zorder=2, markersize=3.2, **_verdict_look(row.verdict))
    # Set on every panel: a shared axis takes the margin of whichever panel is asked first.
    low, high = values.min(axis=None), values.max(axis=None)
    pad = 0.08 * (high - low) or 0.1 * abs(high) or 1.0
    axes.set(xlim=(low - pad, high + pad), ylim=(block.edges[-1], 0))
    page.value_axis(axes, labelsize=page.SMALL_TEXT)


def _verdict_look(verdict: str) -> page.Look:
    return VERDICTS[verdict] | {"linestyle": "none", "markeredgewidth": 0}


def _handles(rows: pd.DataFrame) -> Iterator[page.Handle]:
    yield page.line_handle("published", **PUBLISHED)
    seen = set(rows.loc[rows["computed"].notna(), "verdict"])
    for verdict in VERDICTS:
        if verdict in seen:
            yield page.line_handle(f"computed: {verdict}", **_verdict_look(verdict))
