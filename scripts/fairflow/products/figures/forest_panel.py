"""One panel of a forest plot: marks, intervals and bands in the lanes of its rows."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from fairflow.products.figures.drawing import PALETTE
from fairflow.products.figures.forest_legend import (
    BAND,
    PUBLISHED,
    THICK,
    THIN,
    UNDEFINED,
    model_look,
)

# Of a lane, so that the bands of two models do not touch.
BAND_SHARE = 0.8
Published = Mapping[tuple[str, str], Sequence[float]]


def draw_panel(
    axes: Axes, panel: pd.DataFrame, published: Published, places: Mapping[str, int]
) -> None:
    """Draw lanes.

    Parameters
    ----------
    panel : of `fairflow.products.figures.forest_lanes.lanes`.
    published : (query, model) -> published values. places : model -> its place in the study, which
        decides what it looks like.
    """
    axes.axvline(0, color="black", linewidth=0.5, zorder=1)
    bands = panel[panel["random_low"].notna()]
    widths = bands["random_high"] - bands["random_low"]
    heights = BAND_SHARE * bands["height"]
    axes.barh(bands["y"], widths, heights, bands["random_low"], zorder=0.5, **BAND)
    for model in panel["model"].unique():
        index = places[model]
        of_model = panel[panel["model"] == model]
        colour = PALETTE[index % len(PALETTE)]
        for low, high, width in (
            ("ci_low_both", "ci_high_both", THIN),
            ("ci_low", "ci_high", THICK),
        ):
            drawn = of_model[of_model[low].notna()]
            lines = axes.hlines(drawn["y"], drawn[low], drawn[high], colour, linewidth=width)
            lines.set(zorder=2, label=low, capstyle="butt")
        for few in (False, True):
            marked = of_model[(of_model["statistics"] == "few_words") == few]
            axes.plot(marked["value"], marked["y"], zorder=3, **model_look(index, few))
        undefined = of_model[of_model["short"] != ""]
        axes.plot([0] * len(undefined), undefined["y"], zorder=3, **UNDEFINED)
        middles = of_model.groupby("query", sort=False)["y"].mean()
        points = [(x, y) for query, y in middles.items() for x in published.get((query, model), ())]
        if points:
            axes.plot(*zip(*points, strict=True), label="published", **PUBLISHED)
    n_rows = panel["row"].max() + 1
    for row in range(1, n_rows):
        axes.axhline(row - 0.5, color="#D9D9D9", linewidth=0.4, zorder=0)
    axes.set_ylim(n_rows - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4, min_n_ticks=2))
    axes.spines["left"].set_visible(False)
