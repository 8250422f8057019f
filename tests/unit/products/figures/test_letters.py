"""Letters that the shipped fonts lack are drawn by fonts of the machine, or the caption says so."""

import matplotlib
import pytest
from matplotlib.figure import Figure

from fairflow.products.figures import _save_figure
from fairflow.products.figures._drawing import paper_style
from fairflow.products.figures._save_figure import give_letters, save_figure

ARABIC, UNASSIGNED = "حرية", "\U0003fff0"


def labelled(*words: str) -> Figure:
    """A figure with words at its ticks, in Liberation Sans alone."""
    with paper_style(), matplotlib.rc_context({"font.family": "Liberation Sans"}):
        figure = Figure(layout="constrained")
        figure.subplots().set_yticks(range(len(words)), words)
    return figure


def test_words_that_no_font_can_draw_are_named(monkeypatch):
    assert give_letters(labelled(f"a {UNASSIGNED}b", ARABIC)) == [f"{UNASSIGNED}b"]
    monkeypatch.setattr(_save_figure, "_other_fonts", list)
    assert give_letters(labelled("freedom", ARABIC)) == [ARABIC]


@pytest.mark.filterwarnings("error")
def test_the_caption_says_which_words_are_boxes(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(_save_figure, "_other_fonts", list)
    words = [f"{ARABIC}{letter}" for letter in "abcdef"]
    save_figure(labelled(*words), [tmp_path / "a.svg"], "Associations.")
    told = f"has the letters of {', '.join(words[:5])} and 1 more: they are drawn as boxes."
    assert told in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert told in caplog.text
