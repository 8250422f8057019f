"""Which words carry an association: the value of each target word."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._forest import model_look
from fairflow.products.figures._study_frames import in_order, word_entries
from fairflow.products.figures.base_figure import BaseFigure, extremes
from fairflow.studies.wording import counted


class Measure(NamedTuple):
    """What a measure of target words is, where no side is taken, and where its poles lie.

    `right` is the place, 0 or 1, of the attribute set at which large values lie.
    """

    about: str
    zero: float
    right: int


# Measures that a metric gives for each target word.
MEASURES = {
    "association": Measure(
        "mean cosine similarity with the first attribute set less that with the second", 0.0, 0
    ),
    "negative_probability": Measure("probability of the class of the second attribute set", 0.5, 1),
}


class Word(NamedTuple):
    """A target word, its set's place among the target sets, its value (NaN when lost)."""

    word: str
    place: int
    value: float


@dataclass(frozen=True)
class WordPanel:
    """The words of one query on one model.

    Attributes
    ----------
    words : by value, the largest first. lost : those that the model lacks.
    between : words of the middle that are left out after half of `words`, 0 if none.
    poles : names of the attribute sets at small and at large values, empty if not known.
    """

    query: str
    title: str
    model: str
    words: tuple[Word, ...]
    lost: tuple[Word, ...]
    between: int = 0
    poles: tuple[str, ...] = ()

    def ends(self, most: int) -> WordPanel:
        """Both ends of a list of more words than `most`, an even number."""
        left_out = len(self.words) - most
        if left_out < 2:
            return self
        half = most // 2
        return replace(self, words=(*self.words[:half], *self.words[-half:]), between=left_out)


class WordPanels(NamedTuple):
    """Panels of the first metric that has words with one of `MEASURES`.

    `undefined` are the queries without value on any model.
    """

    metric: str
    measure: str
    panels: list[WordPanel]
    undefined: list[str]


def poles(label: str, measure: str) -> tuple[str, ...]:
    """The two attribute sets of a label, that of small values first; none if it names others."""
    attributes = label.partition(" wrt ")[2].partition(" [")[0].split(" and ")
    if len(attributes) != 2:
        return ()
    right = MEASURES[measure].right
    return attributes[1 - right], attributes[right]


def _lost(coverage: pd.DataFrame, model: str, query: str, sets: list[str]) -> tuple[Word, ...]:
    """Lost words of the target sets; a score's own list does not tell sets apart."""
    if not {"queries", "lost_words"} <= set(coverage.columns):
        return ()
    used = coverage["queries"].map(lambda queries: query in str(queries).split()).astype(bool)
    rows = coverage[used & (coverage["model"] == model) & coverage["word_set"].isin(sets)]
    return tuple(
        Word(word, sets.index(name), math.nan)
        for name, words in zip(rows["word_set"], rows["lost_words"], strict=True)
        if isinstance(words, str)
        for word in words.split(", ")
    )


COLUMNS = 4
FULL = page.DOUBLE_COLUMN / COLUMNS
# Inches: a word, a line of text, ticks, what parts panels.
PITCH, LINE, TICKS, GAP = 0.0875, 0.1, 0.13, 0.14
TITLE_WIDTH, POLE_WIDTH = 32, 34
# Of a longer list only both ends are drawn, of as many words as a page has room for.
WORDS = (40, 30, 24, 20, 16, 14, 12, 10, 8, 6)
# More lost words than these are counted.
MOST_LOST = 2
Pages = tuple[dict[str, list[str]], list[list[WordPanel]]]


def title(panel: WordPanel) -> str:
    """The label of the query in lines; of its targets alone if its poles are named."""
    targets, _, attributes = panel.title.partition(" wrt ")
    name = "".join(attributes.partition(" [")[1:])
    return page.wrapped_query(targets + name if panel.poles else panel.title, TITLE_WIDTH)


def lost_rows(panel: WordPanel) -> list[str]:
    """The words that the model lacks, or how many."""
    names = [word.word for word in panel.lost]
    return names if len(names) <= MOST_LOST else [f"{len(names)} words"]


def pole_lines(panel: WordPanel) -> list[str]:
    """The poles below the axis: on one line, of which each takes an end, or on a line each."""
    if not panel.poles:
        return []
    left, right = f"\N{LEFTWARDS ARROW} {panel.poles[0]}", f"{panel.poles[1]} \N{RIGHTWARDS ARROW}"
    gap = POLE_WIDTH - len(left) - len(right)
    return [left, right] if gap < 0 else [left + "\n" + right]


def n_rows(panel: WordPanel) -> int:
    """Words, one line for those between, and the lost ones."""
    return len(panel.words) + (panel.between > 0) + len(lost_rows(panel))


def panel_height(panel: WordPanel) -> float:
    """Inches."""
    lines = page.line_count(title(panel)) + len(pole_lines(panel))
    return GAP + LINE * lines + PITCH * n_rows(panel) + TICKS


