"""Tables and rows without any value are left out, and the page says why."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from fairflow.products.report.html_tables import (
    Column,
    Layout,
    html_table,
    rows_left_out,
    tables_left_out,
    with_values,
)
from fairflow.products.report.study_section import StudySection, study_section

COLUMNS = (Column("model", "Model"), Column("value", "Value", "number"))
WHOLE = Layout("whole", "Ranks", "", COLUMNS, values=("value",))
BY_ROW = Layout("rows", "Tests", "", COLUMNS, values=("value",), every_row=True)
NONE = pd.DataFrame(
    {"model": ["a", "b"], "value": [None, None], "note": ["one model alone", "one model alone"]}
)
SOME = pd.DataFrame(
    {"model": ["a", "b", "c"], "value": [1.0, None, None], "reason": ["", "few", "few"]}
)


@pytest.fixture
def make_study() -> Callable[..., StudySection]:
    """A function from tables to the part of the page of a study that has these and one score."""
    score = {"model": "a", "metric": "m", "criterion": "c", "query": "q", "subquery": "q"}
    score |= {"query_label": "Q", "subquery_digest": "d", "measure": "m", "is_primary": True}
    score |= {"value": 1.0, "p_bh": None, "status": "ok", "reason": None, "words": []}
    study = {"name": "s", "title": "S", "labels": {"a": "A", "m": "M"}, "models": ["a"]}
    study |= {"metrics": ["m"], "criteria": {"c": ["q"]}}
    return lambda **tables: study_section(
        study, "", {"scores": pd.DataFrame([score]), **tables}, {}
    )


def test_a_table_without_any_value_is_named_with_its_reason():
    assert with_values(NONE, WHOLE).empty
    told = tables_left_out({"whole": NONE, "rows": SOME}, [WHOLE, BY_ROW])
    assert told == "Tables without any value: Ranks (one model alone)."


def test_tables_of_one_reason_are_named_together():
    told = tables_left_out({"whole": NONE, "rows": NONE}, [WHOLE, BY_ROW])
    assert told.endswith(": Ranks and Tests (one model alone).")


def test_a_table_that_has_no_rows_is_not_worth_a_sentence():
    assert tables_left_out({"whole": NONE.iloc[:0]}, [WHOLE]) == ""


def test_rows_without_a_value_are_left_out_where_every_row_must_have_one():
    assert [*with_values(SOME, BY_ROW)["model"]] == ["a"]
    assert rows_left_out(SOME, BY_ROW) == "2 rows without a value are omitted: few."


def test_rows_that_say_why_they_have_no_value_stay_elsewhere():
    assert len(with_values(SOME, WHOLE)) == 3
    assert rows_left_out(SOME, WHOLE) == ""


def test_of_many_reasons_the_most_frequent_are_told():
    frame = SOME.assign(reason=["x", "b", "c"]).loc[[1, 2, 1, 0]].assign(value=[None] * 3 + [1.0])
    more = pd.concat([frame, frame.iloc[:1].assign(reason="d")], ignore_index=True)
    assert rows_left_out(more, BY_ROW).endswith("omitted: b; c; other reasons.")


@pytest.mark.parametrize("empty", [None, "", float("nan")])
def test_a_column_that_is_empty_throughout_is_dropped(empty: object):
    layout = Layout("toy", "Toy", "", (*COLUMNS, Column("note", "Note")))
    frame = pd.DataFrame({"model": ["a"], "value": [1.0], "note": [empty]})
    assert [column.label for column in html_table(frame, layout, {}).columns] == ["Model", "Value"]


def test_what_is_left_out_stands_below_the_tables(make_study: Callable[..., StudySection]):
    ranking = pd.DataFrame({"model": ["a"], "rank": [None], "note": ["one model alone"]})
    ranking = ranking.assign(source="computed", criterion="c", metric="m")
    section = make_study(ranking=ranking)
    assert section.left_out.endswith("Rankings (one model alone).")
    assert [table.layout.title for table in section.tables] == ["Scores"]
