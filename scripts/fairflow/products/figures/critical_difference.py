"""Critical-difference diagrams: mean ranks, and which models the queries do not separate."""

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted

# Heights in inches: a line of text, what parts labels, a bar that joins models.
LINE, GAP, BAR = 0.1, 0.03, 0.055
# Above the axis: its numbers, and the critical difference.
NUMBERS, WIDTH = 0.14, 0.14
LABEL_WIDTH, TEXT_WIDTH = 24, 66
# Friedman's test, whose outcome a diagram shows, needs three models or more.
LEAST_MODELS = 3


@dataclass(frozen=True)
class Facet:
    """Mean ranks of one criterion and metric, the best model first, and what was tested.

    Attributes
    ----------
    ranks : model -> mean rank over queries. labels : of these models, in lines.
    joined : groups of models that no test separates, each in the order of the ranks.
    width : of the critical difference, in ranks; NaN if it is not known.
    text : what the test says, in lines.
    """

    title: str
    ranks: dict[str, float]
    labels: list[str]
    joined: list[list[str]]
    width: float
    text: str

    def sides(self) -> tuple[list[int], list[int]]:
        """Places of the models labelled on the left, and on the right from the last one."""
        half = math.ceil(len(self.ranks) / 2)
        return list(range(half)), list(range(len(self.ranks) - 1, half - 1, -1))

    def above(self) -> float:
        """Inches above the axis."""
        return NUMBERS + (0.0 if math.isnan(self.width) else WIDTH)

    def label_height(self, number: int) -> float:
        """Inches of a model's label."""
        return LINE * page.line_count(self.labels[number]) + GAP

    def top_of_labels(self) -> float:
        """Inches below the axis."""
        return BAR * (len(self.joined) + 1) + 0.03

    def height(self) -> float:
        """Inches."""
        labels = max(sum(map(self.label_height, side)) for side in self.sides())
        text = LINE * page.line_count(self.text) + 0.05
        return self.above() + self.top_of_labels() + labels + text


def _label(model: str, rank: float) -> str:
    # A figure alone on a line would be taken for a model's.
    return textwrap.fill(f"{model}\N{NO-BREAK SPACE}{rank:.2f}", LABEL_WIDTH)


def _verdict(test: dict, n_models: int) -> Iterator[str]:
    if n_models < LEAST_MODELS:
        return
    n = f"{test['n_queries']:.0f} queries"
    if test["n_groups"] < test["n_queries"]:
        n += f", {test['n_groups']:.0f} without common words"
    if math.isnan(test["p_value"]):
        yield f"{n}; no Friedman test: {str(test['note']).split(';')[0]}"
    else:
        yield f"{n}; Friedman {_p(test['p_value'])}"
    # Wilcoxon's smallest p, all differences of one sign, times the pairs.
    if math.comb(n_models, 2) * 2.0 ** (1 - test["n_groups"]) >= test["alpha"]:
        yield "too few queries to separate any two models"


def _p(value: float) -> str:
    digits = "< 0.001" if value < 0.001 else f"= {value:.2g}" if value < 0.1 else f"= {value:.2f}"
    return f"p {digits}".replace(" ", "\N{NO-BREAK SPACE}")


def joined_models(models: Sequence[str], pairs: pd.DataFrame, alpha: float) -> list[list[str]]:
    """The largest groups of models in which no two are separated, each in the order of `models`.

    Parameters
    ----------
    pairs : model, other, wilcoxon_holm; both orders of each pair.
    """
    if pairs.empty:
        return []
    # Without a test they are not separated either.
    alike = pairs[~(pairs["wilcoxon_holm"] < alpha)]
    near = {model: set(alike.loc[alike["model"] == model, "other"]) for model in models}
    # In the order of `models`, as cliques are and as models in them are.
    return [group for group in _cliques([], list(models), [], near) if len(group) > 1]


def _cliques(
    chosen: list[str], open_: list[str], done: list[str], near: dict[str, set[str]]
) -> Iterator[list[str]]:
    """Maximal cliques, after Bron & Kerbosch (1973)."""
    if not open_ and not done:
        yield chosen
    for number, model in enumerate(open_):
        later = [other for other in open_[number + 1 :] if other in near[model]]
        before = [other for other in [*done, *open_[:number]] if other in near[model]]
        yield from _cliques([*chosen, model], later, before, near)


COLUMNS = 2
# Inches.
TITLE, NOTE, MARGIN = 0.22, 0.06, 0.04
# The axis between the labels, as shares of the panel's width.
FIRST, LAST = 0.385, 0.615
# Of a bold line beyond its last dots.
OVERHANG = 0.012
SMALL = {"fontsize": page.SMALL_TEXT}


