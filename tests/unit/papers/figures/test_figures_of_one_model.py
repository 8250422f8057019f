"""Figures of what single words tell: names with room, lines that fit, places that agree."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from drawn import everything
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Annotation, Text

from fairflow.papers.figures.property_regression import fitted
from fairflow.products.figures import draw, source_data
from fairflow.products.figures._study_frames import StudyFrames, scored_words
from fairflow.scores.ranked import PRIMARY

MODELS = ("before", "after")
PAIRS = [f"x{n}|y{n}" for n in range(50)]


def entries(name: str, words: list[str], **values: np.ndarray | list) -> list[dict]:
    return [
        {"set": name, "word": word, "measure": measure, "value": float(value)}
        for measure, column in values.items()
        for word, value in zip(words, column, strict=True)
    ]


def scores() -> pd.DataFrame:
    random = np.random.default_rng(0)
    names = [f"occupation {n}" for n in range(60)]
    share = random.random(60)
    rows = []
    for turn, model in enumerate(MODELS):
        leaning = random.normal(size=60)
        order = np.argsort(np.argsort(-leaning)) + 1
        places = np.roll(np.arange(1, 51), turn)
        parts = {
            "wefat": entries("W", names, association=share + leaning / 5, property=share),
            "analogies": entries("analogies", PAIRS, place=places, score=1 / places),
            "projection": entries(
                "W", names, projection=leaning, place=order, place_from_end=61 - order
            ),
            "hidden": [
                *entries("W", names, leaning=leaning, neighbours=50 + 20 * leaning),
                *entries("clusters", names, side=np.sign(leaning), x=leaning, y=share),
                *entries("runs", ["", ""], cluster_accuracy=[0.9, 0.7]),
            ],
        }
        rows += [
            {"model": model, "metric": metric, "query": "q", "subquery": "q", "words": words}
            for metric, words in parts.items()
        ]
    frame = pd.DataFrame(rows).assign(query_label="W wrt A and B", n_oov=2, criterion="C")
    return frame.assign(value=0.5, measure="r2", ci_low=0.1, ci_high=0.9, oov_words=[["a"]] * 8)


def published() -> pd.DataFrame:
    """The first forty analogies, and a word at either end."""
    analogies = {"metric": "analogies", "measure": "place", "item": PAIRS[:40]}
    rows = pd.DataFrame(analogies | {"published": np.arange(1.0, 41.0)})
    ends = pd.DataFrame({"item": ["occupation 1"], "measure": ["place_from_end"]})
    ends = ends.assign(metric="projection", published=3.0)
    return pd.concat([rows, ends]).assign(model="before", scope="q", table="t", **{PRIMARY: False})


@pytest.fixture
def frames() -> StudyFrames:
    parts = {"q": {"sides": ["she", "he"], "property": "share of women", "attributes": ["A", "B"]}}
    base = StudyFrames(scores=scores(), published=published())
    return replace(base, query_parts=parts, readings={"wefat": {"scale": "2p"}})


@pytest.mark.parametrize("figure", ["property_regression", "hidden_bias"])
def test_no_name_lies_on_another_or_outside_its_panel(figure, frames):
    drawn = draw(figure, frames)
    canvas = FigureCanvasAgg(drawn)
    canvas.draw()
    for axes in drawn.axes:
        names = [text for text in axes.texts if isinstance(text, Annotation)]
        boxes = [Text.get_window_extent(name, canvas.get_renderer()) for name in names]
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
        panel = axes.get_window_extent().padded(2)
        assert all(panel.x0 <= box.x0 and box.x1 <= panel.x1 for box in boxes)
    assert sum(len(axes.texts) for axes in drawn.axes) > 20


def test_the_line_is_that_of_least_squares_within_its_band(frames):
    words = scored_words(frames.scores, ("association", "property"))
    words = words[words["model"] == "before"]
    line = fitted(words)
    assert (line.slope, line.intercept) == pytest.approx(
        np.polyfit(words["property"], words["association"], 1)
    )
    assert ((line.low < line.y) & (line.y < line.high)).all()
    text = everything(draw("property_regression", frames))
    n_oov = f"r\N{SUPERSCRIPT TWO} = {line.r2:.3f} (0.100 to 0.900), n = 60, 2 lost"
    assert n_oov in text
    assert "share of women, p, as 2p" in text
    assert "nearer to A" in text


def test_analogies_in_their_printed_places_are_counted(frames):
    text = everything(draw("analogies", frames))
    assert "Of 40 pairs in the same place as in print: before 40 (40 found" in text
    assert "after 0 (40 found at any place)" in text
    assert "x39 \N{EN DASH} y39" in text
    assert "x40" not in text
    rows = source_data("analogies", frames)
    assert len(rows) == 2 * 50
    assert rows.groupby("model")["published"].count().to_dict() == {"after": 40, "before": 40}


def test_words_of_both_ends_are_named_with_their_printed_place(frames):
    drawn = draw("projections", frames)
    labels = [label.get_text() for label in drawn.axes[0].get_yticklabels()]
    assert len(labels) == 2 * 20 + 2
    assert "\N{HORIZONTAL ELLIPSIS} 20 between" in labels
    assert {"all 60"} < {*labels}
    words = scored_words(frames.scores, ("projection", "place"))
    words = words[words["model"] == "before"].sort_values("place")
    named = [*words["word"].head(20), *words["word"].tail(20)]
    plain = [label.removeprefix("(3) ") for label in labels[:40]]
    assert plain == named
    assert "cosine with she \N{MINUS SIGN} he" in everything(drawn)


def test_clusters_tell_their_runs_and_neighbours_their_correlation(frames):
    text = everything(draw("hidden_bias", frames))
    assert "accuracy of two clusters 0.800 2 runs, 0.700 to 0.900" in text
    assert "r 1.000, these 60" in text
    assert "leans to she before debiasing" in text
