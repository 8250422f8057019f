"""Critical-difference diagrams: mean ranks, and which models the queries do not separate."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    NOTE_WIDTH,
    PAGE,
    SMALL_TEXT,
    in_paper_style,
    sentence_figure,
    wrapped,
)
from fairflow.products.figures.mean_rank_facets import (
    BAR,
    GAP,
    LEAST_MODELS,
    NUMBERS,
    WIDTH,
    Facet,
    facet,
)
from fairflow.products.figures.ranked_models import control_notes, why_no_ranking
from fairflow.products.figures.study_frames import StudyFrames, in_order

COLUMNS = 2
# Inches.
TITLE, NOTE, MARGIN = 0.22, 0.5, 0.04
# The axis between the labels, as shares of the panel's width.
FIRST, LAST = 0.385, 0.615
# Of a bold line beyond its last dots.
OVERHANG = 0.012
SMALL = {"fontsize": SMALL_TEXT}


@in_paper_style
def critical_difference(frames: StudyFrames) -> Figure:
    """Draw mean ranks over queries, a diagram of Demsar (2006) per criterion and metric.

    Needs `mean_ranks` (criterion, metric, model, mean_rank), `friedman` (criterion, metric,
    n_queries, p_value, critical_difference, alpha), `pairwise` (criterion, metric, model, other,
    wilcoxon_p, wilcoxon_holm) and `rank_uncertainty` (criterion, metric, model). Bold lines join
    models that the Wilcoxon-Holm test does not separate; a dot stands for each member.
    """
    if frames.mean_ranks.empty:
        notes = [] if frames.friedman.empty else in_order(frames.friedman["note"])
        return sentence_figure("No mean ranks in this study" + why_no_ranking(notes))
    tests = [(test, facet(frames, test)) for test in frames.friedman.to_dict("records")]
    facets = [one for _, one in tests if len(one.ranks) >= LEAST_MODELS]
    if not facets:
        none = (
            f"No critical differences in this study: the test needs {LEAST_MODELS} models; two are "
            "compared in the table of pairs."
        )
        unranked = [test for test, one in tests if not one.ranks]
        return sentence_figure(" ".join([none, *_without_diagram(frames, unranked)]))
    rows = [facets[i : i + COLUMNS] for i in range(0, len(facets), COLUMNS)]
    heights = [max(one.height() for one in row) for row in rows]
    bottoms = accumulate(height + TITLE for height in heights)
    heights = heights[: max(1, sum(bottom + NOTE <= PAGE for bottom in bottoms))]
    shown = facets[: len(heights) * COLUMNS]
    size = DOUBLE_COLUMN, sum(heights) + len(heights) * TITLE + NOTE
    figure = Figure(figsize=size)
    tops = list(accumulate(heights, lambda top, height: top - height - TITLE, initial=size[1]))
    for number, one in enumerate(shown):
        row, column = divmod(number, COLUMNS)
        _draw_facet(_panel(figure, column, tops[row] - TITLE, heights[row]), one, heights[row])
    alpha = f"{100 * frames.friedman['alpha'].max():g}%"
    has_width = any(not math.isnan(one.width) for one in shown)
    note = (
        "Mean ranks over queries and sub-queries; 1 = weakest association. "
        + (f"CD: critical difference of Nemenyi ({alpha}). " if has_width else "")
        + "Bold lines join models (dots) that Wilcoxon's signed-rank test with Holm's correction "
        f"does not separate ({alpha}). Queries share word lists and are not independent: p"
        + (" and CD may be too small." if has_width else " may be too small.")
    )
    if len(shown) < len(facets):
        note += f" For want of space {len(shown)} of {len(facets)} diagrams."
    marks = control_notes(frames, frames.mean_ranks["model"])
    note = " ".join(
        [
            note,
            *_without_diagram(frames, [test for test, one in tests if one not in facets]),
            *marks,
        ]
    )
    note_look = {"ha": "center", "va": "bottom", "linespacing": 1.2}
    figure.text(0.5, 0.06 / size[1], wrapped(note, NOTE_WIDTH), **note_look, **SMALL)
    return figure


def _without_diagram(frames: StudyFrames, tests: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Sentences on the rows of `frames.friedman` by which no models are compared."""
    reasons: dict[str, list[str]] = {}
    for test in tests:
        note = str(test["note"]).split(";")[0] or f"fewer than {LEAST_MODELS} models"
        reasons.setdefault(note, []).append(frames.label(test["metric"]))
    for reason, metrics in reasons.items():
        yield f"No diagram by {', '.join(dict.fromkeys(metrics))}: {reason}."


def _panel(figure: Figure, column: int, top: float, height: float) -> Axes:
    """Axes placed by hand: what a layout solver finds may differ in the last digit."""
    width, whole = figure.get_size_inches()
    share = 1 / COLUMNS
    left, wide = column * share + MARGIN / width, share - 2 * MARGIN / width
    return figure.add_axes([left, (top - height) / whole, wide, height / whole])


def _draw_facet(axes: Axes, facet: Facet, height: float) -> None:
    above = facet.above()
    axes.set(xlim=(0, 1), ylim=(height - above, -above))
    axes.set_axis_off()
    axes.set_title(facet.title)
    n_models = len(facet.ranks)
    axes.text(0.5, height - above, facet.text, ha="center", va="bottom", **SMALL)
    if n_models == 0:
        return
    step = (LAST - FIRST) / max(1, n_models - 1)
    places = FIRST + step * (np.array(list(facet.ranks.values())) - 1)
    axes.plot([FIRST, LAST], [0, 0], color="black", linewidth=0.6)
    for rank in range(1, n_models + 1):
        x = FIRST + step * (rank - 1)
        axes.plot([x, x], [0, -0.03], color="black", linewidth=0.6)
        axes.text(x, -0.04, str(rank), ha="center", va="bottom", **SMALL)
    if not math.isnan(facet.width):
        _draw_width(axes, facet.width, step)
    for level, group in enumerate(facet.joined, start=1):
        ends = [places[list(facet.ranks).index(model)] for model in group]
        look = {"color": "black", "marker": "o", "markersize": 2.6, "linestyle": "none"}
        axes.plot(ends, [BAR * level] * len(ends), label="not separated", **look)
        reach = [min(ends) - OVERHANG, max(ends) + OVERHANG]
        axes.plot(reach, [BAR * level] * 2, color="black", linewidth=1.6)
    _draw_labels(axes, facet, places)


def _draw_width(axes: Axes, width: float, step: float) -> None:
    y, end = -NUMBERS - WIDTH / 2, FIRST + width * step
    if end > 0.8:
        axes.text(FIRST, y, f"CD {width:.2f}: more than the axis", va="center", **SMALL)
        return
    axes.plot(
        [FIRST, FIRST, end, end],
        [y + 0.025, y, y, y + 0.025],
        color="black",
        linewidth=0.6,
        label="CD",
    )
    axes.text(end + 0.01, y, f"CD {width:.2f}", va="center", **SMALL)


def _draw_labels(axes: Axes, facet: Facet, places: np.ndarray) -> None:
    for side, edge, align in zip(facet.sides(), (0.365, 0.635), ("right", "left"), strict=True):
        y = facet.top_of_labels()
        for i in side:
            middle = y + (facet.label_height(i) - GAP) / 2
            x = [places[i], places[i], edge]
            axes.plot(x, [0, middle, middle], color="black", linewidth=0.5, label="model")
            shift = -0.01 if align == "right" else 0.01
            axes.text(edge + shift, middle, facet.labels[i], ha=align, va="center", **SMALL)
            y += facet.label_height(i)
