"""Tables of a study are read as they were written."""

from pathlib import Path

import pandas as pd
import pytest

from fairflow.files.tables import (
    LONGEST_CELL,
    plain_cell,
    read_headlines,
    read_table,
    write_table,
    write_tables,
)

WORDS = [[{"word": "rose", "value": 0.5}], [], [{"word": "wasp", "value": -0.25}]]


def test_figures_read_the_rows_of_headline_measures_with_the_values_of_their_words(tmp_path: Path):
    scores = pd.DataFrame({"value": [1.0, 2.0, 3.0], "is_primary": [True, False, True]})
    path = tmp_path / "scores.parquet"
    write_table(scores.assign(words=WORDS), path)
    read = read_headlines(path)
    assert list(read["value"]) == [1.0, 3.0]
    assert list(read["words"]) == [WORDS[0], WORDS[2]]


def test_each_file_holds_the_table_of_its_name_or_of_its_stem(tmp_path: Path):
    whole, flat = pd.DataFrame({"value": [1.0, 2.0]}), pd.DataFrame({"value": [1.0]})
    paths = [tmp_path / name for name in ("scores.parquet", "scores.csv", "ranking.csv")]
    write_tables({"scores.parquet": whole, "scores.csv": flat, "ranking": whole}, paths)
    assert [len(read_table(path)) for path in paths] == [2, 1, 2]


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "+1", "-1", "\n =1", "\t=HYPERLINK(1)"])
def test_a_text_that_others_wrote_is_no_formula_of_a_spreadsheet(text):
    assert plain_cell(text) == f"'{text}"
    assert plain_cell(f"It is {text}") == f"It is {text}"


def test_a_text_in_a_table_tells_a_terminal_nothing():
    assert plain_cell("\x1b[31mYes\r\n\tNo\r\0\x9b") == "\\x1b[31mYes\r\n\tNo\\r\\x00\\x9b"


def test_a_text_that_others_wrote_is_cut_in_a_table():
    assert plain_cell("x" * 10_000_000) == "x" * LONGEST_CELL + "..."
    assert plain_cell("x" * LONGEST_CELL) == "x" * LONGEST_CELL
