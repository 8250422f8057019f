"""Frames become tables of labelled columns and short numbers; what is missing stays visible."""

import pandas as pd
import pytest

from fairflow.products.report.html_tables import (
    MISSING,
    HtmlCell,
    HtmlColumn,
    Layout,
    html_table,
    number_text,
)

COLUMNS = (
    HtmlColumn("model", "Model"),
    HtmlColumn("value", "Value", "number"),
    HtmlColumn("ci", "Interval", "interval"),
    HtmlColumn("absent", "Absent"),
    HtmlColumn("empty", "Empty"),
)
LAYOUT = Layout("toy", "Toy", "A toy.", COLUMNS)
FRAME = pd.DataFrame(
    {
        "model": ["a", "b"],
        "value": [1.23456789, float("nan")],
        "ci_low": [-1.0, float("nan")],
        "ci_high": [0.123456, float("nan")],
        "empty": [None, None],
        "new_column": ["x", "y"],
    }
)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.23456, "1.23"), (2.6e-10, "2.6e-10"), (3.0, "3"), (float("nan"), MISSING), (-0.5, "-0.5")],
)
def test_numbers_have_three_digits_unless_they_are_whole(value: float, text: str):
    assert number_text(value) == text


def test_columns_that_are_absent_or_empty_are_left_out():
    table = html_table(FRAME, LAYOUT, {"a": "Model A"})
    assert [column.label for column in table.columns] == ["Model", "Value", "Interval"]
    assert table.rows[0] == (HtmlCell("Model A"), HtmlCell("1.23"), HtmlCell("-1 to 0.123", "-1"))


def test_missing_numbers_are_shown_and_sorted_as_missing():
    row = html_table(FRAME, LAYOUT, {}).rows[1]
    assert row[1:] == (HtmlCell(MISSING, ""), HtmlCell(MISSING, ""))


def test_columns_without_a_layout_are_appended_on_request():
    layout = Layout("toy", "Toy", "", COLUMNS[:1], others=True, hidden=("empty", "value"))
    table = html_table(FRAME, layout, {})
    assert [c.label for c in table.columns] == ["Model", "Ci low", "Ci high", "New column"]
    assert [c.kind for c in table.columns] == ["text", "number", "number", "text"]


def test_published_numbers_keep_their_printed_decimals():
    frame = pd.DataFrame({"published": [1.5, 2.0], "decimals": [2, float("nan")]})
    layout = Layout("toy", "Toy", "", (HtmlColumn("published", "Published", "printed"),))
    assert html_table(frame, layout, {}).rows == ((HtmlCell("1.50"),), (HtmlCell("2"),))
