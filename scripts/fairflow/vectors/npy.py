"""A matrix in a .npy file, with its words in another file: one per row, in the order of the rows.

The suffix of that file says how the words are written: .parquet is a column of texts, .json a list;
any other suffix is one word per line.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
    shown,
)


def copy_npy(stream: CheckedStream, copy: Conversion) -> Iterator[Records]:
    """A matrix (words, dims) of floats; row i belongs to word i of `copy.words`.

    Raises
    ------
    VectorFormatError : not such a matrix, or the number of words differs from that of rows.
    """
    with opened_matrix(stream, copy.origin) as matrix:
        if copy.words is None:
            raise VectorFormatError(f"{copy.origin}: a .npy file needs a file of `words`")
        words = copy.words.read()
        if len(words) != len(matrix):
            raise VectorFormatError(
                f"{copy.origin} has {len(matrix):,} rows, {copy.words} has {len(words):,} words; "
                "expected one word per row. Name the file with the words of these vectors"
            )
        copy.dims = matrix.shape[1]
        step = max(1, BLOCK // (matrix.shape[1] * matrix.itemsize))
        for start in range(0, len(words), step):
            yield copy_rows(matrix_rows(matrix, slice(start, start + step)), words, copy)


@contextmanager
def opened_matrix(stream: CheckedStream, origin: str) -> Iterator[np.memmap]:
    """The matrix of floats in a .npy file, whose bytes were verified; nothing of it is read yet.

    Raises
    ------
    VectorFormatError : not such a matrix, or a truncated one.
    """
    with stream.on_disk() as path:
        try:
            matrix = np.lib.format.open_memmap(path, mode="r")
        # numpy's error depends on where the file is damaged.
        except Exception as error:
            raise _no_npy(origin, error) from error
        if matrix.ndim != 2 or matrix.shape[1] > MOST_DIMS or matrix.dtype.kind != "f":
            raise VectorFormatError(
                f"{origin}: expected a matrix of floats (words, dims) with at most "
                f"{MOST_DIMS:,} dims, found {matrix.shape} of {matrix.dtype}"
            )
        yield matrix


def matrix_rows(matrix: np.memmap, rows: slice | np.ndarray) -> np.ndarray:
    """Some rows of such a matrix: (rows, dims), float32, in C order."""
    # Mapped anew, as all pages that were read count as memory in use until they are unmapped.
    again = np.lib.format.open_memmap(str(matrix.filename), mode="r")
    return again[rows].astype("<f4", order="C")


def number_of_rows(head: bytes, origin: str) -> int:
    """How many rows a .npy file has, by its first bytes.

    Raises
    ------
    VectorFormatError : they are not those of such a file.
    """
    file = io.BytesIO(head)
    try:
        if np.lib.format.read_magic(file) == (1, 0):
            return np.lib.format.read_array_header_1_0(file)[0][0]
        return np.lib.format.read_array_header_2_0(file)[0][0]
    except Exception as error:
        raise _no_npy(origin, error) from error


def _no_npy(origin: str, error: Exception) -> VectorFormatError:
    what = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
    return VectorFormatError(f"{origin} is not a .npy file: {what}")


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
        if self.column is not None and ending != ".parquet":
            raise VectorFormatError(
                f"{self}: words_column {self.column!r} is only for .parquet files. Remove it"
            )
        if ending == ".parquet":
            from fairflow.files.parquet import texts_of_column

            place, words = "row", texts_of_column(data, self.column, str(self))
        elif ending == ".json":
            place, words = "item", _items(data, str(self))
        else:
            place, words = "line", _lines(data, str(self))
        for number, word in enumerate(words, start=1):
            if not isinstance(word, str) or not 0 < len(word.strip()) <= LONGEST_WORD:
                raise VectorFormatError(
                    f"{self}, {place} {number}: expected a word, found {str(word)[:40]}. A word "
                    f"has 1 to {LONGEST_WORD:,} letters, and is a text"
                )
        return words


def _lines(data: bytes, origin: str) -> list[str]:
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


def _items(data: bytes, origin: str) -> list[Any]:
    words = json_in(data, origin, "Write a list of words")
    if not isinstance(words, list):
        raise VectorFormatError(
            f"{origin}: expected a JSON list of words, found {shown(data)}. Write one word per "
            "row, in the order of the rows"
        )
    return words
