"""Tables for a terminal: columns are aligned, cells wrap, and an interval stays whole."""

import pytest

from fairflow.files.text_table import table_lines

LONG = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"


def flat(*rows, columns=None, right=()):
    return [line for lines in table_lines(rows, columns, right) for line in lines]


def test_columns_are_aligned_and_numbers_stand_to_the_right():
    assert flat(("name", "n"), ("a", "1"), ("bc", "10"), right={1}) == [
        "name   n", "a      1", "bc    10",
    ]  # fmt: skip


def test_a_short_row_is_filled():
    assert flat(("a", "b"), ("c",)) == ["a  b", "c"]


def test_without_a_width_a_row_is_a_line():
    assert flat((LONG, LONG)) == [f"{LONG}  {LONG}"]


@pytest.mark.parametrize("columns", [40, 80, 100])
def test_a_wide_table_fits_and_loses_no_word(columns):
    lines = flat(("name", "n", "said"), (LONG, "12", LONG), columns=columns)
    assert max(map(len, lines)) <= columns
    assert sorted(" ".join(lines).split()) == sorted(f"name n said 12 {LONG} {LONG}".split())


def test_the_first_column_hangs():
    assert flat(("aaa bbb ccc", "1"), columns=9) == ["aaa    1", "  bbb", "  ccc"]


def test_a_number_stays_on_one_line_with_its_interval():
    assert flat(("one two three", "+0.2 [-0.1, 0.5]"), columns=26) == [
        "one two  +0.2 [-0.1, 0.5]",
        "  three",
    ]