def that_fit(every: dict[str, list[str]], panels: Sequence[WordPanel], limit: float) -> Pages:
    """The queries that a page holds, and their panels in columns of about equal height.

    All queries come first, then as many words of each as there is room for.
    """
    for most in WORDS:
        columns = _columns([panel.ends(most) for panel in panels], limit)
        if columns:
            return every, columns
    shortest = [panel.ends(WORDS[-1]) for panel in panels]
    for n in range(sum(map(len, every.values())), 0, -1):
        shown = study.first_queries(every, n)
        queries = [query for queries in shown.values() for query in queries]
        columns = _columns([p for q in queries for p in shortest if p.query == q], limit)
        if columns:
            return shown, columns
    return study.first_queries(every, 1), [shortest[:1]]


def _columns(panels: Sequence[WordPanel], limit: float) -> list[list[WordPanel]]:
    """As few inches high as possible; none if these panels do not fit."""
    heights = [panel_height(panel) for panel in panels]
    height = max(heights)
    while height <= limit:
        columns = _flow(panels, heights, height)
        if len(columns) <= COLUMNS:
            return columns
        height += 0.05
    return []


def _flow(
    panels: Sequence[WordPanel], heights: Sequence[float], height: float
) -> list[list[WordPanel]]:
    columns: list[list[WordPanel]] = [[]]
    filled = 0.0
    for panel, needed in zip(panels, heights, strict=True):
        if columns[-1] and filled + needed > height + 1e-9:
            columns.append([])
            filled = 0.0
        columns[-1].append(panel)
        filled += needed
    return columns


# Panels that are told; more are for the table.
MOST_TOLD = 12
# Inches: the words beside a panel, and what is free on its right.
NAMES, MARGIN, EDGE = 0.66, 0.1, 0.04
ARROW = "\N{LEFTWARDS ARROW}"


class WordAssociations(BaseFigure):
    """Draw the value of each target word, a panel per query, sorted, coloured by target set.

    Needs `scores` with model, metric, criterion, query, subquery and words, and `coverage` with
    model, word_set, queries and lost_words. Drawn is the first metric that values target words, and
    for each query the first model that defines it; the words that this model lacks stand below.
    """

    def plot(self) -> Figure:
        shown_words = None if self.frames.scores.empty else self.word_panels()
        if shown_words is None:
            return page.sentence_figure(
                "No metric of this study gives a value to each target word."
            )
        every = study.queries_by_criterion(self.frames.scores)
        every = {
            c: [q for q in queries if q not in shown_words.undefined]
            for c, queries in every.items()
        }
        limit = page.PAGE - _foot(
            self._notes(shown_words, shown_words.panels, "x" * page.NOTE_WIDTH)
        )
        shown, columns = that_fit(every, shown_words.panels, limit)
        panels = [panel for column in columns for panel in column]
        notes = self._notes(shown_words, panels, study.left_out(every, shown))
        foot, top = _foot(notes), max(sum(map(panel_height, column)) for column in columns)
        figure = Figure(figsize=(page.DOUBLE_COLUMN, top + foot))
        for left, column in zip(count(0.0, FULL), columns, strict=False):
            y = top + foot
            for panel in column:
                _draw_panel(figure, panel, left, y, MEASURES[shown_words.measure][1])
                y -= panel_height(panel)
        page.add_legend_with_notes(figure, _handles(panels), notes)
        return figure

    def data(self) -> pd.DataFrame:
        """Words of the panels, the largest value first; a lost word has no value."""
        shown = self.word_panels()
        rows = [
            {
                "query": panel.query,
                "panel": panel.title,
                "metric": shown.metric,
                "measure": shown.measure,
                "model": panel.model,
                "target_set": word.place + 1,
                "word": word.word,
                "value": word.value,
                "reason": "" if word.value == word.value else "lost",
            }
            for panel in (shown.panels if shown else ())
            for word in (*panel.words, *panel.lost)
        ]
        return pd.DataFrame(rows)

    def alt_text(self, rows: pd.DataFrame) -> Iterator[str]:
        what, zero, _ = MEASURES[rows["measure"].iloc[0]]
        metric = rows["label_metric"].iloc[0]
        panels = rows.groupby(["query", "panel"], sort=False)
        yield (
            f"{metric}: {what}, of each target word, in {counted(panels.ngroups, 'panel')} of a "
            f"query each; a word at {zero:g} is as close to one side as to the other."
        )
        for number, ((_, title), panel) in enumerate(panels):
            defined = panel.dropna(subset="value")
            if number >= MOST_TOLD or defined.empty:
                continue
            bottom, top = extremes(defined)
            yield (
                f"{title}: from {bottom['word']} ({bottom['value']:.2g}) to {top['word']} "
                f"({top['value']:.2g})."
            )
        rest = panels.ngroups - MOST_TOLD
        yield f"The other {counted(rest, 'panel')} are told in the table." if rest > 0 else ""

    def word_panels(self) -> WordPanels | None:
        """A panel for each (sub-)query on the first model that defines it; None without words."""
        if "words" not in self.frames.scores:
            return None
        for metric, rows in self.frames.scores.groupby("metric", sort=False):
            measures = in_order(
                w["measure"] for words in rows["words"].map(word_entries) for w in words
            )
            for measure in measures:
                if measure in MEASURES:
                    return self._panels(str(metric), measure, rows)
        return None

    def _panels(self, metric: str, measure: str, rows: pd.DataFrame) -> WordPanels:
        panels, undefined = [], []
        for query, scores in rows.groupby("query", sort=False):
            defined = scores[scores["words"].map(lambda words: len(word_entries(words)) > 0)]
            if defined.empty:
                undefined.append(str(query))
            first = defined[defined["model"] == (in_order(defined["model"]) or [None])[0]]
            for row in first.to_dict("records"):
                name = row["subquery"] if len(first) > 1 else self.query_label(str(query))
                panels.append(self._panel(row, name, measure))
        return WordPanels(metric, measure, panels, undefined)

    def _panel(self, row: dict, title: str, measure: str) -> WordPanel:
        entries = [entry for entry in word_entries(row["words"]) if entry["measure"] == measure]
        sets = in_order(entry["set"] for entry in entries)
        words = [Word(e["word"], sets.index(e["set"]), float(e["value"])) for e in entries]
        words.sort(key=lambda word: (-word.value, word.place, word.word))
        lost = _lost(self.frames.coverage, row["model"], row["query"], sets)
        return WordPanel(
            row["query"], title, row["model"], tuple(words), lost, poles=poles(title, measure)
        )

    def _notes(self, shown: WordPanels, panels: Sequence[WordPanel], omitted: str) -> list[str]:
        first, *others = in_order(panel.model for panel in shown.panels)
        elsewhere = [
            f"{self.query_label(panel.query)} ({self.label(panel.model)})"
            for panel in panels
            if panel.model in others
        ]
        notes = [
            f"{self.label(shown.metric)} on {self.label(first)}. "
            f"{shown.measure.replace('_', ' ').capitalize()}: {MEASURES[shown.measure][0]}; "
            "scales differ between panels."
        ]
        if elsewhere:
            notes.append(f"On the first model that defines them: {'; '.join(elsewhere)}.")
        if shown.undefined:
            names = "; ".join(self.query_label(query) for query in shown.undefined)
            notes.append(f"Undefined on every model: {names}.")
        return [*notes, omitted]


