"""A matrix in a .npy file, with its words in another file: one per row, in the order of the rows.

The suffix of that file says how the words are written: .parquet is a column of texts, .json a list;
any other suffix is one word per line.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from fairflow.errors import VectorFormatError, not_utf8
from fairflow.files.packed_files import CheckedStream, read_packed
from fairflow.vectors.word2vec_format import (
    BLOCK,
    LONGEST_WORD,
    MARK,
    MOST_DIMS,
    Conversion,
    Records,
    copy_records,
    first_bytes,
    shown,
)

LONGEST_HEADER = 1 << 16
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
    # Like 2.0, except for names of fields, which a matrix of floats does not have.
    (3, 0): np.lib.format.read_array_header_2_0,
}


def copy_npy(stream: CheckedStream, copy: Conversion) -> Iterator[Records]:
    """A matrix (words, dims) of floats; row i belongs to word i of `copy.words`.

    Raises
    ------
    VectorFormatError : not such a matrix, or the number of words differs from that of rows.
    """
    shape, blocks = read_matrix(stream, copy.origin)
    if copy.words is None:
        raise VectorFormatError(f"{copy.origin}: a .npy file needs a file of `words`")
    words = copy.words.read()
    if len(words) != shape[0]:
        raise VectorFormatError(
            f"{copy.origin} has {shape[0]:,} rows, {copy.words} has {len(words):,} words; expected "
            "one word per row. Name the file with the words of these vectors"
        )
    copy.dims = shape[1]
    for vectors in blocks:
        yield copy_rows(vectors, words, copy)


def read_matrix(stream: CheckedStream, origin: str) -> tuple[tuple[int, int], Iterator[np.ndarray]]:
    """The shape (rows, dims) of a .npy matrix of floats, and an iterator of blocks of its rows.

    Blocks are float32, in C order. A matrix in Fortran order is first copied to a temporary file,
    column by column.

    Raises
    ------
    VectorFormatError : not such a matrix. A truncated matrix is noticed only at its last rows.
    """
    data, shape, fortran, dtype = read_header(first_bytes(stream, LONGEST_HEADER), origin)
    blocks = _columns if fortran and 1 not in shape else _rows
    vectors = blocks(_bounded(data, stream, shape, dtype, origin), shape, dtype)
    return shape, (block.astype("<f4", order="C") for block in vectors)


def read_header(data: bytes, origin: str) -> tuple[bytes, tuple[int, int], bool, np.dtype]:
    """The bytes after the header; the shape, the order and the data type of the matrix.

    Raises
    ------
    VectorFormatError : not the beginning of a .npy file with a matrix of floats.
    """
    file = io.BytesIO(data)
    try:
        shape, fortran, dtype = _HEADERS[np.lib.format.read_magic(file)](file)
    # numpy's error depends on where the header is damaged.
    except Exception as error:
        what = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        raise VectorFormatError(f"{origin} is not a .npy file: {what}") from error
    plain = len(shape) == 2 and all(type(length) is int and length > 0 for length in shape)
    if not plain or shape[1] > MOST_DIMS or dtype.kind != "f":
        raise VectorFormatError(
            f"{origin}: expected a matrix of floats (words, dims) with at most {MOST_DIMS:,} dims, "
            f"found {str(shape)[:40]} of {str(dtype)[:40]}"
        )
    return data[file.tell() :], shape, fortran, dtype


def _bounded(
    data: bytes, stream: CheckedStream, shape: tuple[int, int], dtype: np.dtype, origin: str
) -> Iterator[bytes]:
    """The bytes of the matrix; an error if there are fewer or more."""
    left = shape[0] * shape[1] * dtype.itemsize
    while data:
        left -= len(data)
        if left < 0:
            raise VectorFormatError(f"{origin} goes on after {shape[0]:,} x {shape[1]} numbers")
        yield data
        data = stream.read(BLOCK)
    if left:
        raise VectorFormatError(
            f"{origin} ends {left:,} bytes before the end of its {shape[0]:,} x {shape[1]} "
            "numbers: it is truncated. Fetch it again"
        )


def _rows(blocks: Iterator[bytes], shape: tuple[int, int], dtype: np.dtype) -> Iterator[np.ndarray]:
    """The rows of a matrix that is stored row by row."""
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
    """The rows of a matrix that is stored column by column."""
    with tempfile.TemporaryFile(buffering=0) as file:
        for block in blocks:
            file.write(block)
        step = max(1, BLOCK // (shape[1] * dtype.itemsize))
        for start in range(0, shape[0], step):
            # Read, not mapped: mapped pages would count as memory in use.
            columns = np.empty((shape[1], min(step, shape[0] - start)), dtype)
            for number, column in enumerate(columns):
                os.preadv(file.fileno(), [column], (number * shape[0] + start) * dtype.itemsize)
            yield columns.T


def copy_rows(vectors: np.ndarray, words: list[str], copy: Conversion) -> Records:
    """The records of the next rows, (rows, dims); the first one belongs to word `copy.rows`."""
    own = words[copy.rows : copy.rows + len(vectors)]
    return copy_records([word.encode() for word in own], vectors, copy)


@dataclass(frozen=True)
class WordList:
    """A file of words, or a member of an archive.

    Attributes
    ----------
    column : of a parquet file; not needed if it has only one. packing : see `open_packed`.
    """

    path: str | Path
    column: str | None = None
    packing: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        member = self.packing.get("member")
        return f"{member} of {self.path}" if member else str(self.path)

    def read(self) -> list[str]:
        """The words.

        Raises
        ------
        VectorFormatError : a line, item or row is not a word; the message names it.
        DownloadError : the checksum differs, or the file cannot be unpacked.
        """
        data = read_packed(self.path, self.packing)
        ending = PurePosixPath(self.packing.get("member") or self.path).suffix.lower()
        place, read = _READERS.get(ending, ("line", _lines))
        if self.column is not None and read is not _column:
            raise VectorFormatError(
                f"{self}: words_column {self.column!r} is only for .parquet files. Remove it"
            )
        words = read(data, self)
        for number, word in enumerate(words, start=1):
            if wrong := _problem(word):
                raise VectorFormatError(f"{self}, {place} {number}: {wrong}")
        return words


def _lines(data: bytes, origin: WordList) -> list[str]:
    try:
        lines = data.removeprefix(MARK).decode().split("\n")
    except UnicodeDecodeError as error:
        raise VectorFormatError(f"{origin}{not_utf8(error)}") from error
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def json_in(data: bytes, origin: str, advice: str) -> Any:
    """The content of a JSON file.

    Raises
    ------
    VectorFormatError : it is not JSON; the message says what to do.
    """
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise VectorFormatError(
            f"{origin} is not JSON: {str(error)[:100]}; found {shown(data)}. {advice}"
        ) from error


def _items(data: bytes, origin: WordList) -> list[Any]:
    words = json_in(data, str(origin), "Write a list of words")
    if not isinstance(words, list):
        raise VectorFormatError(
            f"{origin}: expected a JSON list of words, found {shown(data)}. Write one word per "
            "row, in the order of the rows"
        )
    return words


def _column(data: bytes, origin: WordList) -> list[str]:
    from fairflow.files.parquet import texts_of_column

    return texts_of_column(data, origin.column, str(origin))


_READERS: dict[str, tuple[str, Callable[[bytes, WordList], list[Any]]]] = {
    ".json": ("item", _items),
    ".parquet": ("row", _column),
}


def _problem(word: Any) -> str | None:
    """Why something is not a word, or None if it is one."""
    if not isinstance(word, str):
        return f"expected a word, found {str(word)[:40]}. Write it between quotation marks"
    if not 0 < len(word.strip()) <= LONGEST_WORD:
        return f"expected a word of at most {LONGEST_WORD:,} letters"
    try:
        word.encode()
    except UnicodeEncodeError:
        return f"expected a word, found half of a surrogate pair in {word[:40]!a}. Correct it"
    return None
