"""Bias by category next to ability: each mark is at its value, and looks say what was tested."""

import numpy as np
import pandas as pd
from matplotlib.colors import to_hex

from fairflow.language_models.figures.bias_and_ability import UNTESTED
from fairflow.products.figures import draw, source_data
from fairflow.products.figures._study_frames import StudyFrames
from fairflow.statistics.outcome import Reading

READINGS = {
    "ss": Reading(0, "stereotypes are more probable").facts | {"ability": "100 is all sense"},
    "crows": Reading(0, "so they are").facts,
    "cps": Reading(says="0: more probable sentences").facts,
}
LABELS = {"m": "Tiny", "ss": "StereoSet ss - 50"}


def row(category: str, value: float, p_bh: float = np.nan, **more: object) -> dict:
    return {
        "model": "m",
        "metric": "ss",
        "query": "blanks",
        "category": category,
        "role": "bias",
        "measure": "preference",
        "value": value,
        "ci_low": value - 5,
        "ci_high": value + 5,
        "ci_level": 0.95,
        "p_value": p_bh,
        "p_bh": p_bh,
        "n_items": 12,
        "n_oov": 0,
        "statistics": "ok",
        "status": "ok",
        "reason": None,
    } | more


def able(category: str, value: float) -> dict:
    return row(category, value, role="ability", measure="lms")


def frames(*rows: dict) -> StudyFrames:
    table = pd.DataFrame([*rows])
    return StudyFrames(category_scores=table, labels=LABELS, readings=READINGS)


TWO = (row("age", 20.0, 0.01), able("age", 90.0), row("class", -10.0, 0.4), able("class", 70.0))


def marks(axes: object) -> dict[tuple[float, float], str]:
    """Where a mark stands -> what it is filled with."""
    return {
        (float(line.get_xdata()[0]), float(line.get_ydata()[0])): to_hex(line.get_markerfacecolor())
        for line in axes.get_lines()
        if len(line.get_xdata()) == 1
    }


def intervals(axes: object) -> set[tuple[float, float]]:
    lines = [line for line in axes.get_lines() if line.get_marker() == "None"]
    return {tuple(map(float, line.get_xdata())) for line in lines if len(set(line.get_xdata())) > 1}


def test_bias_and_ability_of_a_category_stand_in_one_row_with_intervals():
    bias, ability = draw("bias_and_ability", frames(*TWO)).get_axes()
    assert {*marks(bias)} == {(20.0, 0.0), (-10.0, 1.0)}
    assert {*marks(ability)} == {(90.0, 0.0), (70.0, 1.0)}
    assert intervals(bias) == {(15.0, 25.0), (-15.0, -5.0)}
    assert intervals(ability) == {(85.0, 95.0), (65.0, 75.0)}
    assert [label.get_text() for label in bias.get_yticklabels()] == ["age (12)", "class (12)"]
    assert bias.get_xlabel() == READINGS["ss"]["text"]
    assert ability.get_xlabel() == "100 is all sense"


def test_what_chance_can_explain_is_white_and_what_is_untested_grey():
    bias, _ = draw("bias_and_ability", frames(*TWO, row("home", 5.0))).get_axes()
    fill = marks(bias)
    assert fill[-10.0, 1.0] == "#ffffff"
    assert fill[5.0, 2.0] == UNTESTED.lower()
    assert fill[20.0, 0.0] not in ("#ffffff", UNTESTED.lower())


def test_metrics_without_a_fair_value_and_repeated_numbers_are_left_out():
    again = [one | {"metric": "crows"} for one in TWO]
    other = [one | {"metric": "cps"} for one in TWO]
    rows = source_data("bias_and_ability", frames(*TWO, *again, *other))
    assert [*rows["metric"].unique()] == ["ss"]
    assert len(rows) == 4
