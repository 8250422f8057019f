"""Words in four quadrants, a panel for each list of names."""

import numpy as np
import pandas as pd
import pytest
from crossed_worlds import SETS, drawn, table_of

from fairflow.metrics.intersections import AXES
from fairflow.products.figures import caption, draw, source_data
from fairflow.products.figures._study_frames import StudyFrames

PARTS = {name: {"targets": ["Traits"], "attributes": [*SETS]} for name in ("first", "second")}


@pytest.fixture(scope="module")
def frames():
    scores = drawn(np.random.default_rng(1), "50", 60, 7, 1 / 3, turned=True)
    first = scores[scores["is_primary"]]
    labels = {"a": "Model A"}
    return StudyFrames(
        scores=first, intersections=table_of(scores, 400), labels=labels, query_parts=PARTS
    )


def test_each_panel_has_its_list_and_in_each_corner_a_group_with_its_share(frames):
    figure = draw("quadrants", frames)
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "one list, Model A",
        "another list, Model A",
    ]
    rows = frames.intersections
    for axes, (_, groups) in zip(figure.axes, rows.groupby("query"), strict=True):
        corners = [text for text in axes.texts if "random words" in text.get_text()]
        for corner, group in zip(corners, groups.itertuples(), strict=True):
            assert corner.get_text().startswith(f"{group.group} {group.value:.0%}\n")
            beyond = group.verdict in ("more", "fewer")
            assert (corner.get_fontweight() == "bold") == beyond
    far = rows["verdict"].isin(["more", "fewer"]).sum()
    assert f"{far} of 8 groups have more or fewer words" in figure.get_suptitle()


def test_a_word_lies_at_its_associations_on_the_side_of_its_group(frames):
    axes = draw("quadrants", frames).axes[0]
    rows = source_data("quadrants", frames)
    rows = rows[rows["query"] == "first"]
    points = np.vstack([line.get_xydata() for line in axes.lines if line.get_marker() == "o"])
    assert {*map(tuple, points)} == {*rows[[*AXES]].itertuples(index=False, name=None)}
    white = rows["group"].str.startswith("White")
    assert (white == (rows[AXES[0]] > 0)).all()
    assert axes.get_xlabel() == "\N{LEFTWARDS ARROW} Black    White \N{RIGHTWARDS ARROW}"
    assert axes.get_ylabel() == "\N{LEFTWARDS ARROW} Women    Men \N{RIGHTWARDS ARROW}"


def test_the_outermost_words_are_named_and_no_text_covers_another(frames):
    figure = draw("quadrants", frames)
    figure.draw_without_rendering()
    for axes in figure.axes:
        names = [text for text in axes.texts if "Traits" in text.get_text()]
        assert 4 <= len(names) <= 16
        boxes = [text.get_window_extent() for text in axes.texts]
        overlaps = [(a, b) for n, a in enumerate(boxes) for b in boxes[:n] if a.overlaps(b)]
        assert overlaps == []


def test_of_many_lists_there_is_room_for_six(frames):
    models = [
        [one.assign(model=name) for one in (frames.scores, frames.intersections)] for name in "abcd"
    ]
    scores, groups = (pd.concat(parts) for parts in zip(*models, strict=True))
    many = StudyFrames(scores=scores, intersections=groups, labels={}, query_parts=PARTS)
    figure = draw("quadrants", many)
    assert len(figure.axes) == 6
    assert "There is room for 6 of 8 panels" in caption("quadrants", many, figure)


def test_without_crossed_queries_a_sentence_says_so(frames):
    figure = draw("quadrants", StudyFrames(scores=frames.scores))
    assert "crosses two contrasts" in figure.texts[0].get_text()
