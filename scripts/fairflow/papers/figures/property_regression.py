"""Association of words against a property of what they name, with the line through them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._names_at_points import name_points
from fairflow.products.figures._study_frames import scored_words
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.products.figures.word_associations import poles
from fairflow.statistics.intervals import percentile_interval
from fairflow.statistics.seeds import identity_generator
from fairflow.studies.wording import listed_briefly

MEASURES = ("association", "property")
DRAWS, PERCENT = 2_000, 95
GRID = 50
# Of the range of the data, free on each side.
PAD = 0.07
# Inches: a panel, and what surrounds its axes on the left, right, top and bottom.
COLUMNS, HEIGHT = 2, 2.65
LEFT, RIGHT, TOP, BOTTOM = 0.5, 0.12, 0.32, 0.36
BAND: page.Look = {"color": "#D4D4D4", "linewidth": 0}
POINT = page.Look(marker="o", color=page.PALETTE[0], markersize=2.4, markeredgewidth=0)
LINE: page.Look = {"color": "black", "linewidth": 0.9}


class Line(NamedTuple):
    """Least squares of the association on the property.

    Attributes
    ----------
    x : places along the property, (GRID,). y : of the line there. low, high : of its band.
    """

    r2: float
    slope: float
    intercept: float
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray
    high: np.ndarray


class PropertyRegression(BaseFigure):
    """Draw each word at its property and association, with the line and the band of others.

    Needs `scores` with words that have an association and a property; drawn is the first metric of
    such words, a panel for each query and model.
    """

    nothing = "No metric of this study sets words against a property."

    def plot(self) -> Figure:
        scores = study.first_metric(study.with_word_values(self.frames.scores, MEASURES))
        panels = list(scored_words(scores, MEASURES).groupby(["query", "model"], sort=False))
        n_rows = -(-len(panels) // COLUMNS)
        size = (page.DOUBLE_COLUMN, n_rows * HEIGHT + 0.3)
        figure = Figure(figsize=size)
        width = page.DOUBLE_COLUMN / COLUMNS
        limits = _limits(panels)
        for number, ((query, model), words) in enumerate(panels):
            row, column = divmod(number, COLUMNS)
            left, bottom = column * width + LEFT, size[1] - (row + 1) * HEIGHT + BOTTOM
            box = (left, bottom, width - LEFT - RIGHT, HEIGHT - TOP - BOTTOM)
            axes = page.axes_at(figure, *box)
            score = scores[(scores["query"] == query) & (scores["model"] == model)].iloc[0]
            self._draw_panel(axes, score, words, limits[query])
        return page.finished(figure, self._notes(scores), _handles())

    def data(self) -> pd.DataFrame:
        """Each word of each metric with property and association, and what the line says of it."""
        rows = scored_words(self.frames.scores, MEASURES)
        if rows.empty:
            return rows
        parts = []
        for _, words in rows.groupby(["metric", "query", "model"], sort=False):
            line = fitted(words)
            fit = line.intercept + line.slope * words["property"]
            parts.append(words.assign(fitted=fit, r2=line.r2, slope=line.slope, n=len(words)))
        return pd.concat(parts, ignore_index=True).drop(columns="subquery")

    def title(self, rows: pd.DataFrame) -> str:
        rows = study.first_metric(rows)
        of_first = rows[rows["query"] == rows["query"].iloc[0]].drop_duplicates("model")
        pairs = zip(of_first["r2"], of_first["label_model"], strict=True)
        shares = listed_briefly([f"{r2:.0%} in {model}" for r2, model in pairs])
        name = self._property(of_first["query"].iloc[0]).partition(",")[0]
        return f"How associations of words vary with the {name}: it explains {shares}"

    def about(self, rows: pd.DataFrame) -> str:
        return (
            f"Association of words against {self._property(rows['query'].iloc[0])}, with the line "
            "of least squares through them and a band of lines through resampled words."
        )

    def _draw_panel(
        self, axes: Axes, score: pd.Series, words: pd.DataFrame, limits: np.ndarray
    ) -> None:
        line = fitted(words)
        points = words[["property", "association"]].to_numpy()
        axes.fill_between(line.x, line.low, line.high, zorder=1, **BAND)
        axes.plot(line.x, line.y, zorder=2, **LINE)
        axes.plot(*points.T, linestyle="none", zorder=3, **POINT)
        axes.set(xlim=limits[:, 0], ylim=limits[:, 1])
        if axes.get_ylim()[0] < 0 < axes.get_ylim()[1]:
            axes.axhline(0, color="#B0B0B0", linewidth=0.5, zorder=0)
        query = str(score["query"])
        scale = self.frames.reading(str(score["metric"]))["scale"]
        label = f"{self._property(query)}{scale and f', p, as {scale}'}"
        axes.set_xlabel(page.wrapped_name(label, 52), labelpad=2)
        axes.set_ylabel(self._association(query), labelpad=2)
        several = self.frames.scores["query"].nunique() > 1
        of = f", {self.query_label(query)}" if several else ""
        lost = f", {int(score['n_oov'])} lost" if score["n_oov"] else ""
        r2 = f"r\N{SUPERSCRIPT TWO} = {line.r2:.3f}{_interval(score)}, n = {len(words)}{lost}"
        axes.set_title(f"{self.label(str(score['model']))}{of}\n{r2}", loc="left", pad=3)
        beside = np.abs(points[:, 1] - line.intercept - line.slope * points[:, 0])
        order = np.argsort(-beside, kind="stable")
        along = np.linspace(0, GRID - 1, 4 * GRID)
        on_line = np.column_stack([np.interp(along, range(GRID), to) for to in (line.x, line.y)])
        names = words["word"].to_numpy()[order]
        name_points(axes, points[order], names, page.SMALL_TEXT, on_line, zorder=4)

    def _property(self, query: str) -> str:
        """What the property is, with its scale where the metric takes another."""
        return self.frames.query_parts.get(query, {}).get("property") or "property"

    def _association(self, query: str) -> str:
        ends = poles(self.frames.sets(query)[1], MEASURES[0])
        return f"association (above 0: nearer to {ends[1]})" if ends else MEASURES[0]

    def _notes(self, scores: pd.DataFrame) -> Iterator[str]:
        metric = str(scores["metric"].iloc[0])
        yield (
            f"{self.label(metric)}, on the same scale for all models. A point is a word; those "
            "that lie farthest from the line are named first, others where there is room. Behind "
            f"r\N{SUPERSCRIPT TWO} its {PERCENT}% interval over words, where there is one."
        )


def fitted(words: pd.DataFrame) -> Line:
    """The line through words, and the band of lines through as many drawn with replacement."""
    x, y = words["property"].to_numpy(), words["association"].to_numpy()
    grid = np.linspace(x.min(), x.max(), GRID)
    slope, intercept = (float(part) for part in np.polyfit(x, y, 1))
    random = identity_generator(0, "line", *words["word"])
    drawn = random.integers(0, len(x), (DRAWS, len(x)))
    xs, ys = x[drawn], y[drawn]
    middle_x, middle_y = xs.mean(axis=1, keepdims=True), ys.mean(axis=1, keepdims=True)
    squares = ((xs - middle_x) ** 2).sum(axis=1, keepdims=True)
    products = ((xs - middle_x) * (ys - middle_y)).sum(axis=1, keepdims=True)
    slopes = products / np.where(squares > 0, squares, np.nan)
    every = middle_y + slopes * (grid - middle_x)
    low, high = np.transpose([percentile_interval(at, PERCENT / 100) for at in every.T])
    r2 = float(np.corrcoef(x, y)[0, 1] ** 2)
    return Line(r2, slope, intercept, grid, intercept + slope * grid, low, high)


def _limits(panels: Sequence[tuple[tuple[str, str], pd.DataFrame]]) -> dict[str, np.ndarray]:
    """Query -> limits of its panels, the same for all models: (low and high, x and y)."""
    every: dict[str, list[np.ndarray]] = {}
    for (query, _), words in panels:
        line = fitted(words)
        band = np.column_stack([[line.x[0]] * 2, [line.low.min(), line.high.max()]])
        every.setdefault(query, []).extend([words[["property", "association"]].to_numpy(), band])
    limits = {}
    for query, parts in every.items():
        points = np.vstack(parts)
        ends = np.array([points.min(axis=0), points.max(axis=0)])
        limits[query] = ends + np.outer([-PAD, PAD], np.ptp(points, axis=0))
    return limits


def _interval(score: pd.Series) -> str:
    low, high = (score.get(end, np.nan) for end in ("ci_low", "ci_high"))
    told = pd.notna(low) and score.get("measure") == "r2"
    return f" ({low:.3f} to {high:.3f})" if told else ""


def _handles() -> list[page.Handle]:
    return [
        page.line_handle("word", linestyle="none", **POINT),
        page.line_handle("least squares", **LINE),
        Patch(label=f"{PERCENT}% of lines through resampled words", **BAND),
    ]
