"""How much two models differ in every way to measure them, and by which choices."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._forest import model_look
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.comparability import INCOMPARABLE, NOTES
from fairflow.studies.wording import listed, listed_briefly
from fairflow.validity.multiverse import ANY, COUNTED, specification_summary

MOST_PAIRS = 2
# Criteria that a title names; the sections of the curve show all.
MOST_COUNTS = 3
LABEL_WIDTH, HEADING_WIDTH = 28, 12
# Columns of the table by which a row of dots is chosen, under their headings.
HEADINGS = {
    "variant": "Metric",
    "normalisation": "Vectors",
    "aggregation": "Queries become one by",
    "lists": "Word lists",
    "lookup": "Look-up",
}
_AGGREGATIONS = {"abs_avg": "mean of absolute values", "avg": "mean"}
# Specifications that one column has room for.
NARROW = 90
# Inches of a line of choices, of the curve, of a pair's title and criteria, and of the legend.
LINE, CURVE, TITLES, LEGEND = 0.118, 1.35, 0.62, 0.75
# Inches of the choices' names, and of a letter of small text.
NAMES, LETTER = 1.45, 0.046
GREY, PALE = page.UNDEFINED_GREY, "#C8C8C8"
SECTION = {"facecolor": "#F5F5F5", "edgecolor": "none", "zorder": 0}


Pair = tuple[str, str]


class ChoiceRow(NamedTuple):
    """A row under the curve: the heading of a kind of choice (choice is None), or one choice."""

    column: str
    choice: str | None
    label: str


def pairs_shown(summary: pd.DataFrame) -> list[Pair]:
    """The pairs that are drawn, the model that more often shows the larger bias first.

    Those whose order hangs most on choices: with the largest share of specifications on the side of
    fewer.
    """
    counts = {}
    for key, rows in with_specifications(summary).groupby(["model", "other"], sort=False):
        # Each criterion counts alike, however many word lists it has.
        share = (rows["n_model"] / (rows["n_model"] + rows["n_other"]).clip(lower=1)).mean()
        counts[key if share >= 0.5 else key[::-1]] = min(share, 1 - share)
    return sorted(counts, key=counts.__getitem__, reverse=True)[:MOST_PAIRS]


def with_specifications(summary: pd.DataFrame) -> pd.DataFrame:
    """Rows of single criteria that count some specification, or of all criteria together."""
    some = summary[summary["n_specifications"] > 0]
    single = some[some["criterion"] != OVERALL]
    return single if len(single) else some


def of_pair(table: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """The rows of two models, in whichever order the table names them."""
    return table[table["model"].isin(pair) & table["other"].isin(pair)]


def placed(curve: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """Counted specifications of a pair, a section for each single criterion, sorted in each.

    Columns of the table, differences turned so that they are positive where the first model shows
    more bias, and x.
    """
    rows = of_pair(curve[curve["status"] == COUNTED], pair)
    single = rows["criterion"] != OVERALL
    rows = rows[single] if single.any() else rows
    forward = rows["model"] == pair[0]
    ends = ["relative_difference", "relative_difference_low", "relative_difference_high"]
    turned = -rows[[ends[0], ends[2], ends[1]]].set_axis(ends, axis=1)
    section = pd.factorize(rows["criterion"])[0]
    rows = rows.assign(**rows[ends].where(forward, turned, axis=0), section=section)
    rows = rows.sort_values(["section", ends[0]], ignore_index=True)
    return rows.assign(x=rows.index + 1.5 * rows.pop("section"))


def criterion_sections(panel: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """The ends of the section of each criterion, and in how many the first model shows more."""
    panel = panel.assign(more=panel["more_biased"] == pair[0])
    wanted = {"left": ("x", "min"), "right": ("x", "max")}
    wanted |= {"more": ("more", "sum"), "size": ("more", "size")}
    found = panel.groupby("criterion", sort=False).agg(**wanted).reset_index()
    count = found["more"].astype(str) + " of " + found["size"].astype(str)
    return found.assign(count=count, left=found["left"] - 0.75, right=found["right"] + 0.75)


class SpecificationCurve(BaseFigure):
    """Draw the sorted differences of each criterion, and under each point its choices.

    Needs `specification_curve`. At most two pairs of models are drawn,
    those whose order hangs most on choices; a filled point has an interval that excludes 0.
    """

    nothing = "No two models are compared in more than one way in this study."

    @cached_property
    def _summary(self) -> pd.DataFrame:
        return specification_summary(self.frames.specification_curve)

    def plot(self) -> Figure:
        curve = self.frames.specification_curve
        if not (curve["status"] == COUNTED).any():
            return page.sentence_figure(self.nothing)
        pairs = pairs_shown(self._summary)
        panels = [placed(curve, pair) for pair in pairs]
        rows = [[*self.choice_rows(panel)] for panel in panels]
        is_narrow = max(panel["x"].max() for panel in panels) < NARROW
        width = page.SINGLE_COLUMN if is_narrow else page.DOUBLE_COLUMN
        parts = map(criterion_sections, panels, pairs)
        turned = max(_turned_height(part, width) for part in parts)
        heights = [TITLES + turned + CURVE + _choices_height(choices) for choices in rows]
        figure = Figure(figsize=(width, sum(heights) + LEGEND), layout="constrained")
        drawn = figure.subfigures(len(pairs), 1, height_ratios=heights, squeeze=False)[:, 0]
        for part, pair, panel, choices in zip(drawn, pairs, panels, rows, strict=True):
            title = page.wrapped(self.sentence(pair), 58 if is_narrow else 120)
            part.suptitle(title, x=0.01, ha="left")
            top = _draw_pair(part, pair, panel, choices, turned > 0)
            for more in (*pair, None):
                is_of = panel["more_biased"] == more if more else ~panel["more_biased"].isin(pair)
                _draw_points(top, panel[is_of], self._colour(more))
        return page.finished(figure, self._notes(pairs), self._handles(panels), 1)

    def data(self) -> pd.DataFrame:
        """The table itself, of every pair."""
        return self.frames.specification_curve

    def about(self, rows: pd.DataFrame) -> str:
        return (
            "Relative differences between two models, sorted within each criterion, with intervals "
            "over queries, and under each a mark for each choice that was made."
        )

    def choice_rows(self, panel: pd.DataFrame) -> Iterator[ChoiceRow]:
        """The rows of a panel: kinds of choices that were made in several ways."""
        for column, heading in HEADINGS.items():
            in_turn = panel.sort_values("specification", kind="stable")[column]
            made = [choice for choice in in_order(in_turn) if choice != ANY]
            if len(made) > 1:
                yield ChoiceRow(column, None, heading)
                for choice in made:
                    label = _AGGREGATIONS.get(choice, self.label(choice)).replace("_", " ")
                    yield ChoiceRow(column, choice, page.wrapped(label, LABEL_WIDTH))

    def sentence(self, pair: Pair) -> str:
        """Who shows more bias than whom, and in how many specifications of single criteria."""
        rows = with_specifications(of_pair(self._summary, pair))
        more = rows["n_model"].where(rows["model"] == pair[0], rows["n_other"])
        numbers = zip(more, rows["n_specifications"], rows["criterion"], strict=True)
        first, second = (self.label(model) for model in pair)
        each = [f"{n} of {total} on {criterion}" for n, total, criterion in numbers]
        counts = listed_briefly(each, MOST_COUNTS).replace(" on ", " ways to measure on ", 1)
        return f"By {counts}, {first} shows more bias than {second}"

    def _handles(self, panels: Sequence[pd.DataFrame]) -> Iterator[Line2D]:
        """Of the models that show more in some way, filled where an interval says so."""
        every = pd.concat(panels)
        look = {"marker": "o", "linestyle": "none"}
        for model in in_order(every["more_biased"]):
            of_model = every[every["more_biased"] == model]
            face = None if _clear(of_model).any() else "white"
            colour, label = self._colour(model), f"{self.label(model)} shows more"
            yield page.line_handle(label, color=colour, markerfacecolor=face or colour, **look)
        if not _clear(every).all():
            white = "white: the interval over queries contains 0 or is missing"
            yield page.line_handle(white, color=GREY, markerfacecolor="white", **look)

    def _colour(self, model: str | None) -> str:
        places = self.frames.places(in_order(self._summary[["model", "other"]].stack()))
        return model_look(places[model])["color"] if model else GREY

    def _notes(self, pairs: Sequence[Pair]) -> Iterator[str]:
        curve, summary = self.frames.specification_curve, self._summary
        yield (
            "A point is one way to measure, the dots under it its choices; a grey bar: the choice "
            "makes no difference. 2 or -2: one model alone shows any bias. Points are not "
            "independent."
        )
        for status in INCOMPARABLE:
            if names := listed(dict.fromkeys(curve.loc[curve["status"] == status, "metric"])):
                yield f"Not counted, {names}: {NOTES[status].split(';')[0]}."
        every = summary[["model", "other"]].drop_duplicates()
        if len(every) > len(pairs):
            yield f"{len(pairs)} of {len(every)} pairs, those whose order hangs most on choices."


def _choices_height(choices: Sequence[ChoiceRow]) -> float:
    return LINE * (1 + sum(page.line_count(row.label) for row in choices))


def _headings(parts: pd.DataFrame, turned: bool) -> list[str]:
    """Criterion and count, on one line to be read from below, or in narrow lines."""
    if turned:
        return [*(parts["criterion"] + ", " + parts["count"])]
    narrow = parts["criterion"].map(lambda name: page.wrapped(name, HEADING_WIDTH))
    return [*(narrow + "\n" + parts["count"])]


def _turned_height(parts: pd.DataFrame, width: float) -> float:
    """Inches that headings need to be read from below; 0 where they fit side by side."""
    inch = (width - NAMES) / (parts["right"].iloc[-1] - parts["left"].iloc[0])
    lines = [heading.split("\n") for heading in _headings(parts, turned=False)]
    halves = [max(map(len, own)) * LETTER / 2 for own in lines]
    middles = (parts["left"] + parts["right"]) / 2
    beside = zip(pairwise(middles), pairwise(halves), strict=True)
    if all(sum(both) <= (right - left) * inch for (left, right), both in beside):
        return 0.0
    return max(map(len, _headings(parts, turned=True))) * LETTER


def _draw_pair(
    part: SubFigure, pair: Pair, panel: pd.DataFrame, choices: Sequence[ChoiceRow], turned: bool
) -> Axes:
    """Draw all but the points of the curve, whose axes are returned."""
    ratios = [CURVE, _choices_height(choices)]
    top, bottom = part.subplots(2, 1, sharex=True, height_ratios=ratios)
    top.axhline(0, color="black", linewidth=0.5, zorder=1)
    place = {"transform": top.get_xaxis_transform(), "va": "bottom", "ha": "center"}
    place |= {"fontsize": page.SMALL_TEXT, "rotation": 90 if turned else 0}
    parts = criterion_sections(panel, pair)
    for left, right, heading in zip(
        parts["left"], parts["right"], _headings(parts, turned), strict=True
    ):
        top.text((left + right) / 2, 1.02, heading, **place)
        for axes in (top, bottom):
            axes.axvspan(left, right, **SECTION)
    top.set_ylabel("relative difference\n(above 0: the first shows more)")
    top.set_xlim(-1, panel["x"].max() + 1)
    _draw_choices(bottom, panel, choices)
    for axes in (top, bottom):
        axes.tick_params(axis="x", length=0, labelbottom=False)
        axes.spines["bottom"].set_visible(False)
    return top


def _clear(rows: pd.DataFrame) -> pd.Series:
    """Whether the interval of a difference excludes 0."""
    return (rows["relative_difference_low"] > 0) | (rows["relative_difference_high"] < 0)


def _draw_points(axes: Axes, rows: pd.DataFrame, colour: str) -> None:
    low, high = rows["relative_difference_low"], rows["relative_difference_high"]
    axes.vlines(rows["x"], low, high, colour, linewidth=0.6, zorder=2)
    clear = _clear(rows)
    for face, some in ((colour, rows[clear]), ("white", rows[~clear])):
        look: page.Look = {"markerfacecolor": face, "color": colour, "markeredgewidth": 0.7}
        values = some["relative_difference"]
        axes.plot(some["x"], values, "o", linestyle="none", markersize=2.8, zorder=3, **look)


def _draw_choices(axes: Axes, panel: pd.DataFrame, choices: Sequence[ChoiceRow]) -> None:
    middles = []
    y = 0.0
    for column, choice, label in choices:
        lines = page.line_count(label)
        middles.append(y + (lines - 1) / 2)
        any_of = (panel[column] == ANY) & (choice is not None)
        for made, marker in ((any_of, "|"), (panel[column] == choice, "o")):
            x = panel.loc[made, "x"]
            colour, size = ("black", 1.9) if marker == "o" else (PALE, 3)
            axes.plot(x, np.full(len(x), middles[-1]), marker, color=colour, markersize=size)
        y += lines
    axes.set_yticks(middles, [row.label for row in choices])
    for text, row in zip(axes.get_yticklabels(), choices, strict=True):
        weight = "bold" if row.choice is None else "normal"
        text.set(fontweight=weight, fontsize=page.SMALL_TEXT, linespacing=0.95)
    axes.set_ylim(y - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
