"""What the marks of a forest plot look like, and what its legend says of them."""

from collections.abc import Iterator

import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from fairflow.products.figures.drawing import PALETTE, UNDEFINED_GREY
from fairflow.products.figures.forest_lanes import (
    MOST_SUBQUERIES,
    missing_note,
    parts_of_names,
    without_value,
)
from fairflow.products.figures.study_frames import StudyFrames

# One less than there are colours, so that further models differ from the first ones.
MARKERS = "os^vPXh"
BAND = {"color": "#D4D4D4", "linewidth": 0}
PUBLISHED = {"marker": "D", "markersize": 4.2, "markerfacecolor": "none", "color": "black"}
PUBLISHED |= {"linestyle": "none", "markeredgewidth": 0.6}
UNDEFINED = {"marker": "x", "color": UNDEFINED_GREY, "markersize": 2.4, "linestyle": "none"}
UNDEFINED |= {"markeredgewidth": 0.6}
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
    if (shown["short"] != "").any():
        yield Line2D([], [], label="no value", **UNDEFINED)


def notes(frames: StudyFrames, shown: pd.DataFrame) -> Iterator[str]:
    """What a reader must know, with the metrics of which it holds; some are empty."""
    metrics_of: dict[str, list[str]] = {}
    for metric, rows in shown.groupby("metric", sort=False):
        for note in _notes_of_metric(frames, rows):
            metrics_of.setdefault(note, []).append(frames.label(metric))
    yield from (f"{', '.join(labels)}: {note}" for note, labels in metrics_of.items() if note)
    yield without_value(shown, frames.label)


def _notes_of_metric(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    if rows["averaged"].any():
        yield (
            "the mean of the defined sub-queries, without interval, for a query of more than "
            f"{MOST_SUBQUERIES}."
        )
    several = rows[(rows["n_subqueries"] > 1) & ~rows["averaged"]].dropna(subset="subquery")
    if len(several):
        first = several[several["query"] == several["query"].iloc[0]]
        names = parts_of_names(list(dict.fromkeys(first["subquery"])))
        yield (
            "a mark for each sub-query, from top to bottom in their order (in the first row: "
            f"{', '.join(names)})."
        )
    yield missing_note(rows, frames.label)
