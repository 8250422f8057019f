"""What the marks of a forest plot look like, and what its legend says of them."""

from collections.abc import Iterator

import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from fairflow.products.figures.drawing import PALETTE, UNDEFINED_GREY
from fairflow.products.figures.forest_lanes import MOST_SUBQUERIES, missing_note
from fairflow.products.figures.study_frames import StudyFrames

# One less than there are colours, so that further models differ from the first ones.
MARKERS = "os^vPXh"
BAND = {"color": "#D4D4D4", "linewidth": 0}
PUBLISHED = {"marker": "D", "markersize": 4.2, "markerfacecolor": "none", "color": "black"}
PUBLISHED |= {"linestyle": "none", "markeredgewidth": 0.6}
UNDEFINED = {"marker": "x", "color": UNDEFINED_GREY, "markersize": 2.4, "linestyle": "none"}
THICK, THIN = 1.7, 0.6


def model_look(index: int, hollow: bool = False) -> dict[str, object]:
    """Marker of the index-th model, as keywords of a line."""
    colour = PALETTE[index % len(PALETTE)]
    return {
        "marker": MARKERS[index % len(MARKERS)],
        "color": colour,
        "markerfacecolor": "white" if hollow else colour,
        "markersize": 2.6,
        "markeredgewidth": 0.5,
        "linestyle": "none",
    }


def handles(
    frames: StudyFrames, shown: pd.DataFrame, models: list[str], published: bool
) -> Iterator[Line2D | Patch]:
    """Entries for what is drawn of the lanes `shown`, and whether a published value is."""
    for index, model in enumerate(models):
        yield Line2D([], [], label=frames.label(model), **model_look(index))
    percent = f"{100 * shown['ci_level'].max():g}%"
    if shown["ci_low"].notna().any():
        text = f"{percent} interval over target words"
        yield Line2D([], [], label=text, color="black", linewidth=THICK)
    if shown["ci_low_both"].notna().any():
        text = f"{percent} interval over target and attribute words"
        yield Line2D([], [], label=text, color="black", linewidth=THIN)
    if shown["random_low"].notna().any():
        yield Patch(label=f"{percent} of random target sets", **BAND)
    if ((shown["statistics"] == "few_words") & shown["value"].notna()).any():
        look = model_look(0, hollow=True) | {"color": "black"}
        yield Line2D([], [], label="white: few words in a set, rough interval", **look)
    if published:
        yield Line2D([], [], label="published", **PUBLISHED)
    if _undefined_parts(shown).any():
        yield Line2D([], [], label="undefined sub-query", **UNDEFINED)


def notes(frames: StudyFrames, shown: pd.DataFrame) -> Iterator[str]:
    """What a reader must know of each metric; some are empty."""
    for metric, rows in shown.groupby("metric", sort=False):
        label = frames.label(metric)
        if rows["averaged"].any():
            yield (
                f"{label}: the mean of the defined sub-queries, without interval, for a query of "
                f"more than {MOST_SUBQUERIES}."
            )
        if ((rows["n_subqueries"] > 1) & ~rows["averaged"]).any():
            yield f"{label}: a mark for each sub-query, from top to bottom in their order."
        reasons = dict.fromkeys(rows.loc[_undefined_parts(rows), "short"])
        if reasons:
            yield f"{label}: undefined sub-queries: {', '.join(reasons)}."
        yield missing_note(rows, label)


def _undefined_parts(shown: pd.DataFrame) -> pd.Series:
    """Lanes without value of models that have one for another sub-query of the query."""
    values = shown.groupby(["metric", "query", "model"])["value"]
    return values.transform("count").gt(0) & shown["value"].isna()
