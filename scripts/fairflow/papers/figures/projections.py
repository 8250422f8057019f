"""The words that lie farthest along a direction on either side, in each model."""

from functools import cached_property

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._study_frames import first_metric, in_order, scored_words, spoken
from fairflow.products.figures.base_figure import BaseFigure

MEASURES = ("projection", "place", "place_from_end")
# Words of each end that are named, at most.
ENDS = 20
# Inches: a word, and what surrounds the words.
PITCH, AROUND = 0.115, 1.15
# Rows of all words as strokes below the named ones.
STROKES = 2.4
PUBLISHED = page.published_look(4.4)
MARKED = "named in print, its place there in parentheses"


class Projections(BaseFigure):
    """Draw the words at both ends of a direction, a panel for each model, and all words as strokes.

    Needs `scores` with words that have a projection and a place, and `published` with the words
    that a publication names at either end. Drawn is the query with the most words.
    """

    nothing = "No metric of this study projects words on a direction."

    def plot(self) -> Figure:
        rows = self._of_longest_query
        models = in_order(rows["model"])
        most = int(rows.groupby("model").size().max())
        ends = min(ENDS, most // 2) or 1
        size = page.DOUBLE_COLUMN, (2 * ends + 1 + STROKES) * PITCH + AROUND
        figure = Figure(figsize=size, layout="constrained")
        panels = figure.subplots(1, len(models), sharex=True, squeeze=False)[0]
        printed = self._published(rows["query"].iloc[0])
        for axes, model in zip(panels, models, strict=True):
            words = rows[rows["model"] == model]
            _draw_panel(axes, words, ends, printed.get(model, {}))
            axes.set_title(page.wrapped_name(self.label(model), 72 // len(models)))
            axes.set_xlabel(self._axis(rows))
        marked = any(a.get_label() == MARKED for axes in panels for a in axes.lines)
        handles = _handles(marked, self.frames.sides(rows["query"].iloc[0]))
        return page.finished(figure, [self._note(rows, ends)], handles)

    def title(self, rows: pd.DataFrame) -> str:
        rows = self._of_longest_query
        first = rows[rows["model"] == rows["model"].iloc[0]].sort_values("place")
        ends = [
            f"{spoken(first['word'].iloc[end])} lies farthest on the side of {side}"
            for end, side in zip((0, -1), self.frames.sides(rows["query"].iloc[0]), strict=True)
        ]
        return f"In {self.label(first['model'].iloc[0])}, {', '.join(ends)}"

    def data(self) -> pd.DataFrame:
        """Every word of every query with its projection and places."""
        return scored_words(self.frames.scores, MEASURES).drop(columns="subquery")

    def about(self, rows: pd.DataFrame) -> str:
        drawn = self._of_longest_query
        return (
            f"Words along a direction, by their {self._axis(drawn)}, the farthest on either side "
            "named, those that a publication names marked."
        )

    @cached_property
    def _of_longest_query(self) -> pd.DataFrame:
        rows = first_metric(scored_words(self.frames.scores, MEASURES))
        if rows.empty:
            return rows
        sizes = rows.groupby("query", sort=False).size()
        return rows[rows["query"] == sizes.idxmax()]

    def _published(self, query: str) -> dict[str, dict[str, float]]:
        """Model -> word -> the place that is printed for it, negative from the other end."""
        of_query = [
            rows[rows["scope"] == query].assign(place=sign * rows["published"])
            for measure, sign in (("place", 1), ("place_from_end", -1))
            for rows in [self.printed(measure)]
        ]
        by_model = pd.concat(of_query).groupby("model")
        return {
            str(model): dict(zip(rows["item"].astype(str), rows["place"], strict=True))
            for model, rows in by_model
        }

    def _axis(self, rows: pd.DataFrame) -> str:
        first, second = self.frames.sides(rows["query"].iloc[0])
        return f"cosine with {first} \N{MINUS SIGN} {second}"

    def _note(self, rows: pd.DataFrame, ends: int) -> str:
        return (
            f"{self.query_label(rows['query'].iloc[0])}: the {ends} words at either end of each "
            "model, and below them all words as strokes."
        )


def _draw_panel(axes: Axes, words: pd.DataFrame, ends: int, printed: dict[str, float]) -> None:
    ordered = words.sort_values("place")
    named = ordered if len(ordered) <= 2 * ends else ordered.iloc[[*range(ends), *range(-ends, 0)]]
    places = np.arange(len(named))
    rows = places + (places >= len(named) / 2)
    labels = named["word"].map(spoken).tolist()
    for place, y, word in zip(places, rows, named.to_dict("records"), strict=True):
        value, colour = word["projection"], page.GROUPS[int(word["projection"] < 0)]
        axes.plot([0, value], [y, y], color=colour, linewidth=0.6, zorder=2)
        axes.plot(value, y, "o", color=colour, markersize=2.6, markeredgewidth=0, zorder=3)
        if word["word"] in printed:
            axes.plot(value, y, zorder=4, label=MARKED, **PUBLISHED)
            labels[place] = f"({abs(printed[word['word']]):.0f}) {labels[place]}"
    between = len(ordered) - len(named)
    if between:
        labels.append(f"\N{HORIZONTAL ELLIPSIS} {between} between")
        rows = np.append(rows, len(named) / 2)
    bottom = len(named) + STROKES
    strokes = (len(named) + 1.2, bottom + 0.4)
    axes.vlines(ordered["projection"], *strokes, page.UNDEFINED_GREY, linewidth=0.3, zorder=2)
    axes.set_yticks([*rows, sum(strokes) / 2], [*labels, f"all {len(ordered)}"])
    axes.axvline(0, color="black", linewidth=0.5, zorder=1)
    axes.set_ylim(bottom + 0.6, -0.8)
    page.value_axis(axes, labelsize=page.SMALL_TEXT, pad=1)


def _handles(marked: bool, sides: tuple[str, str]) -> list[page.Handle]:
    look = {"marker": "o", "markersize": 2.6, "linewidth": 0.6}
    handles: list[page.Handle] = [
        page.line_handle(f"on the side of {side}", color=colour, **look)
        for side, colour in zip(sides, page.GROUPS, strict=True)
    ]
    if marked:
        handles.append(page.line_handle(MARKED, **PUBLISHED))
    return handles
