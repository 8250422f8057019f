"""Vectors as a plain .npy matrix, with the words in a text file beside it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.streams import Stream
from fairflow.vectors.copying import BLOCK, FLOAT_BYTES, Copy, Row

LONGEST_HEADER = 1 << 16


def copy_npy(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """A matrix (words, dims) of floats, row i of which belongs to line i of `copy.words`.

    Raises
    ------
    VectorFormatError : not such a matrix, or as many words as rows are not given.
    """
    data, shape, dtype = _header(stream.read(LONGEST_HEADER), copy.origin)
    words = _words(copy)
    if len(words) != shape[0]:
        raise VectorFormatError(
            f"{copy.origin} has {shape[0]} rows, {copy.words} has {len(words)} words"
        )
    copy.dims = shape[1]
    size = copy.dims * dtype.itemsize
    while True:
        whole = len(data) // size
        yield _copy_rows(data[: whole * size], dtype, words, target, copy)
        data = data[whole * size :]
        if not (block := stream.read(BLOCK)):
            break
        data += block
    if copy.rows != shape[0]:
        raise VectorFormatError(f"{copy.origin} ends within row {copy.rows + 1} of {shape[0]}")


def _header(data: bytes, origin: str) -> tuple[bytes, tuple[int, int], np.dtype]:
    """What follows the header, the shape and the type of the matrix."""
    file = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(file)
        read = {(1, 0): "read_array_header_1_0", (2, 0): "read_array_header_2_0"}[version]
        shape, fortran, dtype = getattr(np.lib.format, read)(file)
    except (ValueError, KeyError) as error:
        raise VectorFormatError(f"{origin} is no .npy file: {error}") from error
    if len(shape) != 2 or dtype.kind != "f" or (fortran and 1 not in shape):
        raise VectorFormatError(
            f"{origin}: expected a matrix of floats in C order (words, dims), found {dtype} "
            f"{shape}{' in Fortran order' if fortran else ''}"
        )
    return data[file.tell() :], shape, dtype


def _words(copy: Copy) -> list[str]:
    if copy.words is None:
        raise VectorFormatError(f"{copy.origin}: a .npy file needs a file of `words`")
    text = copy.words.read_text(encoding="utf-8")
    return text.removesuffix("\n").split("\n")


def _copy_rows(
    data: bytes, dtype: np.dtype, words: list[str], target: BinaryIO, copy: Copy
) -> list[Row]:
    vectors = np.frombuffer(data, dtype=dtype).reshape(-1, copy.dims).astype("<f4")
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
