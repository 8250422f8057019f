"""Reading vectors at known places of a file in word2vec format."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from fairflow.vectors.companion_files import misfit
from fairflow.vectors.copying import FLOAT_BYTES
from fairflow.vectors.decimals import CHARACTERS


def read_vectors(
    path: Path, entries: Sequence[tuple[str, int]], dims: int, binary: bool
) -> np.ndarray:
    """The vectors of words that start at some offsets of a file in word2vec format: (words, dims).

    Raises
    ------
    VectorFormatError : what stands there is not the word and a vector of that length.
    """
    matrix = np.empty((len(entries), dims), dtype=np.float32)
    with open(path, "rb") as file:
        for row in np.argsort([offset for _, offset in entries], kind="stable"):
            word, offset = entries[row]
            if not _stands_before(file, word, offset):
                raise misfit(path, f"{word!r} does not stand before byte {offset}")
            try:
                matrix[row] = _read_binary(file, dims) if binary else _read_text(file, dims)
            except ValueError as error:
                what = f"no vector of {dims} numbers at byte {offset} ({error})"
                raise misfit(path, what) from error
    return matrix


def _stands_before(file: BinaryIO, word: str, offset: int) -> bool:
    """Whether a file has a word and a space before an offset, to which it is moved."""
    head = word.encode() + b" "
    file.seek(max(0, offset - len(head)))
    # What was no UTF-8 cannot be compared, as the index has U+FFFD for it.
    return file.read(len(head)) == head or (
        "\N{REPLACEMENT CHARACTER}" in word and file.seek(offset)
    )


def _read_binary(file: BinaryIO, dims: int) -> np.ndarray:
    return np.frombuffer(file.read(dims * FLOAT_BYTES), dtype="<f4", count=dims)


def _read_text(file: BinaryIO, dims: int) -> np.ndarray:
    line = file.readline()
    fields = line.split()
    # Of these characters Python makes numbers that are numbers to us, or none.
    if len(fields) != dims or line.translate(None, CHARACTERS + b" \r\n"):
        raise ValueError(f"{len(fields)} fields, or one that is no number")
    return np.fromiter(map(float, fields), dtype=np.float64, count=dims).astype(np.float32)


def cut_block(data: bytes, starts: Sequence[int], dims: int, binary: bool) -> np.ndarray:
    """The vectors that start at some places of a piece of the file: (starts, dims), float32.

    Raises
    ------
    ValueError : what stands there are no vectors of that length.
    """
    cut = _cut_binary(data, starts, dims) if binary else _cut_text(data, starts)
    return cut.reshape(len(starts), dims)


def cut_records(
    data: bytes, begins: np.ndarray, starts: np.ndarray, dims: int
) -> tuple[list[str], np.ndarray]:
    """The words and vectors of records in binary that follow each other: (records, dims), float32.

    Parameters
    ----------
    begins, starts : where each record begins, and where its vector, after the word and a space.

    Raises
    ------
    ValueError : no such records stand there.
    """
    ends = starts - 1
    if len(data) < starts[-1] + dims * FLOAT_BYTES:
        raise ValueError("the file ends within a vector")
    if (np.frombuffer(data, np.uint8)[ends] != ord(" ")).any():
        raise ValueError("no space stands before a vector")
    places = zip(begins.tolist(), ends.tolist(), strict=True)
    heads = [data[begin:end] for begin, end in places]
    text = b"\n".join(heads)
    if b"\r" in text or text.count(b"\n") >= len(heads):
        words = [head.lstrip(b"\r\n").decode("utf-8", "replace") for head in heads]
    else:
        # Much faster than one by one.
        words = text.decode("utf-8", "replace").split("\n")
    return words, _cut_binary(data, starts.tolist(), dims).reshape(len(words), dims)


def _cut_binary(data: bytes, starts: Sequence[int], dims: int) -> np.ndarray:
    size = dims * FLOAT_BYTES
    return np.frombuffer(b"".join([data[start : start + size] for start in starts]), dtype="<f4")


def _cut_text(data: bytes, starts: Sequence[int]) -> np.ndarray:
    lines = b"\n".join([data[start : data.index(b"\n", start)] for start in starts])
    return np.loadtxt(io.BytesIO(lines), dtype=np.float64, comments=None).astype(np.float32)
