"""The three files of a converted model: how they are checked, and how vectors are read."""

from __future__ import annotations

import hashlib
import io
import os
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.vectors.word2vec_format import CHARACTERS, FLOAT_BYTES

# Increased with every change of the files' content.
LAYOUT = 2
HEADER_BYTES = 40
_PIECES, _PIECE = 16, 64


def header(records: int, dims: int) -> bytes:
    """The first line of a file of vectors, padded because their number is known last."""
    return f"{records} {dims}".ljust(HEADER_BYTES - 1).encode() + b"\n"


def likeness(path: str | Path) -> dict[str, Any]:
    """The size of a file of vectors, and the sha256 of blocks evenly spaced in it.

    This identifies the file without reading all of it. It does not notice a single changed
    number; for this, results/provenance/models has the sha256 of the whole file.
    """
    size = os.stat(path).st_size
    pieces = hashlib.sha256()
    with open(path, "rb", buffering=0) as file:
        for piece in range(_PIECES):
            file.seek(piece * max(0, size - _PIECE) // (_PIECES - 1))
            pieces.update(file.read(_PIECE))
    return {"vectors_bytes": size, "vectors_pieces_sha256": pieces.hexdigest()}


def mark(word: str, row: int, offset: int) -> int:
    """The checksum of an entry of the index."""
    return zlib.crc32(f"{row} {offset} {word}".encode("utf-8", "surrogatepass"))


def check_vectors(path: Path, facts: Mapping[str, Any]) -> None:
    """Compare a file of vectors with the card.

    Raises
    ------
    VectorFormatError : it is not the file that the card describes.
    """
    with open(path, "rb") as file:
        beginning = file.read(HEADER_BYTES)
    expected = {key: facts[key] for key in ("vectors_bytes", "vectors_pieces_sha256")}
    first_line = header(facts["words"] + facts["duplicates"], facts["dims"])
    if beginning != first_line or likeness(path) != expected:
        raise misfit(path, "these are not the vectors that the index and the card describe")


def misfit(path: str | Path, what: str) -> VectorFormatError:
    """The error for a file of a converted model that does not fit the others."""
    path = Path(path)
    return VectorFormatError(
        f"{path}: {what}; something changed a file of this model, or another version of fairflow "
        f"made it. Remove the folder {path.parent}; the next run makes the model again"
    )


def read_vectors(
    path: Path, entries: Sequence[tuple[str, int]], dims: int, binary: bool
) -> np.ndarray:
    """The vectors at some offsets of a file in word2vec format: (words, dims).

    Raises
    ------
    VectorFormatError : at an offset there is not the word and a vector of that length.
    """
    matrix = np.empty((len(entries), dims), dtype=np.float32)
    with open(path, "rb") as file:
        for row in np.argsort([offset for _, offset in entries], kind="stable"):
            word, offset = entries[row]
            if not _stands_before(file, word, offset):
                raise misfit(path, f"{word!r} does not stand before byte {offset}")
            try:
                if binary:
                    matrix[row] = np.frombuffer(file.read(dims * FLOAT_BYTES), "<f4", dims)
                else:
                    matrix[row] = _read_text(file, dims)
            except ValueError as error:
                what = f"no vector of {dims} numbers at byte {offset} ({error})"
                raise misfit(path, what) from error
    return matrix


def _stands_before(file: BinaryIO, word: str, offset: int) -> bool:
    """Whether a file has a word and a space before an offset; moves the file to the offset."""
    head = word.encode() + b" "
    file.seek(max(0, offset - len(head)))
    # Bytes that are not UTF-8 cannot be compared: the index has U+FFFD instead.
    return file.read(len(head)) == head or (
        "\N{REPLACEMENT CHARACTER}" in word and file.seek(offset)
    )


def _read_text(file: BinaryIO, dims: int) -> np.ndarray:
    line = file.readline()
    fields = line.split()
    # With these characters only, Python and this format agree on what a number is.
    if len(fields) != dims or line.translate(None, CHARACTERS + b" \r\n"):
        raise ValueError(f"{len(fields)} fields, or one that is no number")
    return np.fromiter(map(float, fields), dtype=np.float64, count=dims).astype(np.float32)


def cut_block(data: bytes, starts: Sequence[int], dims: int, binary: bool) -> np.ndarray:
    """The vectors at some positions of a block of the file: (starts, dims), float32.

    Raises
    ------
    ValueError : there are no vectors of that length.
    """
    cut = _cut_binary(data, starts, dims) if binary else _cut_text(data, starts)
    return cut.reshape(len(starts), dims)


def _cut_binary(data: bytes, starts: Sequence[int], dims: int) -> np.ndarray:
    size = dims * FLOAT_BYTES
    return np.frombuffer(b"".join([data[start : start + size] for start in starts]), dtype="<f4")


def _cut_text(data: bytes, starts: Sequence[int]) -> np.ndarray:
    lines = b"\n".join([data[start : data.index(b"\n", start)] for start in starts])
    return np.loadtxt(io.BytesIO(lines), dtype=np.float64, comments=None).astype(np.float32)
