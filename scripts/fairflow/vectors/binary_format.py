"""Vectors as word2vec writes them in binary; records are copied as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from fairflow.errors import VectorFormatError
from fairflow.files.streams import Stream
from fairflow.vectors.copying import BLOCK, FLOAT_BYTES, LONGEST_WORD, Copy, Row, first_bytes


def copy_word2vec_binary(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """Binary: a header, then word, space and little-endian float32 values for each word.

    Writers differ in whether they put a newline between records; both are read.

    Raises
    ------
    VectorFormatError : no header, or another number of records than it promises.
    """
    header, _, data = first_bytes(stream, BLOCK).partition(b"\n")
    copy.read_header(header)
    size = copy.dims * FLOAT_BYTES
    while True:
        rows, end = _records(data, size, copy)
        if end:
            target.write(data[:end])
        copy.offset += end
        data = data[end:]
        yield rows
        if not (block := stream.read(BLOCK)):
            break
        data += block
    if data.strip(b"\r\n"):
        raise VectorFormatError(
            f"{copy.origin} ends within vector {copy.rows + 1:,} of the {copy.announced:,} that "
            "its first line promises: it is truncated. Fetch it again"
        )
    copy.check_count()


def _records(data: bytes, size: int, copy: Copy) -> tuple[list[Row], int]:
    """The whole records at the start of `data`, and where they end."""
    rows: list[Row] = []
    start, end = 0, len(data)
    while (space := data.find(b" ", start, start + LONGEST_WORD)) >= 0:
        following = space + 1 + size
        if following > end:
            break
        word = data[start:space].lstrip(b"\r\n").decode("utf-8", "replace")
        rows.append((word, copy.rows, copy.offset + space + 1))
        copy.rows += 1
        start = following
    if space < 0 and end - start > LONGEST_WORD:
        raise VectorFormatError(
            f"{copy.origin}: no word where vector {copy.rows + 1:,} should begin; the file does "
            f"not hold vectors of {copy.dims} values"
        )
    return rows, start
