"""A score in each subcorpus of a corpus, over time or side by side, with all that is uncertain."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from fairflow.corpora.claims import LOG_ODDS
from fairflow.corpora.trends import parted
from fairflow.products.figures import _drawing as page
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted, listed

# Inches: a panel, the strip of counts, what is around both, what is left of them, legend, years.
PANEL, STRIP, AROUND, LEFT, LEGEND, LABEL = 1.1, 0.4, 0.6, 0.7, 0.15, 0.62
# The most subcorpora of a panel one column wide; shares of a place: a bar, and a thin box.
MOST_NARROW, BAR, THIN = 6, 0.36, 0.02
# (Embedding, metric) -> its rows.
Measures = dict[tuple[str, str], pd.DataFrame]
BLUE = page.PALETTE[0]
# Ends of an interval, its label, colour, opacity, and its width as a box, as thin ones always are.
BANDS = (
    ("null_low", "null_high", "same texts, words shuffled", "#D0D0D0", 1, 0.8),
    ("low_all", "high_all", "95% interval over documents, seeds and words", BLUE, 0.2, 0.4),
    ("low", "high", "95% interval over documents and seeds", BLUE, 0.35, 0.25),
    ("analytic_low", "analytic_high", "published interval", "black", 1, THIN),
)
SEED = page.Look(marker="o", markersize=2, markerfacecolor="none", markeredgewidth=0.5)
SEED |= {"color": page.PALETTE[5], "linestyle": "none", "label": "single training seeds"}
TOKENS = {"n_first": "tokens of the first targets", "n_second": "tokens of the second targets"}


class Subcorpora(BaseFigure):
    """Draw scores over the subcorpora of a corpus: a line over dates, points for other fields.

    Needs `corpus_scores`. A panel for each division, query and measure, with intervals and the
    range of texts with shuffled words; below it bars with the tokens of both target sets.
    """

    nothing = "No subcorpora were compared in this study."

    def plot(self) -> Figure:
        every = [*parts(self.data())]
        narrow = all(
            one["subcorpus"].nunique() <= MOST_NARROW for *_, of in every for one in of.values()
        )
        columns = min(len(every), 2) if narrow else 1
        single = narrow and columns == 1
        width, in_row = (page.SINGLE_COLUMN, 1) if single else (page.DOUBLE_COLUMN, 3)
        legend = LEGEND * 9 / in_row
        room = page.PAGE - legend - 2 * page.TITLE_LINE
        shown = every[: columns * int(room / (PANEL + STRIP + AROUND))]
        levels = -(-len(shown) // columns)
        most, fit = max(len(of) for *_, of in shown), (room / levels - STRIP - AROUND) / PANEL
        n = min(most, int(fit))
        heights = ([PANEL] * n + [STRIP]) * levels
        size = width, sum(heights) + AROUND * levels + legend
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(len(heights), columns, squeeze=False, height_ratios=heights)
        blocks = grid.reshape(levels, n + 1, columns).swapaxes(1, 2).reshape(-1, n + 1)
        keys: dict[str, None] = {}
        for panels, part in zip(blocks, shown, strict=False):
            keys |= dict.fromkeys(self._draw_part(panels, *part, width / columns - LEFT))
        for axes in grid.flat:
            axes.set_visible(axes.has_data())
        figure.align_ylabels()
        found = [zip(*axes.get_legend_handles_labels(), strict=True) for axes in figure.axes]
        handles: dict[str, Any] = {label: handle for pairs in found for handle, label in pairs}
        drawn, total = sum(min(len(of), n) for *_, of in shown), sum(len(of) for *_, of in every)
        scale = "Bars: tokens of both target sets, on a logarithmic scale."
        key = f"{', '.join(keys)}." * bool(keys)
        notes = [scale, key, page.left_for_space(drawn, total, "panels")]
        return page.finished(figure, notes, handles.values(), in_row)

    def data(self) -> pd.DataFrame:
        """Each value of each subcorpus."""
        scores, *_ = parted(self.frames.corpus_scores)
        return scores

    def title(self, rows: pd.DataFrame) -> str:
        return clear_text(rows, self.frames.labels)

    def about(self, rows: pd.DataFrame) -> str:
        labels = self.frames.labels
        names = [measure_text(*name, labels) for name in measures(rows)]
        where = counted(rows["subcorpus"].nunique(), "subcorpus", "subcorpora")
        return f"Values and intervals of {listed(names)} in {where}. {self.title(rows)}."

    def _draw_part(
        self, panels: np.ndarray, division: str, _: str, sets: str, of: Measures, inches: float
    ) -> list[str]:
        """Draw panels above a strip of counts; return what numbers of subcorpora stand for."""
        counts = pd.concat(of.values()).drop_duplicates("subcorpus").set_index("subcorpus")
        by_date = bool(counts["position"].notna().all())
        places = counts["position"] if by_date else pd.Series(np.arange(len(counts)), counts.index)
        gap = float(np.diff(places).min()) if len(places) > 1 else 1.0
        extent = float(places.max() - places.min()) + gap
        labels = [*counts["label"].map(str)]
        heads, key = page.column_heads(labels, inches * gap / extent)
        if key and by_date:
            # Every second or third label, and so on.
            step = int(np.ceil(len(places) * LABEL / inches))
            heads, key = [label * (n % step == 0) for n, label in enumerate(labels)], []
        for axes in panels:
            axes.set_xlim(places.min() - gap / 2, places.max() + gap / 2)
            axes.set_xticks(places, heads if axes is panels[-1] else [""] * len(heads))
        for axes, (name, rows) in zip(panels[:-1], of.items(), strict=False):
            axes.set_ylabel(page.wrapped_name(measure_text(*name, self.frames.labels), 20))
            rows = rows.set_index("subcorpus").reindex(counts.index)
            _draw_values(axes, rows.assign(place=places), gap, by_date)
        _draw_counts(panels[-1], counts.assign(place=places), gap, inches / extent)
        of_division = f"{division.replace('_', ' ').capitalize()}: " * bool(division)
        panels[0].set_title(page.wrapped_name(of_division + sets, int(inches * 19)), pad=6)
        return key


def _draw_values(axes: Axes, rows: pd.DataFrame, gap: float, is_line: bool) -> None:
    axes.axhline(0, color="black", linewidth=0.4)
    for low, high, label, colour, alpha, width in BANDS:
        look: page.Look = {"color": colour, "alpha": alpha, "linewidth": 0, "label": label}
        known = rows[low].notna() & rows[high].notna()
        joined = known & (known.shift(fill_value=False) | known.shift(-1, fill_value=False))
        joined &= is_line and width > THIN
        if joined.any():
            axes.fill_between(rows["place"], rows[low], rows[high], joined, **look)
        boxes = rows[known & ~joined]
        if len(boxes):
            tall = boxes[high] - boxes[low]
            axes.bar(boxes["place"], tall, width * gap, boxes[low], **look)
    line = "o-" if is_line else "o"
    axes.plot(rows["place"], rows["value"], line, color=BLUE, label="value on all documents")
    for place, told in zip(rows["place"], rows["seed_values"].fillna(""), strict=True):
        if values := [*map(float, str(told).split())]:
            axes.plot([place] * len(values), values, **SEED)
    missing = rows.loc[rows["value"].isna(), "place"]
    if len(missing):
        top = page.Look(transform=axes.get_xaxis_transform(), clip_on=False, label="no value")
        axes.plot(missing, np.ones(len(missing)), **top, **page.MISSING)
    axes.use_sticky_edges = False
    axes.autoscale_view(scalex=False)
    axes.yaxis.set_major_locator(MaxNLocator(4) if len(missing) < len(rows) else NullLocator())


def _draw_counts(axes: Axes, counts: pd.DataFrame, gap: float, inches: float) -> None:
    """Bars of the tokens of both target sets, with numbers where there is room.

    Parameters
    ----------
    inches : of a step of 1 on the axis.
    """
    tokens = counts[[*TOKENS]].fillna(0).astype(int)
    wide = max(page.text_width(f"{n:,}", page.SMALL_TEXT) for n in tokens.to_numpy().ravel())
    fits, top = wide <= BAR * gap * inches * page.POINTS_PER_INCH, max(10, tokens.max(axis=None))
    for number, name in enumerate(TOKENS, start=1):
        at = counts["place"] + (number - 1.5) * BAR * gap
        axes.bar(at, tokens[name], BAR * gap, label=TOKENS[name], **page.bar_look(number))
        for x, n in zip(at, tokens[name] if fits else (), strict=fits):
            page.small_text(axes, x, max(n, 1) * 1.2, f"{n:,}", "black", va="bottom")
    axes.set_yscale("log")
    axes.set_ylim(1, top ** (1.6 if fits else 1.1))
    axes.yaxis.set_major_locator(FixedLocator([1, 10 ** int(np.log10(top))]))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_ylabel("tokens")


def measure_text(embedding: str, metric: str, labels: Mapping[str, str]) -> str:
    """'log odds ratio', 'WEAT (sgns)': the name of a metric on an embedding."""
    return "log odds ratio" if metric == LOG_ODDS else f"{labels.get(metric, metric)} ({embedding})"


def measures(rows: pd.DataFrame) -> Measures:
    """(Embedding, metric) -> its rows: first the log odds ratio, last those without an interval."""
    of = dict(iter(rows.groupby(["embedding", "metric"], sort=False)))
    order = sorted(of, key=lambda name: (of[name]["low"].isna().all(), name[1] != LOG_ODDS))
    return {name: of[name] for name in order}


def parts(table: pd.DataFrame) -> Iterator[tuple[str, str, str, Measures]]:
    """What is shown together: division, query, name of its sets of words, and `measures`."""
    if len(table):
        table = table.assign(division=table["division"].fillna(""))
        for key, rows in table.groupby(["division", "query", "subquery"], sort=False):
            division, query, subquery = map(str, key)
            yield division, query, subquery, measures(rows)


def clear_text(table: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """How many intervals of the first measure exclude 0, without a full stop."""
    (name, rows), *_ = measures(table).items()
    what, known = f"the {measure_text(*name, labels)}", rows.dropna(subset="low")
    clear = ((known["low"] > 0) | (known["high"] < 0)).sum()
    if known.empty:
        return f"These texts give no interval of {what}"
    text = f"in {clear} of {counted(len(known), 'case')} the interval of {what} excludes 0"
    return f"I{text[1:]}" if clear else f"Nothing can be concluded from these texts: {text}"
