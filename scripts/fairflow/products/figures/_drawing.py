"""How every figure looks: style, palette, title, legend, and names in lines or next to points."""

import math
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import matplotlib
import matplotlib.style
import numpy as np
import pandas as pd
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Normalize, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.textpath import TextPath
from matplotlib.ticker import MaxNLocator

STYLE = Path(__file__).resolve().with_name("paper.mplstyle")
# Inches: 88 mm and 180 mm.
SINGLE_COLUMN = 3.46
DOUBLE_COLUMN = 7.08
# Height that a page leaves to a figure and its caption.
PAGE = 9.3
POINTS_PER_INCH = 72.0
SMALL_TEXT = 6.5
# Inches: a line of a title, and the gap below the last one. Points: its letters.
TITLE_LINE, BELOW_TITLE, TITLE = 0.135, 0.07, 8.0

# Okabe & Ito, ordered so that the first ones differ most, also in lightness.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#7F7F7F")
HATCHES = ("", "//////", "......", "\\\\\\\\\\\\", "xxxxx", "------", "++++", "||||||")
# Red is the first group with the first words, in maps (RdBu_r) as in marks; blue is the second.
GROUPS = ("#D55E00", "#0072B2")
UNDEFINED_GREY = "#6E6E6E"
STRIPE = "#F3F3F3"


Handle = Line2D | Patch
# Keywords of what matplotlib draws.
Look = dict[str, Any]


@cache
def _shipped_fonts() -> None:
    """Make matplotlib prefer the fonts of this room to fonts of the same name on the machine."""
    manager = font_manager.fontManager
    for path in sorted(STYLE.parent.glob("fonts/*.ttf")):
        manager.addfont(path)
        manager.ttflist.insert(0, manager.ttflist.pop())


def paper_style() -> AbstractContextManager[None]:
    """Context, or decorator, in which matplotlib has its defaults plus the paper style alone."""
    _shipped_fonts()
    return matplotlib.style.context(STYLE, after_reset=True)


def sentence_figure(sentence: str) -> Figure:
    """A one-column figure that holds only a sentence."""
    figure = Figure(figsize=(SINGLE_COLUMN, 0.8))
    figure.text(0.5, 0.5, textwrap.fill(sentence, 52), ha="center", va="center")
    return figure


def query_grid(
    criteria: Mapping[str, Sequence[str]],
    labels: Mapping[str, str],
    columns: Sequence[tuple[str, str]],
    height: float,
    share: Literal["col", "all"] = "col",
) -> tuple[Figure, np.ndarray]:
    """Panels with a row for each query: criteria below each other, columns next to each other.

    Parameters
    ----------
    criteria : criterion -> its queries. labels : query -> its lines. columns : title and axis.
    height : of the figure, in inches. share : which panels have one axis of values.
    """
    sizes = [len(queries) for queries in criteria.values()]
    figure = Figure(figsize=(DOUBLE_COLUMN, height), layout="constrained")
    how: Look = {"sharex": share, "sharey": "row", "squeeze": False, "height_ratios": sizes}
    grid = figure.subplots(len(sizes), len(columns), **how)
    for panels, (criterion, queries) in zip(grid, criteria.items(), strict=True):
        panels[0].set_yticks(range(len(queries)), [labels[query] for query in queries])
        if len(sizes) > 1:
            name_row(panels, criterion)
    for panels, (title, axis) in zip(grid.T, columns, strict=True):
        panels[0].set_title(title)
        panels[-1].set_xlabel(axis)
    return figure, grid


def criterion_panels(
    criteria: Sequence[str], panel_height: float, around: float, **share: Any
) -> tuple[Figure, np.ndarray, int]:
    """A panel for each criterion, in as many columns as are returned: one, or two.

    Parameters
    ----------
    panel_height, around : inches of a panel, and of what surrounds all. share : which axes.
    """
    columns = min(2, len(criteria))
    rows = math.ceil(len(criteria) / columns)
    size = (SINGLE_COLUMN, DOUBLE_COLUMN)[columns - 1], rows * panel_height + around
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, **share).ravel()
    for axes in grid[len(criteria) :]:
        axes.set_visible(False)
    return figure, grid, columns


