"""A study at a glance: the effect size of each query on each model, and what of it is sure."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies.wording import counted, listed

EFFECT = "effect_size"
_NAMES = ["criterion", "query", "query_label", "subquery", "metric", "measure", "model"]
_FACTS = ["value", "n_words", "n_oov", "p_value", "p_holm", "null_band_low", "null_band_high"]
_TEXTS = ["family", "status", "reason"]
# The largest effect size there is; of other measures the scale ends at the largest value.
LARGEST_EFFECT = 2.0
LABEL_WIDTH, ASLANT, MOST_LINES = 48, 26, 3
# Inches: a line of text, a column, what stands beside and below the cells.
LINE, COLUMN = 7.8 / page.POINTS_PER_INCH, 0.62
LABELS, AROUND, BETWEEN, LETTER = 2.85, 2.0, 0.12, 0.05
BEYOND = {"fill": False, "linewidth": 0.9}


def claims(rows: pd.DataFrame) -> Iterator[str]:
    """How many cells there are, what is sure of them, and why some are empty; in sentences."""
    defined = rows.dropna(subset="value")
    tested, banded = defined.dropna(subset="p_holm"), defined.dropna(subset="null_band_low")
    n_tests, n_models = rows["subquery"].nunique(), rows["model"].nunique()
    yield (
        f"{counted(n_tests, 'test')} x {counted(n_models, 'model')}: {len(defined)} of {len(rows)} "
        "cells have a value."
    )
    if len(tested):
        yield (
            f"{tested['survives'].sum()} of {len(tested)} tested values have p < {ALPHA:g} after "
            "Holm's correction within their family."
        )
    if len(banded):
        yield (
            f"{banded['beyond'].sum()} of {len(banded)} values with a band of random words lie "
            "beyond it."
        )
    missing = rows.loc[rows["value"].isna(), "status"].fillna("not scored")
    if len(missing):
        counts = missing.str.replace("_", " ").replace("ok", "undefined").value_counts()
        yield f"Without value: {listed(f'{name} ({n})' for name, n in counts.items())}."


class Overview(BaseFigure):
    """Draw a map of values: (sub-)queries as rows, models as columns.

    A cell of `data` holds its value, an asterisk where that survives Holm's correction, and a
    frame where it lies beyond the band of random words. The scale is symmetric; cells without
    value are hatched.
    """

    def plot(self) -> Figure:
        rows = self.data()
        if rows.empty:
            return page.sentence_figure("No scores in this study.")
        models = in_order(rows["model"])
        every = study.queries_by_criterion(rows)
        names = in_order(rows["subquery"])
        labels = {name: page.wrapped_query(name, LABEL_WIDTH) for name in names}
        row_height = LINE * page.most_lines(labels.values()) + 0.06
        room = page.PAGE - AROUND - BETWEEN * len(every)
        shown = study.first_queries(every, max(1, int(room / row_height)))
        width = min(page.DOUBLE_COLUMN, LABELS + COLUMN * max(2, len(models)))
        panels = {name: rows[rows["query"].isin(queries)] for name, queries in shown.items()}
        sizes = [panel["subquery"].nunique() for panel in panels.values()]
        height = sum(sizes) * row_height + AROUND + BETWEEN * len(sizes)
        figure = Figure(figsize=(width, height), layout="constrained")
        grid = figure.subplots(len(sizes), 1, sharex=True, squeeze=False, height_ratios=sizes)[:, 0]
        limit = _limit(rows)
        for axes, (criterion, panel) in zip(grid, panels.items(), strict=True):
            mesh = _draw_panel(axes, panel, models, limit)
            keys = in_order(panel["subquery"])
            axes.tick_params(axis="x", labelbottom=False)
            axes.set_yticks(np.arange(len(keys)) + 0.5, [labels[key] for key in keys])
            if len(shown) > 1:
                page.name_row([axes], criterion)
        column = (width - LABELS) / len(models)
        _name_models(grid[0], [self.label(model) for model in models], column)
        look = {"location": "bottom", "aspect": 34, "pad": 0.02, "shrink": 0.9}
        bar = figure.colorbar(mesh, ax=list(grid), **look)
        axis = page.wrapped(self.frames.axis(rows["metric"].iloc[0]), 66)
        bar.set_label(axis, fontsize=page.SMALL_TEXT)
        bar.outline.set_linewidth(0.4)
        notes = [*self._notes(rows), study.left_out(every, shown)]
        columns = 1 if width < page.DOUBLE_COLUMN - 1 else 3
        page.add_legend(figure, _handles(rows), columns)
        page.set_notes(figure, notes)
        return figure

    def data(self) -> pd.DataFrame:
        """The scores of one metric: the first whose measure is an effect size, else the first.

        Returns
        -------
        Columns criterion, query, query_label, subquery (its name, with the query's where two have
        the same), metric, measure, model, value, n_words, n_oov, p_value, p_holm, null_band_low,
        null_band_high, family, status, reason, survives (p_holm is below 0.05) and beyond (the
        value is outside the null band of random words).
        """
        scores = self.frames.scores.reindex(columns=[*_NAMES, *_FACTS, *_TEXTS])
        if scores.empty:
            return scores
        effects = scores.loc[scores["measure"] == EFFECT, "metric"]
        rows = scores[scores["metric"] == in_order([*effects, *scores["metric"]])[0]]
        rows = rows.assign(**{name: rows[name].astype(float) for name in _FACTS})
        several = rows.groupby("query")["subquery"].transform("nunique") > 1
        labels = rows["query"].map({q: self.query_label(q) for q in in_order(rows["query"])})
        names = rows["subquery"].where(several, labels)
        n_queries = rows.groupby(names)["query"].transform("nunique")
        names = names.where((n_queries < 2) | ~several, names + " [" + rows["query"] + "]")
        value = rows["value"]
        beyond = (value < rows["null_band_low"]) | (value > rows["null_band_high"])
        return rows.assign(subquery=names, survives=rows["p_holm"] < ALPHA, beyond=beyond)

    def alt_text(self, rows: pd.DataFrame) -> Iterator[str]:
        """The map in sentences."""
        yield (
            f"Map of {rows['label_metric'].iloc[0]}, queries in rows and models in columns, with "
            "marks for what survives correction and what lies beyond the band of random words."
        )
        yield from claims(rows)
        for model, own in rows.groupby("label_model", sort=False):
            defined = own.dropna(subset="value")
            if defined.empty:
                yield f"{model}: no value."
                continue
            most = defined.loc[defined["value"].abs().idxmax()]
            mean = np.abs(defined["value"]).mean()
            yield f"{model}: mean size {mean:.2f}, most {most['value']:.2f} ({most['subquery']})."

    def _notes(self, rows: pd.DataFrame) -> list[str]:
        """What a reader must know; a model without bands, for one, has no frames."""
        defined = rows.dropna(subset="value")
        without = {"no band of random words": "null_band_low", "no test": "p_holm"}
        notes = list(claims(rows))
        for what, column in without.items():
            lacking = defined[defined[column].isna()]
            models = [self.label(model) for model in in_order(lacking["model"])]
            if models:
                whose = f", of {listed(models)}" if len(lacking) < len(defined) else ""
                notes.append(f"{what.capitalize()} in {len(lacking)} cells{whose}.")
        return notes


def _limit(rows: pd.DataFrame) -> float:
    """End of the scale, on both sides."""
    if (rows["measure"] == EFFECT).all():
        return LARGEST_EFFECT
    largest = rows["value"].abs().max()
    return float(largest) if largest > 0 else 1.0


def _draw_panel(axes: Axes, panel: pd.DataFrame, models: list[str], limit: float) -> QuadMesh:
    keys = in_order(panel["subquery"])
    matrix = panel.pivot(index="subquery", columns="model", values="value")
    matrix = matrix.reindex(index=keys, columns=models).to_numpy(dtype=float)
    marks = panel.set_index(["subquery", "model"])[["survives", "beyond"]]

    def write(row: int, column: int, value: float, face: object) -> None:
        if np.isnan(value):
            return
        survives, beyond = marks.loc[(keys[row], models[column])]
        colour = page.text_colour_on(face)
        text = f"{value:.2f}".replace("-", "\N{MINUS SIGN}") + ("*" if survives else "")
        page.small_text(axes, column + 0.5, row + 0.5, text, colour)
        if beyond:
            frame = Rectangle((column + 0.06, row + 0.1), 0.88, 0.8, edgecolor=colour, **BEYOND)
            axes.add_patch(frame)

    return page.heat_map(axes, matrix, limit, 0.8, write)


def _name_models(axes: Axes, labels: list[str], column: float) -> None:
    """Above the first panel, aslant where a column of so many inches is too narrow."""
    upright = [page.wrapped_name(label, int(column / LETTER)) for label in labels]
    slant = any(len(line) * LETTER > column for label in upright for line in label.split("\n"))
    slant = slant or any(label.count("\n") > MOST_LINES - 1 for label in upright)
    names = [page.wrapped_name(label, ASLANT) for label in labels] if slant else upright
    lines = page.most_lines(names)
    # Steep enough for all lines of a name to fit between its neighbours.
    angle = max(30.0, math.degrees(math.asin(min(1.0, 1.1 * lines * LINE / column))))
    look = {"rotation": angle, "ha": "left", "rotation_mode": "anchor"} if slant else {}
    axes.set_xticks(np.arange(len(labels)) + 0.5, names, **look)
    axes.tick_params(axis="x", labeltop=True)


def _handles(rows: pd.DataFrame) -> Iterator[page.Handle]:
    if rows["survives"].any():
        look = {"marker": (5, 2, 0), "markersize": 4, "color": "black", "linestyle": "none"}
        yield page.line_handle(f"p < {ALPHA:g} after Holm's correction", **look)
    if rows["beyond"].any():
        yield Patch(label="beyond 95% of random target sets", **BEYOND)
    if rows["value"].isna().any():
        yield Patch(label="no value", **page.no_value_look())
