"""Scores of metrics of items: a panel per metric, with the queries and models that it can score."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _forest as forest
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.statistics.counts import FEW_COUNTS
from fairflow.studies.score_table import sample_text

COLUMNS = 3
LANE, LINE = 0.15, 0.118
AROUND, LEGEND = 0.84, 0.6
TITLE_WIDTH, AXIS_WIDTH, LABEL_WIDTH = 25, 28, 22
ENDS = ("ci_low", "ci_high", "ci_low_both", "ci_high_both")
# 0 is not shown if a value or interval is farther from it than this many times their range.
FAR = 3


class Block(NamedTuple):
    """The scores that one label is for, a lane each; without any it is a heading."""

    label: str
    rows: pd.DataFrame

    @property
    def height(self) -> float:
        """Inches of the lanes, which leave room for the label."""
        return max(LANE * len(self.rows), LINE * page.line_count(self.label) + 0.03)


class ItemScores(BaseFigure):
    """Draw each metric's scores in its own panel, with intervals over clusters and templates.

    Needs `scores` with model, metric, query, subquery, category, value, status and the intervals of
    `Uncertainty`. 0 is fair for every metric that has a fair value.
    """

    of_study = True

    def plot(self) -> Figure:
        scores = self.frames.scores
        wanted = [*ENDS, "ci_level", "statistics", "n_items", "sampled_from", "category"]
        scores = scores.reindex(columns=scores.columns.union(wanted, sort=False))
        scores = scores.fillna({"category": ""})
        models, metrics = in_order(scores["model"]), in_order(scores["metric"])
        every = [[*self._blocks(scores[scores["metric"] == metric])] for metric in metrics]
        for most in range(max(map(len, every)), 0, -1):
            panels = [blocks[:most] for blocks in every]
            room = page.PAGE - LEGEND if most > 1 else math.inf
            if columns := page.packed([*map(_height, panels)], min(COLUMNS, len(every)), room):
                break
        heights = [[_height(panels[number]) for number in column] for column in columns]
        height = max(map(sum, heights))
        width = (page.SINGLE_COLUMN, page.DOUBLE_COLUMN)[len(columns) > 1]
        figure = Figure(figsize=(width, height + LEGEND), layout="constrained")
        grid = figure.subfigures(1, len(columns), squeeze=False)[0]
        for part, own, column in zip(grid, heights, columns, strict=True):
            below = [height - sum(own)] * (height - sum(own) > 0.01)
            axes_of = part.subplots(len(own + below), 1, squeeze=False, height_ratios=own + below)
            for axes, number in zip(axes_of[:, 0], column, strict=False):
                self._draw(axes, panels[number], models)
                axes.set_title(page.wrapped_name(self.label(metrics[number]), TITLE_WIDTH))
                said = self.frames.reading(metrics[number])["text"]
                said = page.wrapped_name(said, AXIS_WIDTH)
                axes.set_xlabel(said, fontsize=page.SMALL_TEXT)
            for axes in axes_of[len(own) :, 0]:
                axes.set_axis_off()
        n_shown, n_every = (
            sum(len(block.rows) for blocks in some for block in blocks) for some in (panels, every)
        )
        short = page.left_for_space(n_shown, n_every, "scores")
        handles = self._handles(models, scores)
        return page.finished(figure, [*_notes(scores), short], handles, 1 + len(columns))

    def title(self, rows: pd.DataFrame) -> str:
        return self.around_zero(rows, "over units")

    def _draw(self, axes: Axes, blocks: Sequence[Block], models: list[str]) -> None:
        if _shows_zero(pd.concat(block.rows for block in blocks)):
            axes.axvline(0, color=page.UNDEFINED_GREY, linewidth=0.5, zorder=0)
        top, ticks = 0.0, []
        for block in blocks:
            ticks.append(top + block.height / 2)
            start = ticks[-1] - LANE * (len(block.rows) - 1) / 2
            for lane, row in enumerate(block.rows.itertuples()):
                few = row.statistics == "few_words" or row.status == FEW_COUNTS
                look = forest.model_look(self.frames.places(models)[row.model], few)
                forest.draw_mark(axes, row, start + LANE * lane, look)
            top += block.height
        axes.set_yticks(ticks, [block.label for block in blocks], fontsize=page.SMALL_TEXT)
        for text, block in zip(axes.get_yticklabels(), blocks, strict=True):
            text.set_fontweight("bold" if block.rows.empty else "normal")
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(top, 0)

    def _blocks(self, scores: pd.DataFrame) -> Iterator[Block]:
        """A label for the scores of all models on a query, or on a part of it below its name."""
        for query, of_query in scores.groupby("query", sort=False):
            parts = [own for _, own in of_query.groupby(["subquery", "category"], sort=False)]
            name = page.wrapped_name(self.query_label(str(query)), LABEL_WIDTH)
            if len(parts) > 1:
                yield Block(name, of_query[:0])
            for own in parts:
                first = own.iloc[0]
                part = str(first["category"] or first["subquery"]) if len(parts) > 1 else name
                sample = sample_text(first["n_items"], first["sampled_from"])
                label = "\n".join(filter(None, [page.wrapped_name(part, LABEL_WIDTH), sample]))
                yield Block(label, own)

    def _handles(self, models: list[str], scores: pd.DataFrame) -> list[page.Handle]:
        handles, levels = forest.model_handles(self.frames, models), scores["ci_level"]
        if levels.notna().any():
            handles.append(page.interval_handle(levels, "over units", forest.THICK))
            handles.append(page.interval_handle(levels, "over units and templates", forest.THIN))
        if ((scores["statistics"] == "few_words") | (scores["status"] == FEW_COUNTS)).any():
            text = "white: few units or words, a rough value"
            handles.append(page.line_handle(text, **forest.HOLLOW))
        return handles


def _height(blocks: Sequence[Block]) -> float:
    """Inches of a panel with its title and axis."""
    return AROUND + sum(block.height for block in blocks)


def _shows_zero(group: pd.DataFrame) -> bool:
    """Whether an axis with 0 leaves room to see intervals; that of log-likelihoods does not."""
    shown = group[["value", *ENDS]].stack()
    if shown.empty:
        return True
    low, high = shown.min(), shown.max()
    return max(low, -high) <= FAR * (high - low) or low == high


def _notes(scores: pd.DataFrame) -> list[str]:
    notes = []
    if scores["sampled_from"].notna().any():
        notes.append('"of ... items": a sample, the same for every model and metric.')
    if (scores["statistics"] == "few_words").any():
        notes.append("White: fewer than ten units or templates, whose intervals are rough.")
    if (scores["status"] == FEW_COUNTS).any():
        notes.append("White, too: too few words were counted for the value to be ranked.")
    if scores["value"].isna().any():
        notes.append("Crosses: undefined, with the reason in the table of scores.")
    return notes
