"""Shares of negative sentiment: a bar for each word, its printed share, and what has no value."""

from dataclasses import replace

import pandas as pd
import pytest
from drawn import everything

from fairflow.products.figures import draw
from fairflow.products.figures._study_frames import StudyFrames


def test_negative_sentiment_is_drawn_by_word_against_the_uniform_share():
    words = [
        {"set": "N", "word": word, "measure": "negative_probability", "value": value}
        for word, value in (("irish", 0.3), ("dutch", 0.1))
    ]
    cells = {"metric": "rnsb", "criterion": "Origin", "query": "q", "value": 0.1}
    rows = [
        cells | {"model": "a", "words": words, "reason": None},
        cells | {"model": "b", "words": [], "reason": "Origin lost 2 of 2 words"},
    ]
    share = {"table": "t", "model": "a", "scope": "q", "item": "dutch", "published": 0.4}
    printed = pd.DataFrame([share | {"measure": "negative_share"}])
    frames = StudyFrames(scores=pd.DataFrame(rows), published=printed)
    figure = draw("negative_sentiment", frames)
    (bars,) = figure.axes
    assert [bar.get_height() for bar in bars.patches] == pytest.approx([0.75, 0.25])
    assert list(bars.lines[0].get_ydata()) == [0.5, 0.5]
    assert list(bars.lines[1].get_ydata()) == [0.4]
    assert "No value: b, Origin: Origin lost 2 of 2 words." in everything(figure)
    other = printed.assign(measure="rnsb")
    without = draw("negative_sentiment", replace(frames, published=other))
    assert [len(axes.lines) for axes in without.axes] == [1]