def name_row(panels: Sequence[Axes], name: str) -> None:
    """Write a name in bold on the right of a row of panels."""
    panels[-1].yaxis.set_label_position("right")
    # There is room for the marks of `mark_missing`.
    panels[-1].set_ylabel(name, rotation=270, va="bottom", fontweight="bold", labelpad=12)


def value_axis(axes: Axes, nbins: int = 4, grid: bool = True, **names: Any) -> None:
    """Values along the lower axis of a panel of named rows; names : keywords of their ticks."""
    axes.tick_params(axis="y", length=0, **names)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=nbins, min_n_ticks=2))
    if grid:
        axes.grid(axis="x")
    axes.spines["left"].set_visible(False)


MISSING = Look(marker="x", color=UNDEFINED_GREY, markersize=2.4, linestyle="none")
MISSING |= {"markeredgewidth": 0.6}


def mark_missing(axes: Axes, ys: Sequence[float]) -> None:
    """Mark rows without value on the right of a panel: on its axis a mark would be a value."""
    place: Look = {"transform": axes.get_yaxis_transform(), "clip_on": False, "label": "no value"}
    if len(ys):
        axes.plot(np.full(len(ys), 1.015), ys, zorder=3, **place, **MISSING)


def part_rows(axes: Axes, rows: int) -> None:
    """Lines between the rows of a panel, the first on top."""
    for row in range(1, rows):
        axes.axhline(row - 0.5, color="#D9D9D9", linewidth=0.4, zorder=0)
    axes.set_ylim(rows - 0.5, -0.5)


