"""Scores of metrics of items: a panel per metric, with the queries and models that it can score."""

from typing import Any

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
TITLE_WIDTH, AXIS_WIDTH = 25, 28
ENDS = ("ci_low", "ci_high", "ci_low_both", "ci_high_both")
# 0 is not shown if a value or interval is farther from it than this many times their range.
FAR = 3


class ItemScores(BaseFigure):
    """Draw each metric's scores in its own panel, with intervals over clusters and templates.

    Needs `scores` with model, metric, query, subquery, category, value, status and the intervals of
    `Uncertainty`. 0 is fair for every metric that has a fair value.
    """

    def plot(self) -> Figure:
        scores = self.frames.scores
        wanted = [*ENDS, "ci_level", "statistics", "n_items", "sampled_from", "category"]
        scores = scores.reindex(columns=scores.columns.union(wanted, sort=False))
        scores = scores.fillna({"category": ""})
        models, metrics = in_order(scores["model"]), in_order(scores["metric"])
        groups = [_by_query(scores[scores["metric"] == metric]) for metric in metrics]
        n_rows = -(-len(groups) // COLUMNS)
        lane = max(self._lanes(group) / len(group) for group in groups)
        most = max(1, int(((page.PAGE - LEGEND) / n_rows - AROUND) / lane))
        every, groups = groups, [group.head(most) for group in groups]
        rows = [groups[start : start + COLUMNS] for start in range(0, len(groups), COLUMNS)]
        heights = [AROUND + max(map(self._lanes, row)) for row in rows]
        figure = Figure(figsize=(page.DOUBLE_COLUMN, sum(heights) + LEGEND), layout="constrained")
        shape = len(rows), min(COLUMNS, len(groups))
        grid = figure.subplots(*shape, squeeze=False, height_ratios=heights)
        for axes, group, metric in zip(grid.flat, groups, metrics, strict=False):
            self._draw(axes, group, models)
            axes.set_title(page.wrapped_name(self.label(metric), TITLE_WIDTH))
            said = page.wrapped_name(self.frames.reading(metric)["text"], AXIS_WIDTH)
            axes.set_xlabel(said, fontsize=page.SMALL_TEXT)
        for axes in list(grid.flat)[len(groups) :]:
            axes.set_axis_off()
        n_shown, n_every = (sum(map(len, some)) for some in (groups, every))
        short = page.left_for_space(n_shown, n_every, "scores")
        return page.finished(figure, [*_notes(scores), short], self._handles(models, scores))

    def _draw(self, axes: Axes, group: pd.DataFrame, models: list[str]) -> None:
        if _shows_zero(group):
            axes.axvline(0, color=page.UNDEFINED_GREY, linewidth=0.5, zorder=0)
        labels = []
        for lane, row in enumerate(group.itertuples()):
            few = row.statistics == "few_words" or row.status == FEW_COUNTS
            labels.append(self._label(row))
            place = self.frames.places(models)[row.model]
            forest.draw_mark(axes, row, lane, forest.model_look(place, few))
        axes.set_yticks(range(len(group)), labels, fontsize=page.SMALL_TEXT)
        axes.set_ylim(len(group) - 0.5, -0.5)

    def _label(self, row: Any) -> str:
        """The query, its part, and of how many items the sample is."""
        part = f": {row.category}" * bool(row.category)
        name = page.wrapped_name(self.query_label(row.query) + part, 22)
        return "\n".join(filter(None, [name, sample_text(row.n_items, row.sampled_from)]))

    def _lanes(self, group: pd.DataFrame) -> float:
        """Height of a panel's lanes, in inches; each has room for the longest label."""
        lines = max(1 + self._label(row).count("\n") for row in group.itertuples())
        return len(group) * max(LANE, LINE * lines)

    def _handles(self, models: list[str], scores: pd.DataFrame) -> list[page.Handle]:
        handles, levels = forest.model_handles(self.frames, models), scores["ci_level"]
        if levels.notna().any():
            handles.append(page.interval_handle(levels, "over units", forest.THICK))
            handles.append(page.interval_handle(levels, "over units and templates", forest.THIN))
        if (scores["statistics"] == "few_words").any():
            text = "white: fewer than ten of these, rough interval"
            handles.append(page.line_handle(text, **forest.HOLLOW))
        return handles


def _by_query(group: pd.DataFrame) -> pd.DataFrame:
    """The scores with those of all models on one query, or part of it, next to each other."""
    places = group.groupby(["query", "subquery"], sort=False).ngroup()
    return group.loc[places.sort_values(kind="stable").index]


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
