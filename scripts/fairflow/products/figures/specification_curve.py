"""How much two models differ in every way to measure them, and by which choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D

from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    NARROW_NOTE,
    NOTE_WIDTH,
    PALETTE,
    SINGLE_COLUMN,
    SMALL_TEXT,
    UNDEFINED_GREY,
    add_legend_with_notes,
    in_paper_style,
    sentence_figure,
    wrapped,
)
from fairflow.products.figures.specification_rows import (
    ChoiceRow,
    Pair,
    Section,
    choice_rows,
    of_pair,
    pairs_shown,
    placed,
    sections,
    with_specifications,
)
from fairflow.products.figures.study_frames import StudyFrames
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.comparability import GROWS_WITH_LENGTH
from fairflow.studies.specification_curve import COUNTED
from fairflow.studies.specification_summary import choices_told
from fairflow.studies.specifications import AS_GIVEN
from fairflow.studies.wording import counted, listed

# Specifications that one column has room for.
NARROW = 90
# Inches of a line of choices, of the curve, of a pair's title and criteria, and of the legend.
LINE, CURVE, TITLES, LEGEND = 0.118, 1.35, 0.62, 0.75
# Inches of the choices' names, and of a letter of small text.
NAMES, LETTER = 1.45, 0.046
FIRST, SECOND = PALETTE[0], PALETTE[5]
PALE = "#C8C8C8"
SECTION = {"facecolor": "#F5F5F5", "edgecolor": "none", "zorder": 0}


@in_paper_style
def specification_curve(frames: StudyFrames) -> Figure:
    """Draw the sorted differences of each criterion, and under each point its choices.

    Needs `specification_curve` and `specification_summary`. At most two pairs of models are drawn,
    those whose order hangs most on choices; a filled point has an interval that excludes 0.
    """
    curve, summary = frames.specification_curve, frames.specification_summary
    if curve.empty or not (curve["status"] == COUNTED).any():
        return sentence_figure("No two models are compared in more than one way in this study.")
    pairs = pairs_shown(summary)
    panels = [placed(curve, pair) for pair in pairs]
    rows = [choice_rows(frames, panel) for panel in panels]
    is_narrow = max(panel["x"].max() for panel in panels) < NARROW
    width = SINGLE_COLUMN if is_narrow else DOUBLE_COLUMN
    turned = max(_turned_height(sections(*each), width) for each in zip(panels, pairs, strict=True))
    heights = [TITLES + turned + CURVE + LINE * (1 + sum(r.lines for r in of)) for of in rows]
    figure = Figure(figsize=(width, sum(heights) + LEGEND), layout="constrained")
    parts = figure.subfigures(len(pairs), 1, height_ratios=heights, squeeze=False)[:, 0]
    for part, pair, panel, choices in zip(parts, pairs, panels, rows, strict=True):
        part.suptitle(_in_lines(title(frames, pair), 58 if is_narrow else 120), fontsize=7.5)
        _draw_pair(part, pair, panel, choices, turned > 0)
    handles = _handles(frames, pairs)
    notes = _notes(frames, pairs)
    add_legend_with_notes(figure, handles, notes, 1, NARROW_NOTE if is_narrow else NOTE_WIDTH)
    return figure


def title(frames: StudyFrames, pair: Pair) -> str:
    """Who shows more bias than whom, in how many of how many specifications of single criteria."""
    rows = with_specifications(of_pair(frames.specification_summary, pair))
    total = int(rows["n_specifications"].sum())
    more = int(rows["n_model"].where(rows["model"] == pair[0], rows["n_other"]).sum())
    first, second = (frames.label(model) for model in pair)
    of = f"{more} of {counted(total, 'specification')}"
    single = " of single criteria" if _has_all_together(frames) else ""
    return f"{first} shows more bias than {second} in {of}{single}"


def _has_all_together(frames: StudyFrames) -> bool:
    """Whether there is a row of all criteria beside those of single ones."""
    criteria = {*frames.specification_curve["criterion"]}
    return OVERALL in criteria and len(criteria) > 1


def source(frames: StudyFrames) -> pd.DataFrame:
    """The table itself, of every pair."""
    return frames.specification_curve


def told(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    """The figure in sentences."""
    pairs = pairs_shown(frames.specification_summary)
    yield (
        "Relative differences between two models, sorted within each criterion, with intervals "
        "over queries, and under each a mark for each choice that was made."
    )
    for pair in pairs:
        yield f"{title(frames, pair)}."
        for row in of_pair(frames.specification_summary, pair).to_dict("records"):
            n_first = row["n_model" if row["model"] == pair[0] else "n_other"]
            decides = choices_told(row)
            yield (
                f"{row['criterion']}: {n_first} of {row['n_specifications']}"
                f"{f'; what decides most is {decides}' if decides else ''}."
            )
    yield from _notes(frames, pairs)


def _in_lines(sentence: str, width: int) -> str:
    """A title on one line, or with a break before its numbers."""
    if len(sentence) <= width:
        return sentence
    models, _, numbers = sentence.rpartition(" in ")
    return f"{wrapped(models, width)}\nin {numbers}"


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
    for more, colour in ((pair[0], FIRST), (pair[1], SECOND), (None, UNDEFINED_GREY)):
        is_of = panel["more_biased"] == more if more else ~panel["more_biased"].isin(pair)
        _draw_points(top, panel[is_of], colour)
    place = {"transform": top.get_xaxis_transform(), "va": "bottom", "ha": "center"}
    place |= {"fontsize": SMALL_TEXT, "rotation": 90 if turned else 0}
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
        text.set(fontweight=weight, fontsize=SMALL_TEXT, linespacing=0.95)
    axes.set_ylim(y - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _handles(frames: StudyFrames, pairs: Sequence[Pair]) -> list[Line2D]:
    names = [f"{frames.label(m)} shows more" for m in pairs[0]] if len(pairs) == 1 else []
    first, second = names or ["the first model shows more", "the second model shows more"]
    looks = [
        (f"positive: {first}", FIRST, FIRST),
        (f"negative: {second}", SECOND, SECOND),
        ("white: the interval over queries holds 0, or there is none", UNDEFINED_GREY, "white"),
    ]
    return [
        Line2D([], [], marker="o", linestyle="none", color=edge, markerfacecolor=face, label=text)
        for text, edge, face in looks
    ]


def _notes(frames: StudyFrames, pairs: Sequence[Pair]) -> Iterator[str]:
    curve, summary = frames.specification_curve, frames.specification_summary
    yield (
        "A point is one way to measure, the dots under it its choices; a grey bar: the choice "
        "makes no difference. 2 or -2: one model alone shows any bias. Points are not independent."
    )
    if _has_all_together(frames):
        yield f"The title counts single criteria, {OVERALL} left out."
    grow = curve[(curve["status"] == GROWS_WITH_LENGTH) & (curve["normalisation"] == AS_GIVEN)]
    names = listed(dict.fromkeys(grow["metric"]))
    if names:
        yield f"Values of {names} as given grow with the length of vectors and are not counted."
    every = summary[["model", "other"]].drop_duplicates()
    if len(every) > len(pairs):
        yield f"{len(pairs)} of {len(every)} pairs, those whose order hangs most on choices."