class CriticalDifference(BaseFigure):
    """Draw mean ranks over queries, a diagram of Demsar (2006) per criterion and metric.

    Needs `mean_ranks` (criterion, metric, model, mean_rank), `friedman` (criterion, metric,
    n_queries, p_value, critical_difference, alpha), `pairwise` (criterion, metric, model, other,
    wilcoxon_p, wilcoxon_holm) and `rank_uncertainty` (criterion, metric, model). Bold lines join
    models that the Wilcoxon-Holm test does not separate; a dot stands for each member.
    """

    def plot(self) -> Figure:
        if self.frames.mean_ranks.empty:
            notes = [] if self.frames.friedman.empty else in_order(self.frames.friedman["note"])
            return page.sentence_figure("No mean ranks in this study" + study.why_no_ranking(notes))
        tests = [(test, self.facet(test)) for test in self.frames.friedman.to_dict("records")]
        facets = [one for _, one in tests if len(one.ranks) >= LEAST_MODELS]
        if not facets:
            unranked = self._without_diagram([test for test, one in tests if not one.ranks])
            few = f"the test needs {LEAST_MODELS} models; two are compared in the table of pairs."
            none = f"No critical differences in this study: {few}"
            return page.sentence_figure(" ".join([none, *unranked]))
        rows = [facets[i : i + COLUMNS] for i in range(0, len(facets), COLUMNS)]
        heights = [max(one.height() for one in row) for row in rows]
        bottoms = accumulate(height + TITLE for height in heights)
        heights = heights[: max(1, sum(bottom + NOTE <= page.PAGE for bottom in bottoms))]
        shown = facets[: len(heights) * COLUMNS]
        size = page.DOUBLE_COLUMN, sum(heights) + len(heights) * TITLE + NOTE
        figure = Figure(figsize=size)
        tops = list(accumulate(heights, lambda top, height: top - height - TITLE, initial=size[1]))
        width = page.DOUBLE_COLUMN / COLUMNS
        for number, one in enumerate(shown):
            row, column = divmod(number, COLUMNS)
            left, bottom = column * width + MARGIN, tops[row] - TITLE - heights[row]
            axes = page.axes_at(figure, left, bottom, width - 2 * MARGIN, heights[row])
            _draw_facet(axes, one, heights[row])
        alpha = f"{100 * self.frames.friedman['alpha'].max():g}%"
        has_width = any(not math.isnan(one.width) for one in shown)
        note = (
            "Mean ranks over queries and sub-queries; 1 = weakest association. "
            + (f"CD: critical difference of Nemenyi ({alpha}). " if has_width else "")
            + "Bold lines join models (dots) that Wilcoxon's signed-rank test with Holm's "
            f"correction does not separate ({alpha}). Queries that share words are taken together."
        )
        if len(shown) < len(facets):
            note += f" There is room for {len(shown)} of {len(facets)} diagrams."
        without = self._without_diagram([test for test, one in tests if one not in facets])
        marks = study.control_notes(self.frames, self.frames.mean_ranks["model"])
        page.set_notes(figure, [note, *without, *marks])
        return figure

    def data(self) -> pd.DataFrame:
        """Mean ranks with the test of their criterion and metric, and whom no test separates."""
        if self.frames.mean_ranks.empty:
            return self.frames.friedman
        tests = self.frames.friedman.drop(columns=["n_queries", "n_groups"])
        rows = self.frames.mean_ranks.merge(tests, on=["criterion", "metric"], how="left")
        groups = {
            (test["criterion"], test["metric"]): self.facet(test).joined
            for test in self.frames.friedman.to_dict("records")
        }
        together = [
            sorted({*chain(*(group for group in groups[c, m] if model in group))} - {model})
            for c, m, model in rows[["criterion", "metric", "model"]].itertuples(index=False)
        ]
        return rows.assign(not_separated_from=[*map(" ".join, together)])

    def alt_text(self, rows: pd.DataFrame) -> Iterator[str]:
        yield "Mean ranks of models over queries; bold lines join models that are not separated."
        if "mean_rank" not in rows:
            return
        for (criterion, metric), group in rows.groupby(["criterion", "label_metric"], sort=False):
            means = [f"{r.label_model} {r.mean_rank:.2f}" for r in group.itertuples()]
            test = group.iloc[0]
            p = f"; Friedman p {test['p_value']:.2g}" if pd.notna(test["p_value"]) else ""
            apart = (group["not_separated_from"] == "").sum()
            alone = f"; {counted(apart, 'model')} separated from all others" if apart else ""
            yield f"{criterion}, {metric}: {', '.join(means)}{p}{alone}."

    def facet(self, test: dict) -> Facet:
        """The facet of a row of `frames.friedman`."""

        own = partial(study.facet, criterion=test["criterion"], metric=test["metric"])
        ranks = own(self.frames.mean_ranks).sort_values("mean_rank", kind="stable")
        ranks = dict(zip(ranks["model"], ranks["mean_rank"], strict=True))
        pairs = own(self.frames.pairwise)
        every = in_order(own(self.frames.rank_uncertainty).get("model", []))
        missing = [self.label(model) for model in every if model not in ranks]
        parts = [*_verdict(test, len(ranks))]
        parts += [f"not compared: {', '.join(missing)}"] * bool(missing)
        return Facet(
            title=f"{test['criterion']}: {self.label(test['metric'])}",
            ranks=ranks,
            labels=[_label(study.marked_label(self.frames, m), rank) for m, rank in ranks.items()],
            joined=joined_models(list(ranks), pairs, test["alpha"]),
            width=test["critical_difference"],
            text="\n".join(page.wrapped(part, TEXT_WIDTH) for part in parts),
        )

    def _without_diagram(self, tests: Sequence[Mapping[str, str]]) -> Iterator[str]:
        """Sentences on the rows of `frames.friedman` by which no models are compared."""
        reasons: dict[str, list[str]] = {}
        for test in tests:
            note = str(test["note"]).split(";")[0] or f"fewer than {LEAST_MODELS} models"
            reasons.setdefault(note, []).append(self.label(test["metric"]))
        for reason, metrics in reasons.items():
            yield f"No diagram by {', '.join(dict.fromkeys(metrics))}: {reason}."


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
    x, ends = [FIRST, FIRST, end, end], [y + 0.025, y, y, y + 0.025]
    axes.plot(x, ends, color="black", linewidth=0.6, label="CD")
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
