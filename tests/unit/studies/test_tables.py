"""The tables of a study are one list; a new one is an entry, a function and a rule."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

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

ROOT = Path(__file__).parents[3]
RULES = "\n".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))


def test_each_file_is_the_output_of_the_rule_that_its_entry_names():
    blocks = dict(block.split(":\n", 1) for block in RULES.split("\nrule ")[1:])
    for table in STUDY_TABLES:
        assert f'tables_of("{table.rule}")' in blocks[table.rule], table.name


def test_figures_are_given_every_table_that_they_read():
    assert [f.name for f in fields(StudyFrames)] == [
        t.name for t in study_tables(FIGURES, *KINDS)
    ] + ["labels", "readings", "query_parts"]


def test_the_report_shows_a_table_without_a_layout_with_all_its_columns(monkeypatch):
    novel = StudyTable("pair_counts", "how often each two models were compared")
    monkeypatch.setattr(tables, "STUDY_TABLES", (*STUDY_TABLES, novel))
    (layout,) = layouts_of({"pair_counts"})
    frame = pd.DataFrame({"model": ["a"], "n_times": [3]})
    shown = html_table(frame, layout, {"a": "Model A"})
    assert layout.title == "Pair counts"
    assert [column.label for column in shown.columns] == ["Model", "N times"]
    assert [[cell.text for cell in row] for row in shown.rows] == [["Model A", "3"]]
