"""Tables of a study are read as they were written."""

import pytest

from fairflow.files.tables import LONGEST_CELL, plain_cell


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "+1", "-1", "\n =1", "\t=HYPERLINK(1)"])
def test_a_text_that_others_wrote_is_no_formula_of_a_spreadsheet(text):
    assert plain_cell(text) == f"'{text}"
    assert plain_cell(f"It is {text}") == f"It is {text}"


def test_a_text_in_a_table_tells_a_terminal_nothing():
    assert plain_cell("\x1b[31mYes\r\n\tNo\r\0\x9b") == "\\x1b[31mYes\r\n\tNo\\r\\x00\\x9b"


def test_a_text_that_others_wrote_is_cut_in_a_table():
    assert plain_cell("x" * 10_000_000) == "x" * LONGEST_CELL + "..."
    assert plain_cell("x" * LONGEST_CELL) == "x" * LONGEST_CELL
