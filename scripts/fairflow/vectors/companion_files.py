"""What ties the three files of a converted model together, so that none is used with another's."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.errors import VectorFormatError

# Grows with every change of what the files hold.
LAYOUT = 2
HEADER_BYTES = 40
# Words between two entries of the index's table `starts`.
STRIDE = 64
_PIECES, _PIECE = 16, 64


def header(facts: Mapping[str, Any]) -> bytes:
    """The first line of a file of vectors; their number is known last, so it is padded."""
    records = facts["words"] + facts["duplicates"]
    return f"{records} {facts['dims']}".ljust(HEADER_BYTES - 1).encode() + b"\n"


def likeness(path: str | Path) -> dict[str, Any]:
    """The size of a file of vectors, and the sha256 of pieces spread evenly over it.

    Tells it from other files of the same length without reading it; not from itself with a changed
    number, for which there is the sha256 of the whole file in results/provenance/models.
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
    if beginning != header(facts) or likeness(path) != expected:
        raise misfit(path, "these are not the vectors that the index and the card describe")


def misfit(path: str | Path, what: str) -> VectorFormatError:
    """The error for a file of a converted model that does not fit the others."""
    path = Path(path)
    return VectorFormatError(
        f"{path}: {what}; something changed a file of this model, or another version of fairflow "
        f"made it. Remove the folder {path.parent}; the next run makes the model again"
    )
