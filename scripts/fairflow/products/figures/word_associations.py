"""Which words carry an association: the value of each target word."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._forest import model_look
from fairflow.products.figures._study_frames import in_order, word_entries
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted, listed


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


def poles(attributes: Sequence[str], measure: str) -> tuple[str, ...]:
    """Two attribute sets, that of small values first; none if there are others."""
    if len(attributes) != 2:
        return ()
    right = MEASURES[measure].right
    return attributes[1 - right], attributes[right]


COLUMNS = 4
FULL = page.DOUBLE_COLUMN / COLUMNS
# Inches: a word, a line of text, ticks, what parts panels, and the legend.
PITCH, LINE, TICKS, GAP, FOOT = 0.0875, 0.1, 0.13, 0.14, 0.45
TITLE_WIDTH, POLE_WIDTH = 32, 34
# Of a longer list only both ends are drawn, of as many words as a page has room for.
WORDS = (40, 30, 24, 20, 16, 14, 12, 10, 8, 6)
# More lost words than these are counted.
MOST_LOST = 2
LEFT, RIGHT = "\N{LEFTWARDS ARROW} ", " \N{RIGHTWARDS ARROW}"


class WordPanel(NamedTuple):
    """How the words of one query on one model are drawn.

    Attributes
    ----------
    rows : of `WordAssociations.data`, those that are drawn and the lost words.
    title : the label of the query, in lines. lost : the words missing from the model, or a count.
    between : words of the middle that are left out after half of the others, 0 if none.
    poles : lines below the axis: both poles of it on one line, or each on its own.
    n_rows : words, one line for those between, and the lost ones. height : in inches.
    """

    rows: pd.DataFrame
    title: str
    lost: list[str]
    between: int
    poles: list[str]
    n_rows: int
    height: float


def word_panel(rows: pd.DataFrame, most: int) -> WordPanel:
    """The panel of a query; both ends of a list of more words than `most`, an even number."""
    lost = rows.loc[rows["reason"] == "lost", "word"].tolist()
    n_words = len(rows) - len(lost)
    between = max(0, n_words - most)
    if between < 2:
        between = 0
    else:
        rows = rows.drop(rows.index[most // 2 : n_words - most // 2])
    label, left, right = rows[["title", "left", "right"]].iloc[0]
    lines = []
    if left:
        left, right = LEFT + left, right + RIGHT
        fits = len(left) + len(right) <= POLE_WIDTH
        lines = [f"{left}\n{right}"] if fits else [left, right]
    title = page.wrapped_query(label, TITLE_WIDTH)
    lost = lost if len(lost) <= MOST_LOST else [f"{len(lost)} words"]
    n_rows = n_words - max(0, between - 1) + len(lost)
    height = GAP + LINE * (page.line_count(title) + len(lines)) + PITCH * n_rows + TICKS
    return WordPanel(rows, title, lost, between, lines, n_rows, height)


def that_fit(panels: Sequence[pd.DataFrame], limit: float) -> list[list[WordPanel]]:
    """The panels in columns of about equal height, with as many words of each as a page holds."""
    for most in WORDS:
        shortest = [word_panel(panel, most) for panel in panels]
        heights = [panel.height for panel in shortest]
        if columns := page.packed(heights, COLUMNS, limit):
            break
    columns = columns or page.packed(heights, COLUMNS, math.inf)
    return [[shortest[number] for number in column] for column in columns]


# Inches: the words next to a panel, and what is free on its right.
NAMES, MARGIN, EDGE = 0.66, 0.1, 0.04
# Letters of a word that fit there: most of 14 take 0.6 inches, of 18 0.8.
LETTERS = 14
_COLUMNS = ["query", "panel", "metric", "measure", "model", "title", "left", "right"]
_COLUMNS += ["target_set", "in_both", "word", "value", "reason"]
_COVERAGE = ["model", "word_set", "queries", "oov_words"]


class WordAssociations(BaseFigure):
    """Draw the value of each target word, a panel per query, sorted, coloured by target set.

    Needs `scores` with model, metric, criterion, query, subquery and words, and `coverage` with
    model, word_set, queries and oov_words. Drawn is the first metric that values target words, and
    for each query the first model that defines it; below are the words that this model is missing.
    """

    nothing = "No metric of this study gives a value to each target word."

    def plot(self) -> Figure:
        every_panel = self._panels
        columns = that_fit(every_panel, page.PAGE - FOOT)
        top = max(sum(panel.height for panel in column) for column in columns) + FOOT
        figure = Figure(figsize=(page.DOUBLE_COLUMN, top))
        for number, column in enumerate(columns):
            y = top
            for panel in column:
                _draw_panel(figure, panel, number * FULL, y)
                y -= panel.height
        rows = pd.concat(panel.rows for column in columns for panel in column)
        metric, measure = rows[["metric", "measure"]].iloc[0]
        axis = f"Horizontal axes: {MEASURES[measure].about} ({self.label(metric)})."
        figure.text(0.5, 0.3 / top, axis, ha="center", fontsize=page.SMALL_TEXT)
        return page.finished(figure, self._notes(every_panel), _handles(rows), 4)

    def title(self, rows: pd.DataFrame) -> str:
        metric, measure, model = rows[["metric", "measure", "model"]].iloc[0]
        of_model = rows[(rows["model"] == model) & (rows["target_set"] <= 2)]
        means = of_model.groupby(["query", "panel", "target_set"])["value"].mean().unstack()
        if 2 not in means or means[2].isna().all():
            return f"{self.label(metric)} in {self.label(model)}, word by word"
        nearer = int((means[1] > means[2]).sum())
        which = "first" if MEASURES[measure].right == 0 else "second"
        return (
            f"In {self.label(model)}, words of the first group lie nearer to the {which} words "
            f"than those of the second in {nearer} of {len(means)} queries"
        )

    def data(self) -> pd.DataFrame:
        """Words of the panels, the largest value first; a lost word has no value."""
        panels = self._panels
        return pd.concat(panels, ignore_index=True) if panels else pd.DataFrame()

    def about(self, rows: pd.DataFrame) -> str:
        what, zero, _ = MEASURES[rows["measure"].iloc[0]]
        metric = rows["label_metric"].iloc[0]
        n_panels = len(rows[["query", "panel"]].drop_duplicates())
        return (
            f"{metric}: {what}, of each target word, in {counted(n_panels, 'panel')} of a "
            f"query each; a word at {zero:g} is as close to one side as to the other."
        )

    @cached_property
    def _panels(self) -> list[pd.DataFrame]:
        """Rows of `data` for each (sub-)query, on the first model that defines it."""
        scores = self.frames.scores
        for metric, measure in product(in_order(scores.get("metric", ())), MEASURES):
            every = scores[scores["metric"] == metric]
            defined = study.with_word_values(every, [measure])
            first = defined.groupby("query")["model"].transform("first")
            rows = defined[defined["model"] == first]
            if len(rows):
                of_queries = (rows[rows["query"] == query] for query in in_order(every["query"]))
                return [
                    self._panel(row, measure, len(same) > 1)
                    for same in of_queries
                    for row in same.to_dict("records")
                ]
        return []

    def _panel(self, row: dict, measure: str, of_subquery: bool) -> pd.DataFrame:
        entries = [entry for entry in word_entries(row["words"]) if entry["measure"] == measure]
        words = pd.DataFrame(entries)[["set", "word", "value"]].astype({"value": float})
        place_of = {name: place for place, name in enumerate(in_order(words["set"]), start=1)}
        words["in_both"] = words.groupby("word")["set"].transform("nunique") > 1
        words = words.assign(target_set=words["set"].map(place_of))
        words = words.sort_values(["value", "target_set", "word"], ascending=[False, True, True])
        lost = [
            {"word": word, "target_set": place_of[name], "reason": "lost"}
            for name, oov_words in self._lost(row["model"], row["query"])
            if name in place_of and isinstance(oov_words, str)
            for word in oov_words.split(", ")
        ]
        rows = pd.concat([words.assign(reason=""), pd.DataFrame(lost)], ignore_index=True)
        rows["in_both"] = rows["in_both"].eq(True)
        names = {name: row[name] for name in ("query", "metric", "model")}
        label = row["subquery"] if of_subquery else self.query_label(row["query"])
        sides = study.sides_of(row)
        left, right = poles(sides[1], measure) or ("", "")
        title = listed(sides[0]) + page.behind_sets(label, sides) if left else label
        shown = {"title": title, "left": left, "right": right}
        rows = rows.assign(**names, panel=label, measure=measure, **shown)
        return rows[[*_COLUMNS]]

    def _lost(self, model: str, query: str) -> Iterator[tuple[str, str]]:
        """Word sets with their lost words; a score's own list does not tell sets apart."""
        coverage = self.frames.coverage.reindex(columns=_COVERAGE)
        used = coverage["queries"].map(lambda queries: query in str(queries).split()).astype(bool)
        rows = coverage[used & (coverage["model"] == model)]
        return zip(rows["word_set"], rows["oov_words"], strict=True)

    def _notes(self, every: Sequence[pd.DataFrame]) -> list[str]:
        metric, measure, first = every[0][["metric", "measure", "model"]].iloc[0]
        heads = [panel[["query", "model"]].iloc[0] for panel in every]
        elsewhere = "; ".join(
            f"{self.query_label(query)} ({self.label(model)})"
            for query, model in heads
            if model != first
        )
        return [
            f"{self.label(metric)} on {self.label(first)}. "
            f"{measure.replace('_', ' ').capitalize()}: {MEASURES[measure].about}; "
            "scales differ between panels.",
            f"On the first model that defines them: {elsewhere}." if elsewhere else "",
        ]


