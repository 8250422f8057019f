"""The figure of values before and after: where what is drawn lies, and what is filled."""

import pandas as pd
import pytest
from matplotlib.collections import LineCollection

from fairflow.products.figures import draw
from fairflow.products.figures._drawing import notes_of
from fairflow.products.figures._study_frames import StudyFrames


def row(model, query, before, after, verdict, subquery=""):
    values = {"before": before, "after": after}
    ends = {f"{side}_low": value - 0.1 for side, value in values.items()}
    ends |= {f"{side}_high": value + 0.1 for side, value in values.items()}
    ends |= {f"{side}_null_band_{end}": None for side in values for end in ("low", "high")}
    names = {"model": model, "metric": "weat", "query": query, "before_model": "old"}
    names |= {"criterion": "Gender", "query_label": "A wrt B", "subquery": query + subquery}
    return names | values | ends | {"verdict": verdict, "ci_level": 0.95}


ROWS = pd.DataFrame(
    [
        row("hard", "g1", 0.5, 0.1, "smaller"),
        row("soft", "g1", 0.5, 0.4, "not distinguishable"),
        row("hard", "g2", 0.2, 0.3, "larger"),
        row("soft", "g2", 0.2, 0.2, "not tested"),
    ]
)


@pytest.fixture(scope="module")
def figure():
    frames = StudyFrames(
        before_after=ROWS, labels={"weat": "WEAT", "old": "Old", "hard": "Old, hard"}
    )
    return draw("before_after", frames)


def test_each_model_after_has_a_panel_under_its_own_name_and_one_axis(figure):
    assert [axes.get_title("left") for axes in figure.axes] == ["hard", "soft"]
    assert len({axes.get_xlim() for axes in figure.axes}) == 1


def test_a_line_leads_from_the_value_before_to_the_one_after(figure):
    drawn = [c for axes in figure.axes for c in axes.collections if isinstance(c, LineCollection)]
    lines = [line for collection in drawn for line in collection.get_segments()]
    spans = [tuple(line[:, 0]) for line in lines]
    assert {(0.5, 0.1), (0.5, 0.4), (0.2, 0.3), (0.2, 0.2)} <= set(spans)


def test_a_value_that_is_not_told_apart_is_white(figure):
    faces = {
        (line.get_markerfacecolor() == "white", x)
        for axes in figure.axes
        for line in axes.get_lines()
        if line.get_marker() in "os"
        for x in line.get_xdata()
    }
    assert faces == {(False, 0.1), (False, 0.3), (True, 0.4), (True, 0.2)}


def test_the_caption_says_what_no_figure_of_scores_can_show(figure):
    (legend,) = figure.legends
    assert "does not show that bias was removed" in " ".join(notes_of(figure))
    assert "before: Old" in [text.get_text() for text in legend.get_texts()]


def test_the_title_counts_what_is_clearly_smaller(figure):
    assert figure.get_suptitle() == "1 of 4 values is clearly smaller than before"
