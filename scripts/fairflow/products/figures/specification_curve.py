"""How much two models differ in every way to measure them, and by which choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.comparability import INCOMPARABLE, NOTES
from fairflow.studies.findings.specifications import choices_told
from fairflow.studies.multiverse import ANY, COUNTED
from fairflow.studies.wording import counted, listed

MOST_PAIRS = 2
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
FIRST, SECOND = page.PALETTE[0], page.PALETTE[5]
GREY, PALE = page.UNDEFINED_GREY, "#C8C8C8"
SECTION = {"facecolor": "#F5F5F5", "edgecolor": "none", "zorder": 0}


Pair = tuple[str, str]


@dataclass(frozen=True)
class ChoiceRow:
    """A row under the curve: the heading of a kind of choice (choice is None), or one choice."""

    column: str
    choice: str | None
    label: str

    @property
    def lines(self) -> int:
        """Lines of text."""
        return page.line_count(self.label)

    def made_in(self, panel: pd.DataFrame) -> pd.Series:
        """The specifications that make this choice."""
        return panel[self.column] == self.choice

    def any_of(self, panel: pd.DataFrame) -> pd.Series:
        """The specifications to which it makes no difference."""
        return (panel[self.column] == ANY) & (self.choice is not None)


class Section(NamedTuple):
    """Specifications of one criterion, side by side from left to right."""

    criterion: str
    count: str
    left: float
    right: float

    @property
    def middle(self) -> float:
        """Where its heading stands."""
        return (self.left + self.right) / 2

    def heading(self, turned: bool) -> str:
        """Criterion and count, on one line to be read from below, or in narrow lines."""
        if turned:
            return f"{self.criterion}, {self.count}"
        return f"{page.wrapped(self.criterion, HEADING_WIDTH)}\n{self.count}"


def pairs_shown(summary: pd.DataFrame) -> list[Pair]:
    """The pairs that are drawn, the model that more often shows the larger bias first.

    Those whose order hangs most on choices: with the largest share of specifications on the side of
    fewer.
    """
    counts = {}
    for key, rows in with_specifications(summary).groupby(["model", "other"], sort=False):
        n_model, n_other = rows["n_model"].sum(), rows["n_other"].sum()
        pair = key if n_model >= n_other else key[::-1]
        counts[pair] = min(n_model, n_other) / max(1, n_model + n_other)
    return sorted(counts, key=counts.__getitem__, reverse=True)[:MOST_PAIRS]


def with_specifications(summary: pd.DataFrame) -> pd.DataFrame:
    """Rows of single criteria that count some specification, or of all criteria together."""
    some = summary[summary["n_specifications"] > 0]
    single = some[some["criterion"] != OVERALL]
    return single if len(single) else some


def of_pair(table: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """The rows of two models, in whichever order the table names them."""
    model, other = table["model"], table["other"]
    forward = (model == pair[0]) & (other == pair[1])
    return table[forward | ((model == pair[1]) & (other == pair[0]))]


def placed(curve: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """Counted specifications of a pair, a section for each criterion, sorted in each.

    Columns of the table, differences turned so that they are positive where the first model shows
    more bias, and x.
    """
    rows = of_pair(curve[curve["status"] == COUNTED], pair)
    turned = rows["model"] != pair[0]
    low, high = rows["relative_difference_low"], rows["relative_difference_high"]
    rows = rows.assign(
        relative_difference=rows["relative_difference"].where(
            ~turned, -rows["relative_difference"]
        ),
        relative_difference_low=low.where(~turned, -high),
        relative_difference_high=high.where(~turned, -low),
    )
    sections = []
    start = 0.0
    for _, section in rows.groupby("criterion", sort=False):
        by_size = section.sort_values("relative_difference", kind="stable")
        sections.append(by_size.assign(x=[start + number for number in range(len(by_size))]))
        start += len(by_size) + 1.5
    return pd.concat(sections, ignore_index=True)


def sections(panel: pd.DataFrame, pair: Pair) -> list[Section]:
    """Where the section of each criterion lies, and in how many the first model shows more."""
    return [
        Section(
            str(criterion),
            f"{int((rows['more_biased'] == pair[0]).sum())} of {len(rows)}",
            rows["x"].min() - 0.75,
            rows["x"].max() + 0.75,
        )
        for criterion, rows in panel.groupby("criterion", sort=False)
    ]


class SpecificationCurve(BaseFigure):
    """Draw the sorted differences of each criterion, and under each point its choices.

    Needs `specification_curve` and `specification_summary`. At most two pairs of models are drawn,
    those whose order hangs most on choices; a filled point has an interval that excludes 0.
    """

    def plot(self) -> Figure:
        curve = self.frames.specification_curve
        if curve.empty or not (curve["status"] == COUNTED).any():
            return page.sentence_figure(
                "No two models are compared in more than one way in this study."
            )
        pairs = pairs_shown(self.frames.specification_summary)
        panels = [placed(curve, pair) for pair in pairs]
        rows = [[*self.choice_rows(panel)] for panel in panels]
        is_narrow = max(panel["x"].max() for panel in panels) < NARROW
        width = page.SINGLE_COLUMN if is_narrow else page.DOUBLE_COLUMN
        turned = max(
            _turned_height(sections(*each), width) for each in zip(panels, pairs, strict=True)
        )
        heights = [TITLES + turned + CURVE + LINE * (1 + sum(r.lines for r in of)) for of in rows]
        figure = Figure(figsize=(width, sum(heights) + LEGEND), layout="constrained")
        parts = figure.subfigures(len(pairs), 1, height_ratios=heights, squeeze=False)[:, 0]
        for part, pair, panel, choices in zip(parts, pairs, panels, rows, strict=True):
            part.suptitle(_in_lines(self.title(pair), 58 if is_narrow else 120), fontsize=7.5)
            _draw_pair(part, pair, panel, choices, turned > 0)
        letters = page.NARROW_NOTE if is_narrow else page.NOTE_WIDTH
        page.add_legend_with_notes(figure, self._handles(pairs), self._notes(pairs), 1, letters)
        return figure

    def data(self) -> pd.DataFrame:
        """The table itself, of every pair."""
        return self.frames.specification_curve

    def alt_text(self, rows: pd.DataFrame) -> Iterator[str]:
        """The figure in sentences."""
        pairs = pairs_shown(self.frames.specification_summary)
        yield (
            "Relative differences between two models, sorted within each criterion, with intervals "
            "over queries, and under each a mark for each choice that was made."
        )
        for pair in pairs:
            yield f"{self.title(pair)}."
            for row in of_pair(self.frames.specification_summary, pair).to_dict("records"):
                n_first = row["n_model" if row["model"] == pair[0] else "n_other"]
                decides = choices_told(row)
                yield (
                    f"{row['criterion']}: {n_first} of {row['n_specifications']}"
                    f"{f'; what decides most is {decides}' if decides else ''}."
                )
        yield from self._notes(pairs)

    def choice_rows(self, panel: pd.DataFrame) -> Iterator[ChoiceRow]:
        """The rows of a panel: kinds of choices of which several were made."""
        for column, heading in HEADINGS.items():
            in_turn = panel.sort_values("specification", kind="stable")[column]
            made = [choice for choice in in_order(in_turn) if choice != ANY]
            if len(made) > 1:
                yield ChoiceRow(column, None, heading)
                for choice in made:
                    label = _AGGREGATIONS.get(choice, self.label(choice)).replace("_", " ")
                    yield ChoiceRow(column, choice, page.wrapped(label, LABEL_WIDTH))

    def title(self, pair: Pair) -> str:
        """Who shows more bias than whom, and in how many specifications of single criteria."""
        rows = with_specifications(of_pair(self.frames.specification_summary, pair))
        total = int(rows["n_specifications"].sum())
        more = int(rows["n_model"].where(rows["model"] == pair[0], rows["n_other"]).sum())
        first, second = (self.label(model) for model in pair)
        of = f"{more} of {counted(total, 'specification')}"
        single = " of single criteria" if self._has_all_together() else ""
        return f"{first} shows more bias than {second} in {of}{single}"

    def _has_all_together(self) -> bool:
        """Whether there is a row of all criteria beside those of single ones."""
        criteria = {*self.frames.specification_curve["criterion"]}
        return OVERALL in criteria and len(criteria) > 1

    def _handles(self, pairs: Sequence[Pair]) -> list[Line2D]:
        names = [f"{self.label(m)} shows more" for m in pairs[0]] if len(pairs) == 1 else []
        first, second = names or ["the first model shows more", "the second model shows more"]
        looks = [
            (f"positive: {first}", FIRST, FIRST),
            (f"negative: {second}", SECOND, SECOND),
            ("white: the interval over queries holds 0, or there is none", GREY, "white"),
        ]
        return [
            page.line_handle(text, marker="o", linestyle="none", color=edge, markerfacecolor=face)
            for text, edge, face in looks
        ]

    def _notes(self, pairs: Sequence[Pair]) -> Iterator[str]:
        curve, summary = self.frames.specification_curve, self.frames.specification_summary
        yield (
            "A point is one way to measure, the dots under it its choices; a grey bar: the choice "
            "makes no difference. 2 or -2: one model alone shows any bias. Points are not "
            "independent."
        )
        if self._has_all_together():
            yield f"The title counts single criteria, {OVERALL} left out."
        for status in INCOMPARABLE:
            if names := listed(dict.fromkeys(curve.loc[curve["status"] == status, "metric"])):
                yield f"Not counted, {names}: {NOTES[status].split(';')[0]}."
        every = summary[["model", "other"]].drop_duplicates()
        if len(every) > len(pairs):
            yield f"{len(pairs)} of {len(every)} pairs, those whose order hangs most on choices."


def _in_lines(sentence: str, width: int) -> str:
    """A title on one line, or with a break before its numbers."""
    if len(sentence) <= width:
        return sentence
    models, _, numbers = sentence.rpartition(" in ")
    return f"{page.wrapped(models, width)}\nin {numbers}"


def _turned_height(parts: Sequence[Section], width: float) -> float:
    """Inches that headings need to be read from below; 0 where they fit side by side."""
    inch = (width - NAMES) / (parts[-1].right - parts[0].left)
    halves = [max(map(len, p.heading(turned=False).split("\n"))) * LETTER / 2 for p in parts]
    beside = zip(pairwise(parts), pairwise(halves), strict=True)
    if all(sum(both) <= (right.middle - left.middle) * inch for (left, right), both in beside):
        return 0.0
    return max(len(part.heading(turned=True)) for part in parts) * LETTER


def _draw_pair(
    part: SubFigure, pair: Pair, panel: pd.DataFrame, choices: Sequence[ChoiceRow], turned: bool
) -> None:
    lines = 1 + sum(row.lines for row in choices)
    top, bottom = part.subplots(2, 1, sharex=True, height_ratios=[CURVE, LINE * lines])
    top.axhline(0, color="black", linewidth=0.5, zorder=1)
    for more, colour in ((pair[0], FIRST), (pair[1], SECOND), (None, GREY)):
        is_of = panel["more_biased"] == more if more else ~panel["more_biased"].isin(pair)
        _draw_points(top, panel[is_of], colour)
    place = {"transform": top.get_xaxis_transform(), "va": "bottom", "ha": "center"}
    place |= {"fontsize": page.SMALL_TEXT, "rotation": 90 if turned else 0}
    for section in sections(panel, pair):
        top.text(section.middle, 1.02, section.heading(turned), **place)
        for axes in (top, bottom):
            axes.axvspan(section.left, section.right, **SECTION)
    top.set_ylabel("relative difference")
    top.set_xlim(-1, panel["x"].max() + 1)
    _draw_choices(bottom, panel, choices)
    for axes in (top, bottom):
        axes.tick_params(axis="x", length=0, labelbottom=False)
        axes.spines["bottom"].set_visible(False)


def _draw_points(axes: Axes, rows: pd.DataFrame, colour: str) -> None:
    low, high = rows["relative_difference_low"], rows["relative_difference_high"]
    axes.vlines(rows["x"], low, high, colour, linewidth=0.6, zorder=2)
    clear = (low > 0) | (high < 0)
    for face, some in ((colour, rows[clear]), ("white", rows[~clear])):
        look = {"markerfacecolor": face, "color": colour, "markeredgewidth": 0.7}
        values = some["relative_difference"]
        axes.plot(some["x"], values, "o", linestyle="none", markersize=2.8, zorder=3, **look)


def _draw_choices(axes: Axes, panel: pd.DataFrame, choices: Sequence[ChoiceRow]) -> None:
    middles = []
    y = 0.0
    for row in choices:
        middles.append(y + (row.lines - 1) / 2)
        for made, marker in ((row.any_of(panel), "|"), (row.made_in(panel), "o")):
            x = panel.loc[made, "x"]
            colour, size = ("black", 1.9) if marker == "o" else (PALE, 3)
            axes.plot(x, np.full(len(x), middles[-1]), marker, color=colour, markersize=size)
        y += row.lines
    axes.set_yticks(middles, [row.label for row in choices])
    for text, row in zip(axes.get_yticklabels(), choices, strict=True):
        weight = "bold" if row.choice is None else "normal"
        text.set(fontweight=weight, fontsize=page.SMALL_TEXT, linespacing=0.95)
    axes.set_ylim(y - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
