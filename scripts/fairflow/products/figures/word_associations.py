"""Which words carry an association: the value of each target word."""

from collections.abc import Sequence
from itertools import count

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from fairflow.products.figures.drawing import (
    DOUBLE_COLUMN,
    NOTE_WIDTH,
    PAGE,
    PALETTE,
    SMALL_TEXT,
    UNDEFINED_GREY,
    add_legend_with_notes,
    in_paper_style,
    sentence_figure,
    wrapped,
)
from fairflow.products.figures.study_frames import (
    StudyFrames,
    in_order,
    left_out,
    queries_by_criterion,
)
from fairflow.products.figures.word_columns import (
    FULL,
    GAP,
    LINE,
    PITCH,
    TICKS,
    lost_rows,
    n_rows,
    panel_height,
    pole_lines,
    that_fit,
    title,
)
from fairflow.products.figures.word_panels import MEASURES, WordPanel, WordPanels, word_panels

# Inches: the words beside a panel, and what is free on its right.
NAMES, MARGIN, EDGE = 0.66, 0.1, 0.04
ARROW = "\N{LEFTWARDS ARROW}"
MARKERS = "os^vPX"


@in_paper_style
def word_associations(frames: StudyFrames) -> Figure:
    """Draw the value of each target word, a panel per query, sorted, coloured by target set.

    Needs `scores` with model, metric, criterion, query, subquery and words, and `coverage` with
    model, word_set, queries and lost_words. Drawn is the first metric that values target words, and
    for each query the first model that defines it; the words that this model lacks stand below.
    """
    shown_words = None if frames.scores.empty else word_panels(frames)
    if shown_words is None:
        return sentence_figure("No metric of this study gives a value to each target word.")
    every = queries_by_criterion(frames.scores)
    every = {
        c: [q for q in queries if q not in shown_words.undefined] for c, queries in every.items()
    }
    limit = PAGE - _foot(_notes(frames, shown_words, shown_words.panels, "x" * NOTE_WIDTH))
    shown, columns = that_fit(every, shown_words.panels, limit)
    notes = _notes(frames, shown_words, [p for c in columns for p in c], left_out(every, shown))
    foot, top = _foot(notes), max(sum(map(panel_height, column)) for column in columns)
    figure = Figure(figsize=(DOUBLE_COLUMN, top + foot))
    for left, column in zip(count(0.0, FULL), columns, strict=False):
        y = top + foot
        for panel in column:
            _draw_panel(figure, panel, left, y, MEASURES[shown_words.measure][1])
            y -= panel_height(panel)
    add_legend_with_notes(figure, _handles(columns), notes)
    return figure


def _foot(notes: Sequence[str]) -> float:
    lines = sum(wrapped(note, NOTE_WIDTH).count("\n") + 1 for note in notes if note)
    return 0.1 * lines + 0.35


def _notes(
    frames: StudyFrames, shown: WordPanels, panels: Sequence[WordPanel], omitted: str
) -> list[str]:
    first, *others = in_order(panel.model for panel in shown.panels)
    elsewhere = [
        f"{frames.query_label(panel.query)} ({frames.label(panel.model)})"
        for panel in panels
        if panel.model in others
    ]
    notes = [
        f"{frames.label(shown.metric)} on {frames.label(first)}. "
        f"{shown.measure.replace('_', ' ').capitalize()}: {MEASURES[shown.measure][0]}; "
        "scales differ between panels."
    ]
    if elsewhere:
        notes.append(f"On the first model that defines them: {'; '.join(elsewhere)}.")
    if shown.undefined:
        names = "; ".join(frames.query_label(query) for query in shown.undefined)
        notes.append(f"Undefined on every model: {names}.")
    return [*notes, omitted]


def _handles(columns: Sequence[Sequence[WordPanel]]) -> list[Line2D | Patch]:
    panels = [panel for column in columns for panel in column]
    last = max(word.place for panel in panels for word in (*panel.words, *panel.lost))
    names = ("first", "second", "third", "fourth", "fifth", "sixth")
    handles: list[Line2D | Patch] = [
        Line2D([], [], label=f"{names[number % len(names)]} target set", **_look(number))
        for number in range(last + 1)
    ]
    if any(panel.lost for panel in panels):
        handles.append(Patch(label="grey: word not in the model", color=UNDEFINED_GREY))
    return handles


def _look(number: int) -> dict[str, object]:
    marker = MARKERS[number % len(MARKERS)]
    return {"color": PALETTE[number % len(PALETTE)], "marker": marker, "markersize": 2.6} | {
        "linestyle": "none",
        "markeredgewidth": 0,
    }


def _draw_panel(figure: Figure, panel: WordPanel, left: float, top: float, zero: float) -> None:
    text, rows, lost = title(panel), n_rows(panel), lost_rows(panel)
    width, height = figure.get_size_inches()
    y = top - GAP / 2
    figure.text((left + EDGE) / width, y / height, text, va="top", fontsize=6.5, linespacing=1.1)
    y -= LINE * (text.count("\n") + 1) + 0.02
    box = (left + NAMES, y - PITCH * rows, FULL - NAMES - MARGIN, PITCH * rows)
    axes = figure.add_axes([box[0] / width, box[1] / height, box[2] / width, box[3] / height])
    upper = len(panel.words) // 2 if panel.between else len(panel.words)
    names = [word.word for word in panel.words]
    places = [i + (i >= upper) for i in range(len(names))]
    for number in sorted({word.place for word in panel.words}):
        marks = [
            (w.value, y) for w, y in zip(panel.words, places, strict=True) if w.place == number
        ]
        values, ys = zip(*marks, strict=True)
        axes.hlines(ys, zero, values, PALETTE[number % len(PALETTE)], linewidth=0.5)
        axes.plot(values, ys, **_look(number))
    if panel.between:
        names.append(f"\N{HORIZONTAL ELLIPSIS} {panel.between} more")
        places.append(upper)
    axes.axvline(zero, color="black", linewidth=0.5, zorder=1)
    axes.set_yticks([*places, *range(rows - len(lost), rows)], [*names, *lost])
    _style(axes, rows, len(lost))
    below = box[1] - TICKS
    for line in pole_lines(panel):
        for name, align in zip(line.split("\n"), _sides(line), strict=True):
            x = left + (EDGE if align == "left" else FULL - MARGIN)
            figure.text(x / width, below / height, name, ha=align, va="top", fontsize=SMALL_TEXT)
        below -= LINE


def _sides(line: str) -> tuple[str, ...]:
    """Where the poles of a line stand: both, or the one that its arrow points to."""
    both = "\n" in line
    return ("left", "right") if both else ("left" if line[0] == ARROW else "right",)


def _style(axes: Axes, rows: int, n_lost: int) -> None:
    # A lost word stands clear of the axis below it.
    axes.set_ylim(rows - (0.1 if n_lost else 0.5), -0.5)
    axes.tick_params(axis="y", length=0, labelsize=SMALL_TEXT, pad=1)
    axes.tick_params(axis="x", labelsize=SMALL_TEXT, pad=1)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=3, min_n_ticks=2))
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    for y, label in enumerate(axes.get_yticklabels()[len(axes.get_yticks()) - n_lost :]):
        label.set_color(UNDEFINED_GREY)
        axes.text(
            0.02,
            rows - n_lost + y,
            "lost",
            transform=axes.get_yaxis_transform(),
            va="center_baseline",
            fontsize=SMALL_TEXT,
            color=UNDEFINED_GREY,
        )
