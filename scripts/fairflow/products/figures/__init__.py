"""The figures of a study: the file `NAME.py` holds the figure NAME, one class, registered by it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from fairflow.capabilities import entries
from fairflow.files.registry import Registry

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from fairflow.products.figures._study_frames import StudyFrames
    from fairflow.products.figures.base_figure import BaseFigure

# The element of an SVG that has the caption, see `_save_figure.SVG_METADATA`.
DESCRIPTION = "{http://purl.org/dc/elements/1.1/}description"
FIGURES: Registry[BaseFigure] = Registry(
    __name__, "fairflow.products.figures.base_figure.BaseFigure", "figure", "figures"
)
figure_module = FIGURES.module
# Figures that show nothing of fewer models; one picture of the ranks of two models is enough.
LEAST_MODELS = {
    **entries("figures", "LEAST_MODELS"),
    "rank_probabilities": 2,
    "ranking_bars": 3,
    "ranking_facets": 3,
    "correlation_heatmaps": 5,
}


def draw(name: str, frames: StudyFrames) -> Figure:
    """Draw a figure of `FIGURES`, with its title."""
    from fairflow.products.figures._drawing import add_title, paper_style, sentence_figure

    drawn, rows = _loaded(name, frames)
    with paper_style():
        figure = drawn.plot() if len(rows) else sentence_figure(drawn.nothing)
        if len(rows):
            add_title(figure, drawn.title(rows))
    # For the caption, so that they are worked out once.
    vars(figure)["drawn"] = drawn, rows
    return figure


def drawable(frames: StudyFrames, names: Iterable[str] = FIGURES.names) -> list[str]:
    """The figures that a table of scores alone, without what a study adds to it, has rows for."""
    figures = {name: FIGURES.load(name)(frames) for name in names}
    return [name for name, one in figures.items() if not one.of_study and len(one.data())]


def caption(name: str, frames: StudyFrames, figure: Figure) -> str:
    """What a figure shows and how to read it, on one line, to be printed next to it."""
    from fairflow.products.figures._drawing import notes_of

    drawn, rows = getattr(figure, "drawn", None) or _loaded(name, frames)
    nothing = f"{name.replace('_', ' ').capitalize()}: this study has nothing to show here."
    about = drawn.about(rows) if len(rows) else nothing
    return " ".join([about, *notes_of(figure)])


def source_data(name: str, frames: StudyFrames) -> pd.DataFrame:
    """What a figure is drawn from, as a table that a reader can plot again.

    It has all rows, also those for which a figure has no room. The `label_...`
    columns repeat names as the figure prints them.
    """
    return _loaded(name, frames)[1]


def _loaded(name: str, frames: StudyFrames) -> tuple[BaseFigure, pd.DataFrame]:
    """A figure and its source data."""
    drawn = FIGURES.load(name)(frames)
    rows = drawn.data().reset_index(drop=True)
    for column in ("metric", "model"):
        if column in rows:
            labels = [frames.label(id_) if isinstance(id_, str) else "" for id_ in rows[column]]
            rows[f"label_{column}"] = labels
    return drawn, rows


def caption_in(path: str | Path) -> str:
    """The caption in the metadata of the SVG file of a figure; "" without one."""
    with open(path, "rb") as file:
        elements = (element for _, element in ElementTree.iterparse(file))
        return next((one.text or "" for one in elements if one.tag == DESCRIPTION), "")


def sentences(name: str) -> tuple[str, str]:
    """What the module of a figure and its class say first; importing it would load matplotlib."""
    package, _, module = FIGURES.module(name).rpartition(".")
    tree = ast.parse(files(package).joinpath(f"{module}.py").read_text(encoding="utf-8"))
    figure = [node for node in tree.body if isinstance(node, ast.ClassDef)][-1]
    of_module, of_class = (ast.get_docstring(node) or "" for node in (tree, figure))
    return of_module.splitlines()[0], " ".join(of_class.split("\n\n")[0].split())