def _handles(rows: pd.DataFrame) -> list[page.Handle]:
    names = ("first", "second", "third", "fourth", "fifth", "sixth")
    handles: list[page.Handle] = [
        page.line_handle(f"{names[number % len(names)]} group of the heading", **_look(number))
        for number in range(rows["target_set"].max())
    ]
    if rows["in_both"].any():
        both = _look(0, hollow=True) | {"color": "black"}
        handles.append(page.line_handle("white: word of both groups", **both))
    if (rows["reason"] == "lost").any():
        handles.append(Patch(label="grey: word not in the model", color=page.UNDEFINED_GREY))
    return handles


def _look(number: int, hollow: bool = False) -> page.Look:
    """Of a group: the first two have the colours of `page.GROUPS`."""
    others = [colour for colour in page.PALETTE if colour not in page.GROUPS]
    colour = [*page.GROUPS, *others][number % len(page.PALETTE)]
    return model_look(number) | {"color": colour, "markerfacecolor": "white" if hollow else colour}


def _draw_panel(figure: Figure, panel: WordPanel, left: float, top: float) -> None:
    width, height = figure.get_size_inches()
    rows, zero = panel.n_rows, MEASURES[panel.rows["measure"].iloc[0]].zero
    y = top - GAP / 2
    look: page.Look = {"va": "top", "fontsize": 6.5, "linespacing": 1.1}
    figure.text((left + EDGE) / width, y / height, panel.title, **look)
    y -= LINE * page.line_count(panel.title) + 0.02
    box = (left + NAMES, y - PITCH * rows, FULL - NAMES - MARGIN, PITCH * rows)
    axes = page.axes_at(figure, *box)
    words = panel.rows[panel.rows["reason"] == ""]
    upper = len(words) // 2 if panel.between else len(words)
    places = [i + (i >= upper) for i in range(len(words))]
    for (place, both), own in words.assign(y=places).groupby(["target_set", "in_both"]):
        look = _look(int(place) - 1, both)
        axes.hlines(own["y"], zero, own["value"], look["color"], linewidth=0.5)
        axes.plot(own["value"], own["y"], **look)
    names = words["word"].tolist()
    if panel.between:
        names.append(f"\N{HORIZONTAL ELLIPSIS} {panel.between} more")
        places.append(upper)
    names += panel.lost
    axes.axvline(zero, color="black", linewidth=0.5, zorder=1)
    labels = [name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…" for name in names]
    axes.set_yticks([*places, *range(rows - len(panel.lost), rows)], labels)
    _style(axes, rows, len(panel.lost))
    below = box[1] - TICKS
    for line in panel.poles:
        for name in line.split("\n"):
            align, x = ("left", EDGE) if name.startswith(LEFT) else ("right", FULL - MARGIN)
            place = {"ha": align, "va": "top", "fontsize": page.SMALL_TEXT}
            figure.text((left + x) / width, below / height, name, **place)
        below -= LINE


def _style(axes: Axes, rows: int, n_oov: int) -> None:
    # A lost word stands clear of the axis below it.
    axes.set_ylim(rows - (0.1 if n_oov else 0.5), -0.5)
    axes.tick_params(axis="x", labelsize=page.SMALL_TEXT, pad=1)
    page.value_axis(axes, nbins=3, labelsize=page.SMALL_TEXT, pad=1)
    look: page.Look = {"ha": "left", "transform": axes.get_yaxis_transform()}
    for y, label in enumerate(axes.get_yticklabels()[len(axes.get_yticks()) - n_oov :]):
        label.set_color(page.UNDEFINED_GREY)
        page.small_text(axes, 0.02, rows - n_oov + y, "lost", page.UNDEFINED_GREY, **look)
