"""Scores with their intervals, beside published ones and random word sets."""

from matplotlib.figure import Figure

from fairflow.products.figures.drawing import (
    in_paper_style,
    sentence_figure,
)
from fairflow.products.figures.forest_grid import Column, forest_grid
from fairflow.products.figures.names import wrapped_name, wrapped_query
from fairflow.products.figures.study_frames import StudyFrames, in_order

LABEL_WIDTH = 46


@in_paper_style
def forest_plot(frames: StudyFrames) -> Figure:
    """Draw the scores with both intervals: criteria as rows, metrics as columns.

    Needs the `scores` and `published` of `forest_grid`. Each model has a lane in the row of a
    query, each of its sub-queries a part of the lane. A model without value keeps its lane, with
    the reason.
    """
    if frames.scores.empty:
        return sentence_figure("No scores in this study.")
    models, metrics = in_order(frames.scores["model"]), in_order(frames.scores["metric"])
    columns = [
        Column(
            wrapped_name(frames.label(metric), 20),
            metric,
            models,
            frames.axis_in_lines(metric, len(metrics)),
        )
        for metric in metrics
    ]
    return forest_grid(
        frames, columns, lambda query: wrapped_query(frames.query_label(query), LABEL_WIDTH)
    )
