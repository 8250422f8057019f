"""Vectors as a plain .npy matrix, with the words in a file beside it."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.streams import Stream
from fairflow.vectors.copying import (
    BLOCK,
    FLOAT_BYTES,
    MOST_DIMS,
    Copy,
    Row,
    first_bytes,
)

LONGEST_HEADER = 1 << 16
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
    # As 2.0 but for names of fields that are not ASCII, which a matrix of floats has not.
    (3, 0): np.lib.format.read_array_header_2_0,
}


def copy_npy(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """A matrix (words, dims) of floats, row i of which belongs to word i of `copy.words`.

    Raises
    ------
    VectorFormatError : not such a matrix, or as many words as rows are not given.
    """
    shape, blocks = read_matrix(stream, copy.origin)
    if copy.words is None:
        raise VectorFormatError(f"{copy.origin}: a .npy file needs a file of `words`")
    words = copy.words.read()
    if len(words) != shape[0]:
        raise VectorFormatError(
            f"{copy.origin} has {shape[0]:,} rows, {copy.words} has {len(words):,} words; expected "
            "one word for each row. Name the words of these vectors"
        )
    copy.dims = shape[1]
    for vectors in blocks:
        yield copy_rows(vectors, words, target, copy)


def read_matrix(stream: Stream, origin: str) -> tuple[tuple[int, int], Iterator[np.ndarray]]:
    """The shape (rows, dims) of a .npy matrix of floats, and some of its rows after others.

    These are float32 and lie row by row. A matrix in Fortran order is first written to a nameless
    file, column by column as it comes.

    Raises
    ------
    VectorFormatError : no such matrix; of one that ends too early, not before its last rows.
    """
    data, shape, fortran, dtype = read_header(first_bytes(stream, LONGEST_HEADER), origin)
    blocks = _columns if fortran and 1 not in shape else _rows
    vectors = blocks(_bounded(data, stream, shape, dtype, origin), shape, dtype)
    return shape, (block.astype("<f4", order="C") for block in vectors)


def read_header(data: bytes, origin: str) -> tuple[bytes, tuple[int, int], bool, np.dtype]:
    """What follows the header; the shape, the order and the type of the matrix.

    Raises
    ------
    VectorFormatError : not the beginning of a .npy file, or not that of a matrix of floats.
    """
    file = io.BytesIO(data)
    try:
        shape, fortran, dtype = _HEADERS[np.lib.format.read_magic(file)](file)
    # What numpy raises depends on where the header is damaged.
    except Exception as error:
        what = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        raise VectorFormatError(f"{origin} is no .npy file: {what}") from error
    plain = len(shape) == 2 and all(type(length) is int and length > 0 for length in shape)
    if not plain or shape[1] > MOST_DIMS or dtype.kind != "f":
        raise VectorFormatError(
            f"{origin}: expected a matrix of floats (words, dims) with at most {MOST_DIMS:,} dims, "
            f"found {str(shape)[:40]} of {str(dtype)[:40]}"
        )
    return data[file.tell() :], shape, fortran, dtype


def _bounded(
    data: bytes, stream: Stream, shape: tuple[int, int], dtype: np.dtype, origin: str
) -> Iterator[bytes]:
    """The bytes of the matrix; neither fewer nor more of them."""
    left = shape[0] * shape[1] * dtype.itemsize
    while data:
        left -= len(data)
        if left < 0:
            raise VectorFormatError(f"{origin} goes on after its {shape[0]:,} x {shape[1]} numbers")
        yield data
        data = stream.read(BLOCK)
    if left:
        raise VectorFormatError(
            f"{origin} ends {left:,} bytes before its {shape[0]:,} x {shape[1]} numbers do: it is "
            "truncated. Fetch it again"
        )


def _rows(blocks: Iterator[bytes], shape: tuple[int, int], dtype: np.dtype) -> Iterator[np.ndarray]:
    """The rows of a matrix that comes row by row."""
    size = shape[1] * dtype.itemsize
    data = b""
    for block in blocks:
        data += block
        end = len(data) // size * size
        yield np.frombuffer(data[:end], dtype=dtype).reshape(-1, shape[1])
        data = data[end:]


def _columns(
    blocks: Iterator[bytes], shape: tuple[int, int], dtype: np.dtype
) -> Iterator[np.ndarray]:
    """The rows of a matrix that comes column by column."""
    with tempfile.TemporaryFile(buffering=0) as file:
        for block in blocks:
            file.write(block)
        step = max(1, BLOCK // (shape[1] * dtype.itemsize))
        for start in range(0, shape[0], step):
            # Read and not mapped: pages that are mapped would count as memory in use.
            columns = np.empty((shape[1], min(step, shape[0] - start)), dtype)
            for number, column in enumerate(columns):
                os.preadv(file.fileno(), [column], (number * shape[0] + start) * dtype.itemsize)
            yield columns.T


def copy_rows(vectors: np.ndarray, words: list[str], target: BinaryIO, copy: Copy) -> list[Row]:
    """Write the next rows, of which the first belongs to word `copy.rows`: (rows, dims)."""
    rows = []
    records = []
    for vector in vectors:
        word = words[copy.rows]
        head = word.encode() + b" "
        records += [head, vector.tobytes()]
        rows.append((word, copy.rows, copy.offset + len(head)))
        copy.rows += 1
        copy.offset += len(head) + copy.dims * FLOAT_BYTES
    target.write(b"".join(records))
    return rows
