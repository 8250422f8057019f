"""A score in each subcorpus of a corpus, over time or side by side, with all that is uncertain."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from fairflow.corpora.claims import BEYOND, LOG_ODDS, UNKNOWN, judged
from fairflow.corpora.trends import parted
from fairflow.products.figures import _drawing as page
from fairflow.products.figures._study_frames import FIRST_PAIR, in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted, listed

# Inches: a panel, the strip of counts, what is around both, what is left of them, the legend.
PANEL, STRIP, AROUND, LEFT, LEGEND = 1.1, 0.4, 0.6, 0.7, 0.15
# The most subcorpora of a panel one column wide; shares of a place: a bar, and the box of a band.
MOST_NARROW, BAR, BOX = 6, 0.36, 0.8
# (Embedding, metric) -> its rows.
Measures = dict[tuple[str, str], pd.DataFrame]
BAND: page.Look = {"color": "#D8D8D8", "linewidth": 0, "label": "same texts, words shuffled"}
VALUE: page.Look = {"color": "black", "label": "value on all documents, 95% interval over these"}
SEED = page.Look(marker="o", markersize=2, markerfacecolor="none", markeredgewidth=0.5)
SEED |= {"color": page.UNDEFINED_GREY, "linestyle": "none", "label": "single training seeds"}
TOKENS = ("n_first", "n_second")


class Subcorpora(BaseFigure):
    """Draw scores over the subcorpora of a corpus: a line over dates, points for other fields.

    Needs `corpus_scores`. A panel for each division, query and measure, with the interval over
    documents (and training seeds) and the range of texts with shuffled words; below it bars with
    the tokens of both target sets. Other intervals are in the table.
    """

    nothing = "No subcorpora were compared in this study."

    def plot(self) -> Figure:
        every = [*parts(self.data())]
        narrow = all(
            one["subcorpus"].nunique() <= MOST_NARROW for *_, of in every for one in of.values()
        )
        columns = min(len(every), 2) if narrow else 1
        single = narrow and columns == 1
        width, in_row = (page.SINGLE_COLUMN, 1) if single else (page.DOUBLE_COLUMN, 2)
        legend = LEGEND * 6 / in_row
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
        queries = [query for _, query, *_ in shown]
        groups = [in_order(names) for names in zip(*map(self._groups, queries), strict=True)]
        tokens = [f"tokens of {' or '.join(names)}" for names in groups]
        for panels, part in zip(blocks, shown, strict=False):
            keys |= dict.fromkeys(self._draw_part(panels, *part, width / columns - LEFT, tokens))
        for axes in grid.flat:
            axes.set_visible(axes.has_data())
        figure.align_ylabels()
        found = [zip(*axes.get_legend_handles_labels(), strict=True) for axes in figure.axes]
        handles: dict[str, Any] = {label: handle for pairs in found for handle, label in pairs}
        metrics = {metric for *_, of in shown for _, metric in of} - {LOG_ODDS}
        if self.frames.in_pairs(metrics):
            pair = [names[0] for names in self.frames.sets(queries[0]) if names]
            one = len({*queries}) == 1 and len(pair) == 2
            above = f"above 0: {' with '.join(pair) if one else FIRST_PAIR}"
            handles[above] = page.line_handle(above, linestyle="none")
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
        readings = {name: self.frames.reading(name) for name in rows["metric"].unique()}
        signed = [name for name, of in readings.items() if of["fair"] == 0 and of["above"]]
        return beyond_text(rows[rows["metric"].isin([LOG_ODDS, *signed])])

    def about(self, rows: pd.DataFrame) -> str:
        labels = self.frames.labels
        names = [measure_text(*name, labels) for name in measures(rows)]
        where = counted(rows["subcorpus"].nunique(), "subcorpus", "subcorpora")
        return f"Values and intervals of {listed(names)} in {where}. {self.title(rows)}."

    def _groups(self, query: str) -> tuple[str, str]:
        """Names of the two target sets of a query."""
        targets = self.frames.sets(query)[0]
        return (targets[0], targets[1]) if len(targets) == 2 else ("first group", "second group")

    def _draw_part(
        self,
        panels: np.ndarray,
        division: str,
        _: str,
        sets: str,
        of: Measures,
        inches: float,
        tokens: Sequence[str],
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
            heads, key = [label.replace("\N{EN DASH}", "\N{EN DASH}\n") for label in labels], []
        lines = [line for head in heads for line in head.split("\n")]
        widest = max(page.text_width(line, page.SMALL_TEXT) for line in lines)
        upright = widest > inches * gap / extent * page.POINTS_PER_INCH - 1
        heads = labels if upright else heads
        for axes in panels:
            axes.set_xlim(places.min() - gap / 2, places.max() + gap / 2)
            axes.set_xticks(places, heads if axes is panels[-1] else [""] * len(heads))
            look = {"fontsize": page.SMALL_TEXT, "rotation": 90 if upright else 0}
            for text in axes.get_xticklabels():
                text.set(**look)
        for axes, (name, rows) in zip(panels[:-1], of.items(), strict=False):
            axes.set_ylabel(page.wrapped_name(measure_text(*name, self.frames.labels), 20))
            rows = rows.set_index("subcorpus").reindex(counts.index)
            _draw_values(axes, rows.assign(place=places), gap, by_date)
        _draw_counts(panels[-1], counts.assign(place=places), gap, inches / extent, tokens)
        of_division = f"{division.replace('_', ' ').capitalize()}: " * bool(division)
        panels[0].set_title(page.wrapped_name(of_division + sets, int(inches * 19)), pad=6)
        return key


def _draw_values(axes: Axes, rows: pd.DataFrame, gap: float, is_line: bool) -> None:
    axes.axhline(0, color="black", linewidth=0.4)
    known = rows["null_low"].notna()
    joined = known & (known.shift(fill_value=False) | known.shift(-1, fill_value=False)) & is_line
    if joined.any():
        axes.fill_between(rows["place"], rows["null_low"], rows["null_high"], joined, **BAND)
    boxes = rows[known & ~joined]
    if len(boxes):
        tall = boxes["null_high"] - boxes["null_low"]
        axes.bar(boxes["place"], tall, BOX * gap, boxes["null_low"], **BAND)
    axes.vlines(rows["place"], rows["low"], rows["high"], "black", linewidth=0.8)
    axes.plot(rows["place"], rows["value"], "o-" if is_line else "o", **VALUE)
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


def _draw_counts(
    axes: Axes, counts: pd.DataFrame, gap: float, inches: float, labels: Sequence[str]
) -> None:
    """Bars of the tokens of both target sets, with numbers where there is room.

    Parameters
    ----------
    inches : of a step of 1 on the axis. labels : of both sets.
    """
    tokens = counts[[*TOKENS]].fillna(0).astype(int)
    wide = max(page.text_width(f"{n:,}", page.SMALL_TEXT) for n in tokens.to_numpy().ravel())
    fits, top = wide <= BAR * gap * inches * page.POINTS_PER_INCH, max(10, tokens.max(axis=None))
    for number, (name, label) in enumerate(zip(TOKENS, labels, strict=True)):
        at = counts["place"] + (number - 0.5) * BAR * gap
        axes.bar(at, tokens[name], BAR * gap, color=page.GROUPS[number], label=label)
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


def beyond_text(scores: pd.DataFrame) -> str:
    """How many values exceed those of shuffled texts as claims count them, without a full stop."""
    verdicts = [row["verdict"] for row in judged(scores)]
    known = sum(verdict not in UNKNOWN for verdict in verdicts)
    if not known:
        return "These texts give no interval"
    return f"{verdicts.count(BEYOND)} of {known} associations exceed those of shuffled texts"
