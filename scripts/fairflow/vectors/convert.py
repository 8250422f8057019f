"""From a downloaded file to word2vec format with an index, in one streaming pass."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files import atomic_path
from fairflow.vectors.formats import FLOAT_BYTES, FORMATS, Record

HEADER_BYTES = 40


def convert(
    source: str | Path, vector_format: str, vectors: str | Path, index: str | Path, card: str | Path
) -> dict[str, Any]:
    """Write the word2vec form of `source`, its index and its card; return the card.

    Parameters
    ----------
    source : verified file of vectors.
    vector_format : a key of `fairflow.vectors.formats.FORMATS`.
    vectors : word2vec format, text or binary, which gensim's load_word2vec_format opens.
    index : SQLite table word -> (row, offset of the vector in `vectors`). The first of equal
        words wins.
    card : JSON with words, dims, duplicates and the distribution of vector lengths.

    Raises
    ------
    VectorFormatError : the file does not follow the format; nothing is written.
    """
    form = FORMATS[vector_format]
    with atomic_path(vectors) as new_vectors, atomic_path(index) as new_index:
        with open(new_vectors, "wb", buffering=1 << 20) as file:
            facts = _write(form.read(Path(source)), form.binary, file, new_index)
        with atomic_path(card) as new_card:
            new_card.write_text(json.dumps(facts, indent=1) + "\n")
    return facts


def _write(records: Iterator[Record], binary: bool, file: BinaryIO, index: Path) -> dict[str, Any]:
    file.write(b" " * HEADER_BYTES)
    norms: list[float] = []
    dims = [0]

    def rows() -> Iterator[tuple[str, int, int]]:
        offset = HEADER_BYTES
        for row, record in enumerate(records):
            try:
                vector = _parse(record.record[record.vector_start :], binary)
            except ValueError as error:
                raise VectorFormatError(f"vector {row + 1}, {record.word!r}: {error}") from None
            dims[0] = dims[0] or len(vector)
            norms.append(float(np.linalg.norm(vector.astype(np.float64))))
            yield record.word.decode(errors="replace"), row, offset + record.vector_start
            file.write(record.record)
            offset += len(record.record)

    distinct = _write_index(rows(), index)
    if not norms:
        raise VectorFormatError("the file holds no vector")
    # The count is known only now; the header keeps its place with trailing spaces.
    file.seek(0)
    file.write(f"{len(norms)} {dims[0]}".ljust(HEADER_BYTES - 1).encode() + b"\n")
    return _card(np.array(norms), dims[0], distinct, binary)


def _write_index(rows: Iterator[tuple[str, int, int]], path: Path) -> int:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        connection.execute(
            "CREATE TABLE words (word TEXT PRIMARY KEY, row INTEGER, offset INTEGER) WITHOUT ROWID"
        )
        connection.executemany("INSERT OR IGNORE INTO words VALUES (?, ?, ?)", rows)
        (distinct,) = connection.execute("SELECT count(*) FROM words").fetchone()
        connection.execute("COMMIT")
    finally:
        connection.close()
    return distinct


def _card(norms: np.ndarray, dims: int, distinct: int, binary: bool) -> dict[str, Any]:
    finite = norms[np.isfinite(norms)]
    return {
        "words": distinct,
        "duplicates": len(norms) - distinct,
        "dims": dims,
        "binary": binary,
        "mean_length": float(finite.mean()),
        "sd_length": float(finite.std()),
        "share_of_unit_length": float((abs(finite - 1) < 1e-4).mean()),
        "zero_vectors": int((norms == 0).sum()),
        "not_finite": int(len(norms) - len(finite)),
    }


def _parse(vector: bytes, binary: bool) -> np.ndarray:
    if binary:
        return np.frombuffer(vector, dtype="<f4", count=len(vector) // FLOAT_BYTES)
    return np.array(vector.split(b" "), dtype=np.float64).astype(np.float32)
