"""Vectors as text: each line a word and numbers. Lines are copied as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.streams import Stream
from fairflow.vectors.copying import (
    BLOCK,
    LONGEST_WORD,
    MOST_DIMS,
    Copy,
    Row,
    first_bytes,
    shown,
)
from fairflow.vectors.decimals import faulty, is_finite_number, is_number

MARK = b"\xef\xbb\xbf"
# So little that it stays in the processor's cache.
_PIECE = 1 << 20


def copy_glove_text(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """Text without a header: a word, then numbers, separated by single ASCII spaces.

    A word may itself hold spaces or U+00A0: the vector is cut off from the right. Lines end at
    "\\n" alone; a byte order mark, carriage returns, trailing spaces and empty lines are tolerated.

    Raises
    ------
    VectorFormatError : a line with another number of values, or with something that is no number
        (see `fairflow.vectors.decimals`); with its number.
    """
    first = first_bytes(stream, BLOCK).removeprefix(MARK)
    yield from _copy_lines(first, stream, target, copy)


def copy_word2vec_text(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """Text with a header 'COUNT DIMS'; else as GloVe's.

    Raises
    ------
    VectorFormatError : as for GloVe's; no header, or another number of vectors than it promises.
    """
    first = first_bytes(stream, BLOCK).removeprefix(MARK)
    header, _, rest = first.partition(b"\n")
    copy.read_header(header)
    copy.lines = 1
    yield from _copy_lines(rest, stream, target, copy)
    copy.check_count()


def _copy_lines(block: bytes, stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    while block:
        end = block.rfind(b"\n") + 1
        if end:
            yield _copy_block(block[:end], target, copy)
        elif len(block) > BLOCK:
            raise VectorFormatError(
                f"{copy.origin}, line {copy.lines + 1}: no end of line within {BLOCK:,} bytes; "
                "this is no text file of vectors"
            )
        more = stream.read(_PIECE)
        block = block[end:] + more
        if block and not more:
            # The last line has no end of its own.
            block += b"\n"


def _copy_block(block: bytes, target: BinaryIO, copy: Copy) -> list[Row]:
    """Write whole lines and tell their words; lines in order are written as they are."""
    ends = _ends(block)
    numbers: Sequence[int] = range(copy.lines + 1, copy.lines + 1 + len(ends))
    copy.lines += len(ends)
    if {block[0], *np.frombuffer(block, np.uint8)[ends - 1].tolist()} & {*b" \r\n"}:
        lines = [line.rstrip(b" \r") for line in block.split(b"\n")[:-1]]
        numbers = [number for number, line in zip(numbers, lines, strict=True) if line]
        block = b"".join([line + b"\n" for line in lines if line])
        ends = _ends(block)
    begins, stops = _words(block, ends, numbers, copy) if len(ends) else ([], [])
    # Much faster than one by one; no end of line stands in a word.
    heads = b"\n".join([block[begin:stop] for begin, stop in zip(begins, stops, strict=True)])
    words = heads.decode("utf-8", "replace").split("\n") if begins else []
    offsets = [copy.offset + stop + 1 for stop in stops]
    rows = list(zip(words, range(copy.rows, copy.rows + len(words)), offsets, strict=True))
    copy.rows += len(words)
    copy.offset += len(block)
    target.write(block)
    return rows


def _ends(block: bytes) -> np.ndarray:
    return np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n"))


def _words(
    block: bytes, ends: np.ndarray, numbers: Sequence[int], copy: Copy
) -> tuple[list[int], list[int]]:
    """Where each line begins, and where its word ends; the rest is as many numbers as dims.

    Parameters
    ----------
    ends : of the lines. numbers : of the lines, from 1.
    """
    begins = [0, *(ends[:-1] + 1).tolist()]
    lines = list(zip(begins, ends.tolist(), strict=True))
    if copy.dims is None:
        copy.dims = block.count(b" ", *lines[0])
        _end_of_word(block[: lines[0][1]], numbers[0], copy)
    # Mostly the first space ends the word, and all lines are looked at together.
    stops = [block.find(b" ", begin, end) for begin, end in lines]
    lengths = np.subtract(stops, begins)
    doubtful = set(np.flatnonzero((lengths <= 0) | (lengths > LONGEST_WORD)).tolist())
    if b"\t" in block:
        doubtful.update(i for i, line in enumerate(lines) if block.find(b"\t", *line) >= 0)
    text = np.frombuffer(block, dtype=np.uint8)
    doubtful.update(faulty(text, np.maximum(stops, begins), ends, copy.dims))
    for line in sorted(doubtful):
        begin, end = lines[line]
        stops[line] = begin + _end_of_word(block[begin:end], numbers[line], copy)
    return begins, stops


def _end_of_word(line: bytes, number: int, copy: Copy) -> int:
    """Where the word of a line ends, spaces in the word included.

    Raises
    ------
    VectorFormatError : before the last `dims` numbers stands no word.
    """
    word, *values = line.rsplit(b" ", copy.dims)
    proper = 0 < len(word.strip(b" ")) == len(word) <= LONGEST_WORD
    *before, last = re.split(rb"[ \t]", word)
    # A number at the end of the word is rather a vector that is too long.
    proper = proper and not (before and is_finite_number(last))
    if proper and 0 < len(values) == copy.dims <= MOST_DIMS and all(map(is_number, values)):
        return len(word)
    raise VectorFormatError(
        f"{copy.origin}, line {number}: expected a word and {copy.dims} numbers, each after one "
        f"space, found {_fault(line, copy)}. Write the line so, remove it, or fetch the file again"
    )


def _fault(line: bytes, copy: Copy) -> str:
    """What is wrong with a line."""
    word, *values = line.split(b" ")
    bad = [number for number, value in enumerate(values, start=1) if not is_number(value)]
    if b"\t" in line:
        return f"a tab in {shown(line)}: write spaces"
    if not word:
        return f"no word before {shown(line.strip())}"
    if len(word) > LONGEST_WORD:
        return f"a word of {len(word):,} bytes, more than {LONGEST_WORD:,}"
    if len(values) > MOST_DIMS:
        return f"{len(values):,} values, more than {MOST_DIMS:,}"
    if bad and len(values) == copy.dims:
        return f"{shown(values[bad[0] - 1])} as number {bad[0]} of {shown(word)}"
    header = copy.announced is None and copy.dims == 1
    hint = ". If line 1 is a header 'COUNT DIMS', the format is word2vec-text" if header else ""
    return f"{len(values)} values after {shown(word)}{hint}"