def axes_at(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Axes at a place in inches: what a layout solver finds may differ in the last digit."""
    wide, high = figure.get_size_inches()
    return figure.add_axes((left / wide, bottom / high, width / wide, height / high))


def line_count(text: str) -> int:
    """Lines of a text, 0 of an empty one."""
    return text.count("\n") + 1 if text else 0


def most_lines(labels: Iterable[str]) -> int:
    """Lines of the longest label."""
    return max(map(line_count, labels))


def wrapped(text: str, width: int) -> str:
    """Sentences in lines of at most `width` characters, breaking at blanks."""
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def bar_look(index: int) -> Look:
    """Colour and hatch of the index-th series, as keywords of a bar or patch."""
    number = index % len(PALETTE)
    return {"facecolor": PALETTE[number], "hatch": HATCHES[number], "edgecolor": "white"}


def bar_handle(label: str, index: int) -> Patch:
    """Legend handle of the index-th series of bars."""
    return Patch(label=label, **bar_look(index))


def line_handle(label: str, **look: Any) -> Line2D:
    """Legend handle of lines or marks."""
    return Line2D([], [], label=label, **look)


def interval_handle(levels: pd.Series, over: str, width: float, colour: str = "black") -> Line2D:
    """Legend handle of intervals of a level, over what was drawn anew."""
    label = f"{100 * levels.max():g}% interval {over}"
    return line_handle(label, color=colour, linewidth=width)


def published_look(size: float) -> Look:
    """An open diamond for what is published, as keywords of a line."""
    look: Look = {"marker": "D", "markersize": size, "markerfacecolor": "none", "color": "black"}
    return look | {"linestyle": "none", "markeredgewidth": 0.6}


def finished(
    figure: Figure, notes: Iterable[str] = (), handles: Iterable[Handle] = (), ncols: int = 3
) -> Figure:
    """The figure with the sentences of its caption, and a legend under its panels, if any.

    Parameters
    ----------
    notes : without empty ones they are printed next to the figure. handles : of the legend.
    """
    vars(figure)["notes"] = [*filter(None, notes)]
    if handles := [*handles]:
        figure.legend(handles=handles, loc="outside lower center", ncols=min(ncols, len(handles)))
    return figure


def notes_of(figure: Figure) -> list[str]:
    """The sentences that `finished` gave a figure."""
    return getattr(figure, "notes", [])


def add_title(figure: Figure, sentence: str) -> None:
    """Write a sentence above all panels, at the left edge; the figure grows by its lines."""
    if not sentence:
        return
    width, height = figure.get_size_inches()
    text = wrapped(sentence, int(width * POINTS_PER_INCH / (0.53 * TITLE)))
    taller = height + TITLE_LINE * line_count(text) + BELOW_TITLE
    figure.set_figheight(taller)
    place: Look = {"x": 0.03 / width, "ha": "left"}
    if figure.get_layout_engine() is None:
        # Without an engine nothing else makes room.
        place |= {"y": 1 - 0.02 / taller, "va": "top"}
        for axes in figure.axes:
            left, bottom, wide, high = axes.get_position().bounds
            axes.set_position((left, bottom * height / taller, wide, high * height / taller))
        for written in figure.texts:
            written.set_y(written.get_position()[1] * height / taller)
    figure.suptitle(text, **place)


def left_for_space(shown: int, every: int, what: str) -> str:
    """A note that only some models, for example, have room; empty if all have."""
    return f"There is room for {shown} of {every} {what}; the table has all." * (shown < every)


def small_text(
    axes: Axes, x: float, y: float, text: str, colour: Any, ha: str = "center", **look: Any
) -> None:
    """Write small letters into a bar or cell, in the middle of its height."""
    look = Look(va="center_baseline", fontsize=SMALL_TEXT, color=colour) | look
    axes.text(x, y, text, ha=ha, **look)


def beside(
    axes: Axes, text: str, at: tuple[float, float], shift: float, colour: str, **look: Any
) -> None:
    """Write small letters `shift` points to the right of a place in data, or to its left."""
    look = Look(fontsize=SMALL_TEXT, ha="left" if shift > 0 else "right") | look
    axes.annotate(
        text, at, (shift, 0), textcoords="offset points", va="center", color=colour, **look
    )


def heat_map(
    axes: Axes,
    values: np.ndarray,
    limit: float,
    linewidth: float,
    write: Callable[[int, int, float, object], None],
    least: float | None = None,
    colours: str = "RdBu_r",
) -> QuadMesh:
    """Cells coloured up to a limit, the first row on top; those without value hatched.

    Parameters
    ----------
    values : (rows, columns). write : writes into a cell of this row, column, value and colour.
    least : the other end of the scale, by default -limit. colours : a map of matplotlib.
    """
    norm = Normalize(-limit if least is None else least, limit)
    look: Look = {"cmap": colours, "norm": norm, "edgecolors": "white", "linewidth": linewidth}
    mesh = axes.pcolormesh(np.ma.masked_invalid(values), **look)
    for (row, column), value in np.ndenumerate(values):
        face = mesh.cmap(norm(value))[:3]
        if np.isnan(value):
            face = no_value_look()["facecolor"]
            axes.add_patch(Rectangle((column, row), 1, 1, **no_value_look()))
        write(row, column, value, face)
    axes.set(xlim=(0, values.shape[1]), ylim=(len(values), 0))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return mesh


def no_value_look() -> Look:
    """Grey hatched patch that stands for a missing value."""
    return {"facecolor": "#E4E4E4", "hatch": "////", "edgecolor": "#A8A8A8"}


def text_colour_on(background: Any) -> str:
    """Black or white, whichever reads better on the background colour."""
    red, green, blue = to_rgb(background)
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"


_GROUP = re.compile(r"[(\[][^()\[\]]*[)\]]")
# Stands for a blank at which no line ends.
_TIED = "\N{NO-BREAK SPACE}"
# Names of the target sets and of the attribute sets of a query.
Sides = tuple[tuple[str, ...], tuple[str, ...]]
NO_SIDES: Sides = ((), ())


@cache
def wrapped_name(text: str, width: int) -> str:
    """A name in lines of about `width` characters.

    Lines end at blanks, inside parentheses only where these are longer than a line, and at hyphens
    only of words that are; a word without any is never broken.
    """

    def tie(group: re.Match[str]) -> str:
        return group[0].replace(" ", _TIED) if len(group[0]) <= width else group[0]

    how: Look = {"break_long_words": False}
    lines = textwrap.wrap(_GROUP.sub(tie, text), width, break_on_hyphens=False, **how)
    broken = (textwrap.wrap(line, width, **how) if len(line) > width else [line] for line in lines)
    return "\n".join(part.replace(_TIED, " ") for parts in broken for part in parts)


@cache
def wrapped_query(text: str, width: int, sides: Sides = NO_SIDES) -> str:
    """The label of a query in lines: a break where its targets end, then between its sets.

    Parameters
    ----------
    sides : the names of its sets, which the label holds in this order.
    """
    if len(text) <= width:
        return text
    targets, attributes, rest = query_pieces(text, sides)
    parts = (targets, attributes + rest) if attributes else (targets + rest,)
    return "\n".join(_packed(pieces, width) for pieces in parts if pieces)


@cache
def paired_sets(text: str, width: int, sides: Sides = NO_SIDES) -> str:
    """The label of a query of two by two sets as the pairs A - C and B - D, in lines."""
    if [*map(len, sides)] != [2, 2]:
        return wrapped_query(text, width, sides)
    lines = [" \N{EN DASH} ".join(pair) for pair in zip(*sides, strict=True)]
    lines[-1] += behind_sets(text, sides)
    return ",\n".join(wrapped_name(line, width) for line in lines)


def query_pieces(text: str, sides: Sides) -> tuple[list[str], list[str], list[str]]:
    """A label cut at the blank behind each name of a set: its targets, attributes, and the rest."""
    pieces: tuple[list[str], list[str]] = ([], [])
    start = last = 0
    for own, names in zip(pieces, sides, strict=True):
        for name in names:
            if (at := text.find(name, start)) >= 0:
                start = at + len(name)
                if (cut := f"{text} ".index(" ", start)) > last:
                    own.append(text[last:cut].strip())
                    last = cut
    rest = text[last:].strip()
    return *pieces, [rest] * bool(rest)


def behind_sets(text: str, sides: Sides) -> str:
    """What a label has behind its sets, such as their language; "" if it does not name them."""
    targets, attributes, rest = query_pieces(text, sides)
    every = len(targets) + len(attributes) == sum(map(len, sides))
    return f" {rest[0]}" if rest and every else ""


# Rows of a panel that an eye can follow.
MOST_ROWS = 12


def even_parts(rows: Sequence[str]) -> list[Sequence[str]]:
    """Rows in as few parts of about equal length as have at most `MOST_ROWS` each."""
    n_parts = -(-len(rows) // MOST_ROWS)
    ends = [round(number * len(rows) / max(1, n_parts)) for number in range(n_parts + 1)]
    return [rows[start:end] for start, end in pairwise(ends)]


def column_heads(labels: Sequence[str], inches: float) -> tuple[list[str], list[str]]:
    """Names of columns of this width in lines; numbers, and their key, if names do not fit."""
    points = inches * POINTS_PER_INCH - 2
    heads = [wrapped_name(label, max(1, int(points / 3.6))) for label in labels]
    fits = all(text_width(line, 7.0) <= points for head in heads for line in head.split("\n"))
    if fits and most_lines(heads) <= 4:
        return heads, []
    numbers = [str(number) for number in range(1, len(labels) + 1)]
    return numbers, [f"{number} {label}" for number, label in zip(numbers, labels, strict=True)]


def _packed(pieces: Sequence[str], width: int) -> str:
    lines: list[str] = []
    for piece in pieces:
        if lines and len(lines[-1]) + 1 + len(piece) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    return "\n".join(wrapped_name(line, width) for line in lines)


@cache
def text_width(text: str, size: float) -> float:
    """Width of a line of text, in points."""
    # No curve of a letter reaches beyond the points that it is made of.
    return float(TextPath((0, 0), text, size=size).vertices[:, 0].max()) if text.strip() else 0.0


def packed(heights: Sequence[float], columns: int, limit: float) -> list[list[int]]:
    """Numbers of panels of these heights in as few inches of columns as possible, in their order.

    None if they do not fit into this many columns of the limit.
    """
    height = max(heights)
    while height <= limit:
        found: list[list[int]] = [[]]
        filled = 0.0
        for number, own in enumerate(heights):
            if found[-1] and filled + own > height + 1e-9:
                found.append([])
                filled = 0.0
            found[-1].append(number)
            filled += own
        if len(found) <= columns:
            return found
        height += 0.05
    return []
