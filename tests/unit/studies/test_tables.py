"""The tables of a study are one list; a new one is an entry and a function."""

from dataclasses import fields

import pandas as pd

from fairflow.products.figures._study_frames import StudyFrames
from fairflow.products.report.html_tables import html_table, layouts_of
from fairflow.studies import tables
from fairflow.studies.tables import (
    FIGURES,
    KINDS,
    STUDY_TABLES,
    StudyTable,
    study_tables,
)


def test_figures_are_given_every_table_that_they_read():
    assert [f.name for f in fields(StudyFrames)] == [
        t.name for t in study_tables(FIGURES, *KINDS)
    ] + ["labels", "readings", "query_parts"]


def test_the_report_shows_a_table_without_a_layout_with_all_its_columns(monkeypatch):
    novel = StudyTable("pair_counts", "model, n_times (compared)")
    monkeypatch.setattr(tables, "STUDY_TABLES", (*STUDY_TABLES, novel))
    (layout,) = layouts_of({"pair_counts"})
    frame = pd.DataFrame({"model": ["a"], "n_times": [3]})
    shown = html_table(frame, layout, {"a": "Model A"})
    assert layout.title == "Pair counts"
    assert [column.label for column in shown.columns] == ["Model", "N times"]
    assert [[cell.text for cell in row] for row in shown.rows] == [["Model A", "3"]]
