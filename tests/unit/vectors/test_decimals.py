"""Numbers are distinguished from other text without parsing, all rows at once."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairflow.vectors import decimals
from fairflow.vectors.decimals import is_finite_number, is_number

GOOD = [b"1", b"-1", b"+1", b"1.", b".5", b"-.5", b"0.25", b"1e5", b"1E+5", b"-1.5e-05", b"1.e3",
        b"1" * 200, b"0." + b"3" * 200, b"1e400"]  # fmt: skip
BAD = [b"", b"-", b".", b"-.", b"e5", b"1e", b"1e-", b"1e5.2", b"1.2.3", b"1-2", b"--1", b"1_0",
       b"infinity", b"0x1", b"1f", b"1" * 200 + b"x", b" ", b"\t1"]  # fmt: skip


def lines(rows: list[bytes], word: bytes = b"") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A text of rows, where each begins after its word, and where it ends."""
    ends = np.cumsum([len(word) + len(row) + 1 for row in rows]) - 1
    text = np.frombuffer(b"".join([word + row + b"\n" for row in rows]), dtype=np.uint8)
    return text, ends - [len(row) for row in rows], ends


def faulty(rows: list[bytes], dims: int, word: bytes = b"") -> list[int]:
    return decimals.faulty(*lines(rows, word), dims)


def doubtful(rows: list[bytes], dims: int) -> set[int]:
    return set(decimals._doubtful(*lines(rows), dims))


@pytest.mark.parametrize("field", GOOD)
def test_what_printf_and_repr_write_is_a_number(field):
    assert is_number(field)
    assert is_finite_number(field)
    assert faulty([b" " + field, b" 2"], 1) == []


@pytest.mark.parametrize("field", [b"nan", b"NaN", b"-nan", b"inf", b"-Inf"])
def test_nan_and_infinity_are_numbers_that_are_not_finite(field):
    assert is_number(field)
    assert not is_finite_number(field)
    assert faulty([b" " + field, b" 2"], 1) == []


@pytest.mark.parametrize("field", BAD)
def test_anything_else_is_none(field):
    assert not is_number(field)
    assert faulty([b" 1", b" " + field, b" 2"], 1) == [1]


def test_a_row_of_another_length_is_faulty():
    assert faulty([b" 1 2", b" 1", b"", b" 1 2 3", b"1 2", b" -1.5 2e-3"], 2) == [1, 2, 3, 4]


ROW = st.text(" 1207.-+eE_xn", max_size=12)


@given(st.lists(ROW, min_size=1, max_size=40), st.integers(1, 3))
@example([" 1" * 40, " 1.5e-3" * 40], 40)
@example([" " + "1" * 63, " " + "1" * 64 + ".5", " " + "1" * 65 + "x"], 1)
def test_all_rows_at_once_are_judged_as_each_by_itself(texts, dims):
    rows = [text.encode() for text in texts]
    number = r" [+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
    plain = [bool(re.fullmatch(f"({number}){{{dims}}}", text, re.ASCII)) for text in texts]
    assert faulty(rows, dims) == [row for row, good in enumerate(plain) if not good]
    assert doubtful(rows, dims) >= set(faulty(rows, dims))


def test_the_word_in_front_of_a_row_is_not_judged():
    rows = [b" 1 2", b" 1 x", b" -.5 1e3", b"1 2"]
    for word in (b"", b"-1.5e", b"0" * 64, b"3.1.4--", "naïve\u00a0Ærø".encode(), b"1\t2"):
        assert faulty(rows, 2, word) == ([1, 3])


def test_lines_of_several_chunks_are_judged_in_their_order(monkeypatch):
    monkeypatch.setattr(decimals, "_CHUNK", 20)
    rows = [b" 1 2", b" 1", b" 3 4", b" 12345678901234567890 2", b" 1 y", b" nan 2"] * 9
    assert faulty(rows, 2, b"word") == [i for i in range(len(rows)) if i % 6 in (1, 4)]


def test_exponents_and_fractions_are_plain_and_need_no_second_look():
    assert doubtful([b" -1.5e-05 2 3.", b" 0.1 1e5 -2"], 3) == set()
