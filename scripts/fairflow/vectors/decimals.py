"""Which texts are decimal numbers, and which lines of a text are vectors of them.

A number is written as C's printf and Python's repr write one: an optional sign, decimal digits with
at most one point, an optional exponent; or nan or inf. Other texts that Python's float accepts
(1_0, infinity, digits of other scripts) are not numbers here.
"""

from __future__ import annotations

import re

import numpy as np

_FINITE = rb"[+-]?+(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+"
_NUMBER = rb"(?:%b|[+-]?+(?:[nN][aA][nN]|[iI][nN][fF]))" % _FINITE
_FINITE_NUMBER = re.compile(_FINITE)
_ANY_NUMBER = re.compile(_NUMBER)
_NUMBERS = re.compile(rb"(?: %b)*+" % _NUMBER)

# Every character that may occur in a number.
CHARACTERS = b"0123456789.eE+-nafiNAFI"

# Large enough to make the cost of a call small, and small enough for the processor's cache.
_CHUNK = 1 << 19
_WORD = np.dtype("<u8")
_ONE = _WORD.type(1)
_ALL = _WORD.type(2**64 - 1)


def is_number(field: bytes) -> bool:
    """Whether a field is a number, including nan and inf."""
    return _ANY_NUMBER.fullmatch(field) is not None


def is_finite_number(field: bytes) -> bool:
    """Whether a field is a number other than nan and inf, which are also words."""
    return _FINITE_NUMBER.fullmatch(field) is not None


def faulty(text: np.ndarray, starts: np.ndarray, ends: np.ndarray, dims: int) -> list[int]:
    """Which rows of a text are not `dims` numbers, each after one space.

    Parameters
    ----------
    text : whole lines, (bytes,) uint8. starts : of each line, the position of its first space,
        where its numbers begin. ends : of each line, the position of its "\\n".
    """
    rows: list[int] = []
    first = 0
    while first < len(ends):
        begin = ends[first - 1] + 1 if first else 0
        last = max(first + 1, int(np.searchsorted(ends, begin + _CHUNK)))
        places = starts[first:last] - begin, ends[first:last] - begin
        some = text[begin : ends[last - 1] + 1]
        doubtful = (first + row for row in _doubtful(some, *places, dims))
        rows += [r for r in doubtful if not _are_numbers(text[starts[r] : ends[r]].tobytes(), dims)]
        first = last
    return rows


def _are_numbers(row: bytes, dims: int) -> bool:
    return row.count(b" ") == dims and _NUMBERS.fullmatch(row) is not None


def _doubtful(text: np.ndarray, starts: np.ndarray, ends: np.ndarray, dims: int) -> list[int]:
    """Which rows may not be `dims` numbers. Rows of plain decimal numbers are never among them.

    All rows are matched at once: a set of positions in the text has one bit per position, and an
    addition carries each bit from the start of a run of digits to its end (Cameron et al. 2014,
    "Bitwise data parallelism in regular expression matching"). Text before the first space of a
    line is not matched.
    """
    text = np.concatenate([text, np.zeros(-len(text) % 64, dtype=np.uint8)])
    digit = _places(text - np.uint8(ord("0")) < 10)
    if (digit == _ALL).any():
        # The addition would carry across more than one machine word.
        return list(range(len(ends)))
    space, point, minus = (_places(text == ord(character)) for character in " .-")
    end = _places_at(ends, len(space))

    def after_digits(starts: np.ndarray) -> np.ndarray:
        return _sum(starts & digit, digit) & ~digit | starts & ~digit

    begin = _past(_next(space), minus)
    bad = begin & ~digit
    after = after_digits(begin & digit)
    fraction = after & point
    after = after ^ fraction | after_digits(_next(fraction))
    left = after & ~(space | end)
    if left.any():
        power = left & _places(text | 32 == ord("e"))
        begin = _past(_next(power), minus | _places(text == ord("+")))
        bad |= begin & ~digit
        bad |= left ^ power | after_digits(begin & digit) & ~(space | end)
    wrong = (_counts(space, ends) != dims) | (text[starts] != ord(" "))
    if bad.any():
        bits = np.flatnonzero(np.unpackbits(bad.view(np.uint8), bitorder="little"))
        wrong[np.searchsorted(ends, bits)] = True
    return np.flatnonzero(wrong).tolist()


def _places(condition: np.ndarray) -> np.ndarray:
    """One bit per character: (characters,) -> (characters / 64,), uint64."""
    return np.packbits(condition, bitorder="little").view(_WORD)


def _places_at(positions: np.ndarray, words: int) -> np.ndarray:
    condition = np.zeros(64 * words, dtype=bool)
    condition[positions] = True
    return _places(condition)


def _next(places: np.ndarray) -> np.ndarray:
    """The position after each one."""
    moved = places << _ONE
    moved[1:] |= places[:-1] >> _WORD.type(63)
    return moved


def _sum(starts: np.ndarray, digits: np.ndarray) -> np.ndarray:
    """The sum of two sets read as numbers; `digits` must have no machine word with all bits set."""
    total = starts + digits
    total[1:] += total[:-1] < starts[:-1]
    return total


def _past(starts: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """The positions, moved by one where there is a sign."""
    signed = starts & signs
    return starts ^ signed | _next(signed)


def _counts(places: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The number of positions without an end between two successive ends."""
    before = np.concatenate(([0], np.cumsum(np.bitwise_count(places), dtype=np.int64)))
    word, bit = ends // 64, (ends % 64).astype(_WORD)
    up_to = before[word] + np.bitwise_count(places[word] & ((_ONE << bit) - _ONE))
    up_to[1:] -= up_to[:-1].copy()
    return up_to
