"""The figures of a study, drawn from its tables; matplotlib is loaded when one is drawn."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairflow.products.figures.study_frames import StudyFrames

# Figure -> the file that draws it.
FIGURES = {
    "score_bars": "score_bars",
    "ranking_bars": "ranking_bars",
    "ranking_facets": "ranking_facets",
    "published_ranking_bars": "ranking_bars",
    "correlation_heatmaps": "correlation_heatmaps",
    "published_correlation_heatmaps": "correlation_heatmaps",
    "published_comparison": "published_comparison",
    "coverage": "coverage",
    "forest_plot": "forest_plot",
    "rank_probabilities": "rank_probabilities",
    "critical_difference": "critical_difference",
    "word_associations": "word_associations",
    "negative_sentiment": "negative_sentiment",
    "item_scores": "item_scores",
}


def figure_module(name: str) -> str:
    """The module that draws a figure."""
    return f"{__name__}.{FIGURES[name]}"


def draw(name: str, frames: StudyFrames) -> Figure:
    """Draw a figure of `FIGURES`."""
    return getattr(import_module(figure_module(name)), name)(frames)
