"""Figures of how far scores can be trusted: what they count, order, mark and leave out."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from drawn import everything
from matplotlib.colors import to_hex
from tests.unit.validity.figures.planted import planted

from fairflow.products.figures import draw
from fairflow.products.figures._study_frames import StudyFrames

LABELS = {"m": "Model M", "n": "Model N", "weat_es": "WEAT effect size"}
QUERIES = [("Gender", "q1"), ("Religion", "q2")]


def study(models: str = "m", **changed: pd.DataFrame) -> StudyFrames:
    tables = planted([*models], QUERIES)
    return StudyFrames(labels=LABELS, **(tables | changed))


def changed(name: str, **columns: object) -> StudyFrames:
    frames = study()
    return replace(frames, **{name: getattr(frames, name).assign(**columns)})


def test_a_yardstick_counts_intervals_above_zero_and_names_the_words_of_a_norm():
    frames = study()
    table = frames.yardsticks.assign(pearson=0.5, pearson_low=0.1, pearson_high=0.8)
    table.loc[table.index[:2], "pearson_low"] = -0.1
    shown = everything(draw("yardsticks", replace(frames, yardsticks=table)))
    assert f"{len(table) - 2} of {len(table)} correlations" in shown
    assert "Glasgow norms of gender (4,670 words)" in shown


def test_the_own_word_sets_are_a_stroke_and_loose_sets_are_hollow():
    row = {"model": "m", "criterion": "C", "query": "q1", "role": "targets", "metric": "weat_es"}
    table = pd.DataFrame({"value": [0.5, 0.7, -0.2], "holds_together": [True, True, False]})
    table = table.assign(**row, measure="effect_size", seeds=["a", "b", "c"], own_value=0.5)
    table = table.assign(is_own=[True, False, False], same_sign=[True, True, False], reason="")
    alone = table.head(1).assign(role="attributes")
    table = pd.concat([table, alone, alone.assign(is_own=False, value=np.nan)])
    figure = draw("seed_swap", StudyFrames(seed_swap=table, labels=LABELS))
    lines = {
        line.get_marker(): line for line in figure.axes[0].get_lines() if len(line.get_xdata()) == 1
    }
    assert [*lines["|"].get_xdata()] == [0.5]
    faces = {
        float(line.get_xdata()[0]): to_hex(line.get_markerfacecolor())
        for line in figure.axes[0].get_lines()
        if line.get_marker() == "o"
    }
    assert faces[-0.2] == "#ffffff"
    assert faces[0.7] != "#ffffff"
    assert set(faces) == {0.7, -0.2}
    assert len(figure.axes[0].get_yticks()) == 1, "of the row without another list nothing is drawn"
    assert "1 of 2 scores with other published words keep the sign" in everything(figure)


def test_a_target_lies_at_its_mean_similarities_and_both_axes_have_one_scale():
    means = {"mean_xa": 0.3, "mean_xb": 0.1, "mean_ya": 0.2, "mean_yb": 0.15}
    figure = draw("eat_map", changed("eat_patterns", **means))
    for axes in figure.axes:
        points = {
            (line.get_xdata()[0], line.get_ydata()[0]): to_hex(line.get_markerfacecolor())
            for line in axes.get_lines()
            if line.get_marker() == "o"
        }
        assert {*points} == {(0.3, 0.1), (0.2, 0.15)}
        assert points[0.2, 0.15] == "#ffffff"
        assert axes.get_xlim() == axes.get_ylim()
    assert "near Pleasant terms \N{RIGHTWARDS ARROW}" in everything(figure)


@pytest.mark.parametrize(("d_y", "p_y", "n"), [(-1.0, 0.01, 2), (-1.0, 0.2, 0), (1.0, 0.01, 0)])
def test_only_targets_significantly_nearer_to_different_attributes_are_counted(d_y, p_y, n):
    frames = changed("eat_patterns", d_x=1.0, p_x=0.01, d_y=d_y, p_y=p_y)
    assert f"In {n} of 2 effects" in everything(draw("eat_map", frames))


def test_of_many_queries_the_strongest_are_drawn_and_the_rest_is_counted():
    queries = [("C", f"q{n}") for n in range(15)]
    tables = planted(["m"], queries)
    patterns = tables["eat_patterns"].assign(d_x=np.arange(15.0), d_y=0.0)
    patterns["first_target"] = patterns["query"]
    figure = draw("eat_map", StudyFrames(labels=LABELS, eat_patterns=patterns))
    assert len(figure.axes) == 12
    shown = everything(figure)
    assert "q14 and" in shown.replace("\N{NO-BREAK SPACE}", " ")
    assert "q2 and" not in shown.replace("\N{NO-BREAK SPACE}", " ")
    assert "The 12 strongest of 15 queries" in shown
