"""Bias by category next to ability: is a model fair, or does it know too little to be biased?"""

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.language_models.item_tables import ABILITY, BIAS
from fairflow.products.figures import _drawing as page
from fairflow.products.figures._forest import THICK, draw_mark, model_handles, model_look
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import counted, listed

ALPHA = 0.05
LANE, AROUND, LEGEND = 0.15, 0.85, 0.7
AXIS_WIDTH, NAME_WIDTH = 46, 26
# Room between a panel and its title, in points.
ABOVE_FAIR = 9
NUMBERS = ["value", "ci_low", "ci_high"]
UNTESTED = "#BDBDBD"


class BiasAndAbility(BaseFigure):
    """Draw the bias of each category with its interval, next to the ability on the same items.

    Needs `category_scores`. One row of panels per metric and query; 0 is fair. Metrics with the
    same numbers are drawn once, metrics without a fair value are omitted.
    """

    nothing = "No query of this study has items of several categories."

    def plot(self) -> Figure:
        shown = self.data()
        models = in_order(shown["model"])
        panels = [group for _, group in shown.groupby(["metric", "query"], sort=False)]
        heights = [AROUND + LANE * len(models) * group["category"].nunique() for group in panels]
        figure = Figure(figsize=(page.DOUBLE_COLUMN, sum(heights) + LEGEND), layout="constrained")
        ratios = {"height_ratios": heights, "width_ratios": [3, 2]}
        grid = figure.subplots(len(panels), 2, squeeze=False, sharey="row", **ratios)
        for (bias, ability), group in zip(grid, panels, strict=True):
            self._draw_row(bias, ability, group, models)
        return page.finished(figure, _notes(shown), self._handles(shown, models))

    def data(self) -> pd.DataFrame:
        """The rows that are drawn: of metrics with a fair value, each set of numbers once."""
        table = self.frames.category_scores
        if table.empty:
            return table
        table = table[table["category"].notna()]
        kept, seen = [], set()
        for (metric, query), group in table.groupby(["metric", "query"], sort=False):
            rows = group[["model", "category", "measure", *NUMBERS]].astype(str)
            numbers = (query, *rows.itertuples(index=False, name=None))
            if self.frames.reading(metric)["fair"] == 0 and numbers not in seen:
                seen.add(numbers)
                kept.append(group)
        return pd.concat(kept) if kept else table.iloc[:0]

    def title(self, rows: pd.DataFrame) -> str:
        tested = rows[rows["role"] == BIAS].dropna(subset=["value", "p_bh"])
        n, of = int((tested["p_bh"] >= ALPHA).sum()), counted(len(tested), "score")
        return f"Chance can explain {n} of {of} of types of bias" * (len(tested) > 0)

    def about(self, rows: pd.DataFrame) -> str:
        return (
            f"Scores of {listed(in_order(rows['label_model']))} by type of bias, with intervals "
            "and a line at 0, which is fair; next to them the ability on the same items where it "
            "is measured."
        )

    def _draw_row(self, bias: Axes, ability: Axes, group: pd.DataFrame, models: list[str]) -> None:
        metric, query = group["metric"].iloc[0], group["query"].iloc[0]
        categories = in_order(group["category"])
        places = {
            (category, model): number * len(models) + lane
            for number, category in enumerate(categories)
            for lane, model in enumerate(models)
        }
        able = group[(group["role"] == ABILITY) & group["value"].notna()]
        drawn = [(bias, group[group["role"] == BIAS])] + ([(ability, able)] if len(able) else [])
        for axes, rows in drawn:
            for number in range(0, len(categories), 2):
                start = number * len(models) - 0.5
                axes.axhspan(start, start + len(models), color=page.STRIPE, linewidth=0, zorder=0)
            for row in rows.itertuples():
                look = _look(row, self.frames.places(models)[row.model])
                draw_mark(axes, row, places[row.category, row.model], look)
        bias.axvline(0, color=page.UNDEFINED_GREY, linewidth=0.7, zorder=1)
        small = {"fontsize": page.SMALL_TEXT, "color": page.UNDEFINED_GREY}
        above = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points"}
        bias.annotate("fair", (0, 1), (0, 1), ha="center", **above, **small)
        middle = (len(models) - 1) / 2
        ticks = [number * len(models) + middle for number in range(len(categories))]
        items = group[group["role"] == BIAS].groupby("category", sort=False)["n_items"].first()
        labels = [f"{page.wrapped_name(c, NAME_WIDTH)} ({items[c]:.0f})" for c in categories]
        bias.set_yticks(ticks, labels, fontsize=page.SMALL_TEXT)
        bias.set_ylim(len(categories) * len(models) - 0.5, -0.5)
        title = f"{self.label(metric)}, {self.query_label(query)}"
        bias.set_title(page.wrapped_name(title, AXIS_WIDTH), pad=ABOVE_FAIR)
        said = self.frames.reading(metric)["text"]
        bias.set_xlabel(page.wrapped_name(said, AXIS_WIDTH), fontsize=page.SMALL_TEXT)
        if able.empty:
            ability.set_axis_off()
            none = "This metric measures\nno ability."
            ability.text(0, 0.5, none, transform=ability.transAxes, va="center", **small)
            return
        measure = able["measure"].iloc[0].replace("_", " ")
        ability.set_title(f"Ability: {measure}", pad=ABOVE_FAIR)
        said = self.frames.reading(metric)["ability"]
        ability.set_xlabel(page.wrapped_name(said, AXIS_WIDTH * 2 // 3), fontsize=page.SMALL_TEXT)
        ability.tick_params(axis="y", length=0)

    def _handles(self, shown: pd.DataFrame, models: list[str]) -> list[page.Handle]:
        handles = model_handles(self.frames, models)
        if shown["ci_level"].notna().any():
            handles.append(page.interval_handle(shown["ci_level"], "over units of items", THICK))
        return handles


def _look(row: Any, place: int) -> dict[str, object]:
    is_bias = row.role == BIAS
    look = model_look(place, hollow=is_bias and row.p_bh >= ALPHA)
    return look | ({"markerfacecolor": UNTESTED} if is_bias and math.isnan(row.p_bh) else {})


def _notes(shown: pd.DataFrame) -> list[str]:
    bias = shown[shown["role"] == BIAS].dropna(subset="value")
    notes = ["In parentheses: how many items the type of bias has."]
    if (bias["p_bh"] >= ALPHA).any():
        notes.append(
            f"White: chance can explain the score (p of {ALPHA} or more, adjusted for the types of "
            "bias of a model and query)."
        )
    if bias["p_bh"].isna().any():
        notes.append("Grey: no test tells whether chance can explain the score.")
    if (shown["statistics"] == "few_words").any():
        notes.append("Intervals over fewer than ten units are rough; the table says which.")
    if shown.loc[shown["role"] == BIAS, "value"].isna().any():
        notes.append("Crosses: undefined, with the reason in the table.")
    return notes
