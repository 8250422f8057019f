"""Which words carry an association: the value of each target word."""

from collections.abc import Sequence
from itertools import count

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
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
    wrapped_query,
)
from fairflow.products.figures.study_frames import (
    StudyFrames,
    first_queries,
    in_order,
    left_out,
    queries_by_criterion,
)
from fairflow.products.figures.word_panels import MEASURES, WordPanel, WordPanels, word_panels

COLUMNS = 4
# Inches.
PITCH, LINE, TICKS, GAP = 0.0875, 0.1, 0.14, 0.14
NAMES, MARGIN = 0.66, 0.1
TITLE_WIDTH = 32
MARKERS = "os^vPX"
FULL = DOUBLE_COLUMN / COLUMNS


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
    shown, columns = _that_fit(every, shown_words.panels, limit)
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


def panel_height(panel: WordPanel) -> float:
    """Inches."""
    return GAP + LINE * (_title(panel).count("\n") + 1) + PITCH * _rows(panel) + TICKS


def _rows(panel: WordPanel) -> int:
    return len(panel.words) + len(panel.lost) + (panel.between > 0)


def _title(panel: WordPanel) -> str:
    return wrapped_query(panel.title, TITLE_WIDTH)


def _that_fit(
    every: dict[str, list[str]], panels: Sequence[WordPanel], limit: float
) -> tuple[dict[str, list[str]], list[list[WordPanel]]]:
    """As many queries as a page holds, and their panels in columns of about equal height."""
    for n in range(sum(map(len, every.values())), 0, -1):
        shown = first_queries(every, n)
        chosen = [p for queries in shown.values() for q in queries for p in panels if p.query == q]
        height = max(map(panel_height, chosen))
        while height <= limit:
            columns = _flow(chosen, height)
            if len(columns) <= COLUMNS:
                return shown, columns
            height += 0.05
    return shown, [chosen[:1]]


def _flow(panels: Sequence[WordPanel], height: float) -> list[list[WordPanel]]:
    columns: list[list[WordPanel]] = [[]]
    filled = 0.0
    for panel in panels:
        needed = panel_height(panel)
        if columns[-1] and filled + needed > height + 1e-9:
            columns.append([])
            filled = 0.0
        columns[-1].append(panel)
        filled += needed
    return columns


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


def _handles(columns: Sequence[Sequence[WordPanel]]) -> list[Line2D]:
    panels = [panel for column in columns for panel in column]
    last = max(word.place for panel in panels for word in (*panel.words, *panel.lost))
    names = ("first", "second", "third", "fourth", "fifth", "sixth")
    handles = [
        Line2D([], [], label=f"{names[number % len(names)]} target set", **_look(number))
        for number in range(last + 1)
    ]
    if any(panel.lost for panel in panels):
        handles.append(Line2D([], [], linestyle="none", label="grey: word not in the model"))
    return handles


def _look(number: int) -> dict[str, object]:
    marker = MARKERS[number % len(MARKERS)]
    return {"color": PALETTE[number % len(PALETTE)], "marker": marker, "markersize": 2.6} | {
        "linestyle": "none",
        "markeredgewidth": 0,
    }


def _draw_panel(figure: Figure, panel: WordPanel, left: float, top: float, zero: float) -> None:
    title, rows = _title(panel), _rows(panel)
    width, height = figure.get_size_inches()
    y = top - GAP / 2
    figure.text((left + 0.04) / width, y / height, title, va="top", fontsize=6.5, linespacing=1.1)
    y -= LINE * (title.count("\n") + 1) + 0.02
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
    lost = range(rows - len(panel.lost), rows)
    axes.set_yticks([*places, *lost], [*names, *(word.word for word in panel.lost)])
    _style(axes, rows, len(panel.lost))


def _style(axes: Axes, rows: int, n_lost: int) -> None:
    axes.set_ylim(rows - 0.5, -0.5)
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