def _foot(notes: Sequence[str]) -> float:
    return 0.1 * page.note_lines(notes) + 0.35


def _handles(panels: Sequence[WordPanel]) -> list[Line2D | Patch]:
    last = max(word.place for panel in panels for word in (*panel.words, *panel.lost))
    names = ("first", "second", "third", "fourth", "fifth", "sixth")
    handles: list[Line2D | Patch] = [
        page.line_handle(f"{names[number % len(names)]} target set", **_look(number))
        for number in range(last + 1)
    ]
    if any(panel.lost for panel in panels):
        handles.append(Patch(label="grey: word not in the model", color=page.UNDEFINED_GREY))
    return handles


def _look(number: int) -> dict[str, object]:
    return model_look(number) | {"markeredgewidth": 0}


def _draw_panel(figure: Figure, panel: WordPanel, left: float, top: float, zero: float) -> None:
    text, rows, lost = title(panel), n_rows(panel), lost_rows(panel)
    width, height = figure.get_size_inches()
    y = top - GAP / 2
    figure.text((left + EDGE) / width, y / height, text, va="top", fontsize=6.5, linespacing=1.1)
    y -= LINE * page.line_count(text) + 0.02
    box = (left + NAMES, y - PITCH * rows, FULL - NAMES - MARGIN, PITCH * rows)
    axes = page.axes_at(figure, *box)
    upper = len(panel.words) // 2 if panel.between else len(panel.words)
    names = [word.word for word in panel.words]
    places = [i + (i >= upper) for i in range(len(names))]
    for number in sorted({word.place for word in panel.words}):
        marks = [
            (w.value, y) for w, y in zip(panel.words, places, strict=True) if w.place == number
        ]
        values, ys = zip(*marks, strict=True)
        axes.hlines(ys, zero, values, page.PALETTE[number % len(page.PALETTE)], linewidth=0.5)
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
            figure.text(
                x / width, below / height, name, ha=align, va="top", fontsize=page.SMALL_TEXT
            )
        below -= LINE


def _sides(line: str) -> tuple[str, ...]:
    """Where the poles of a line stand: both, or the one that its arrow points to."""
    both = "\n" in line
    return ("left", "right") if both else ("left" if line[0] == ARROW else "right",)


def _style(axes: Axes, rows: int, n_lost: int) -> None:
    # A lost word stands clear of the axis below it.
    axes.set_ylim(rows - (0.1 if n_lost else 0.5), -0.5)
    axes.tick_params(axis="x", labelsize=page.SMALL_TEXT, pad=1)
    page.value_axis(axes, nbins=3, labelsize=page.SMALL_TEXT, pad=1)
    for y, label in enumerate(axes.get_yticklabels()[len(axes.get_yticks()) - n_lost :]):
        label.set_color(page.UNDEFINED_GREY)
        axes.text(
            0.02,
            rows - n_lost + y,
            "lost",
            transform=axes.get_yaxis_transform(),
            va="center_baseline",
            fontsize=page.SMALL_TEXT,
            color=page.UNDEFINED_GREY,
        )
