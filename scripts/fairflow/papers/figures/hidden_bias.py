"""What is left of a bias in which words lie together: clusters and neighbours, model by model."""

from functools import cached_property
from itertools import chain

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._names_at_points import name_points
from fairflow.products.figures._study_frames import in_order, scored_words
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import listed_briefly

CLUSTERED, NEIGHBOURS = ("side", "x", "y"), ("leaning", "neighbours")
ACCURACY, CORRELATION = "cluster_accuracy", "neighbour_correlation"
OF_TARGETS = "target_correlation"
# Inches: the two rows of panels, and what surrounds the axes of each.
UPPER, LOWER = 1.75, 2.15
LEFT, RIGHT, TOP, TITLE = 0.42, 0.08, 0.32, 0.14
BOTTOMS = (0.22, 0.34)
SIDES = ((page.GROUPS[0], "o"), (page.GROUPS[1], "^"))


class HiddenBias(BaseFigure):
    """Draw clustered words in their plane, and bias against neighbours, a column for each model.

    Needs `scores` with words that are clustered and words whose neighbours are counted, and
    `published` with the numbers in print. Drawn is the first query that has any.
    """

    nothing = "No metric of this study asks what lies together."

    def plot(self) -> Figure:
        clustered, near = self._tables
        models = in_order(clustered["model"])
        names = [page.wrapped_name(self.label(model), 76 // len(models)) for model in models]
        head = TITLE + 0.1 * max(name.count("\n") for name in names)
        size = (page.DOUBLE_COLUMN, head + UPPER + LOWER + 0.32)
        figure = Figure(figsize=size)
        width = page.DOUBLE_COLUMN / len(models)
        limits = _limits(near)
        sides = self.frames.sides(clustered["query"].iloc[0])
        for column, (model, name) in enumerate(zip(models, names, strict=True)):
            left = column * width
            place: page.Look = {"ha": "left", "va": "top", "fontsize": 7.5, "fontweight": "bold"}
            figure.text((left + LEFT) / size[0], 1 - 0.02 / size[1], name, **place)
            top = size[1] - head
            axes = _panel(figure, left, top, width, UPPER, BOTTOMS[0])
            words = clustered[clustered["model"] == model]
            _draw_clusters(axes, words, self._accuracy(model))
            axes = _panel(figure, left, top - UPPER, width, LOWER, BOTTOMS[1])
            _draw_neighbours(axes, near[near["model"] == model], limits, self._correlations(model))
            if column == 0:
                axes.set_ylabel(f"neighbours that lean to {sides[0]}", labelpad=2)
        return page.finished(figure, [self._note(clustered)], _handles(sides))

    def title(self, rows: pd.DataFrame) -> str:
        shares = [
            f"{np.mean(runs):.1%} in {self.label(model)}"
            for model in in_order(self._tables[0]["model"])
            if (runs := self._runs(model))
        ]
        what = "of the words that lean most, two clusters separate the sides correctly for"
        return f"{what[0].upper()}{what[1:]} {listed_briefly(shares)}" * bool(shares)

    def data(self) -> pd.DataFrame:
        """The clustered words in their plane, and the words whose neighbours were counted."""
        return pd.concat(self._tables, ignore_index=True).drop(columns="subquery")

    def about(self, rows: pd.DataFrame) -> str:
        return (
            "Words that lean most to two sides, in the plane in which they differ most, and the "
            "bias of words against how many of their neighbours lean to the first side."
        )

    @cached_property
    def _tables(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Clustered words and words with neighbours of the first query that has any."""
        clustered = study.first_metric(scored_words(self.frames.scores, CLUSTERED))
        near = scored_words(self.frames.scores, NEIGHBOURS)
        if clustered.empty:
            return clustered, near.iloc[:0]
        query, metric = clustered[["query", "metric"]].iloc[0]
        near = near[(near["query"] == query) & (near["metric"] == metric)]
        return clustered[clustered["query"] == query], near

    def _accuracy(self, model: str) -> str:
        """The mean over the runs of k-means, their ends, and what is printed."""
        runs = self._runs(model)
        mean = f"accuracy of two clusters {np.mean(runs):.3f}"
        spread = f"{len(runs)} runs, {min(runs):.3f} to {max(runs):.3f}"
        return f"{mean}{self._printed(model, ACCURACY)}\n{spread}"

    def _runs(self, model: str) -> list[float]:
        """The accuracy of each run of k-means."""
        words = self.frames.scores.loc[self.frames.scores["model"] == model, "words"]
        entries = chain.from_iterable(map(study.word_entries, words))
        return [entry["value"] for entry in entries if entry["measure"] == ACCURACY]

    def _correlations(self, model: str) -> list[str]:
        """Correlation of bias and neighbours over all words, and over those drawn."""
        scores = self.frames.scores[self.frames.scores["model"] == model]
        every = scores[scores["measure"] == CORRELATION]
        parts = []
        if len(every):
            printed = self._printed(model, CORRELATION)
            parts.append(f"r {every['value'].iloc[0]:.3f}{printed}, all words")
        near = self._tables[1]
        near = near[near["model"] == model]
        if len(near) > 2:
            r = np.corrcoef(near["leaning"], near["neighbours"])[0, 1]
            parts.append(f"r {r:.3f}{self._printed(model, OF_TARGETS)}, these {len(near)}")
        return parts

    def _printed(self, model: str, measure: str) -> str:
        rows = self.printed(measure)
        found = rows.loc[rows["model"] == model, "published"]
        return f" (print {found.iloc[0]:g})" if len(found) else ""

    def _note(self, clustered: pd.DataFrame) -> str:
        query = str(clustered["query"].iloc[0])
        return (
            f"{self.query_label(query)}. Above: the words that lean most, on the two principal "
            "components of their vectors, each model its own; accuracy: how far k-means finds the "
            "sides again (0.5: not at all). Below: words of the query by their bias in the model "
            "before debiasing, and how many of their nearest words lean to the first side; r is "
            "Pearson's."
        )


def _panel(
    figure: Figure, left: float, top: float, width: float, height: float, bottom: float
) -> Axes:
    box = (left + LEFT, top - height + bottom, width - LEFT - RIGHT, height - bottom - TOP)
    return page.axes_at(figure, *box)


def _draw_clusters(axes: Axes, words: pd.DataFrame, title: str) -> None:
    for sign, (colour, marker) in zip((1, -1), SIDES, strict=True):
        of_side = words[words["side"] == sign]
        look: page.Look = {"color": colour, "markersize": 1.5, "markeredgewidth": 0, "alpha": 0.7}
        axes.plot(of_side["x"], of_side["y"], marker, zorder=2, **look)
    axes.set_title(title, loc="left", pad=2, fontsize=page.SMALL_TEXT)
    axes.set(xticks=[], yticks=[])
    axes.set_xlabel("first component", labelpad=2)
    axes.set_ylabel("second component", labelpad=2)


def _draw_neighbours(
    axes: Axes, words: pd.DataFrame, limits: np.ndarray, titles: list[str]
) -> None:
    axes.set(xlim=limits[:, 0], ylim=limits[:, 1])
    sides = (words[words["leaning"] > 0], words[words["leaning"] <= 0])
    for (colour, marker), of_side in zip(SIDES, sides, strict=True):
        look: page.Look = {"color": colour, "markersize": 2.0, "markeredgewidth": 0}
        axes.plot(of_side["leaning"], of_side["neighbours"], marker, zorder=2, **look)
    axes.axvline(0, color="#B0B0B0", linewidth=0.5, zorder=0)
    points = words[["leaning", "neighbours"]].to_numpy(dtype=float)
    order = np.argsort(-np.abs(points[:, 0]), kind="stable")
    names = [name.replace("_", " ") for name in words["word"].to_numpy()[order]]
    name_points(axes, points[order], names, page.SMALL_TEXT, color="#404040", zorder=3)
    axes.set_title("\n".join(titles), loc="left", pad=2, fontsize=page.SMALL_TEXT)
    axes.set_xlabel("bias before debiasing", labelpad=2)


def _limits(near: pd.DataFrame) -> np.ndarray:
    """Of bias and neighbours, the same for all models: (low and high, x and y)."""
    low, high = near[[*NEIGHBOURS]].agg(["min", "max"]).to_numpy()
    pad = np.maximum(0.07 * (high - low), 1e-3)
    return np.array([low - pad, high + pad])


def _handles(sides: tuple[str, str]) -> list[page.Handle]:
    labels = [f"leans to {side} before debiasing" for side in sides]
    return [
        page.line_handle(label, color=colour, marker=marker, markersize=3, linestyle="none")
        for label, (colour, marker) in zip(labels, SIDES, strict=True)
    ]
