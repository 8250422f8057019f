"""VectorStore: a converted model on disk, of which only the rows asked for are read."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.vectors.copying import BLOCK, FLOAT_BYTES


class VectorStore:
    """Random access to the vectors of a converted model.

    Parameters
    ----------
    vectors, index, card : the three files that `convert` writes.
    normalised : serve each vector divided by its length, without another file.
    """

    def __init__(
        self,
        vectors: str | Path,
        index: str | Path,
        card: str | Path,
        normalised: bool = False,
    ) -> None:
        self._vectors = Path(vectors)
        self.normalised = normalised
        facts = json.loads(Path(card).read_text())
        self.dims: int = facts["dims"]
        self._binary: bool = facts["binary"]
        self._words: int = facts["words"]
        # Of the file, repeated words counted.
        self.rows: int = facts["words"] + facts["duplicates"]
        # Immutable: no locks, so that a read-only or network file system serves.
        self._index = sqlite3.connect(f"file:{quote(str(index))}?immutable=1", uri=True)

    def close(self) -> None:
        """Close the index; the store is of no use afterwards."""
        self._index.close()

    def __enter__(self) -> VectorStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self._words

    def __contains__(self, word: str) -> bool:
        query = "SELECT 1 FROM words WHERE word = ?"
        return self._index.execute(query, (word,)).fetchone() is not None

    def words(self) -> Iterator[str]:
        """Every distinct word, in the order of the file."""
        for (word,) in self._index.execute("SELECT word FROM words ORDER BY row"):
            yield word

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """The rows of `words`: (len(words), dims), float32.

        Raises
        ------
        KeyError : a word that the model does not hold.
        """
        offsets = [self._entry("offset", word) for word in words]
        matrix = read_vectors(self._vectors, offsets, self.dims, self._binary)
        return unit_length(matrix, words) if self.normalised else matrix

    def row_of(self, word: str) -> int:
        """The position of a word in the file, from 0.

        Raises
        ------
        KeyError : a word that the model does not hold.
        """
        return self._entry("row", word)

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """Row -> word, without rows of repeated words, and the vectors as the file has them.

        The index is read through once, as its order is that of words; the faster, the fewer rows
        come before the last of those that `step` does not divide.
        """
        # The first two conditions spare most rows the costly third.
        query = (
            "SELECT row, word, offset FROM words WHERE row <= ? AND (row <= ? OR row % ? = 0) "
            "AND row IN (SELECT value FROM json_each(?))"
        )
        last, last_between = (
            max(some, default=-1) for some in (rows, [r for r in rows if r % step])
        )
        bounds = (last, last_between, step)
        found = sorted(self._index.execute(query, (*bounds, json.dumps(list(rows)))))
        offsets = [offset for _, _, offset in found]
        words = {row: word for row, word, _ in found}
        return words, read_vectors(self._vectors, offsets, self.dims, self._binary)

    def blocks(self) -> Iterator[np.ndarray]:
        """The vectors of all distinct words, as the file has them and in its order.

        Each block is a matrix (words, dims), float32, of some megabytes; besides it 8 bytes for
        each word are held.

        Raises
        ------
        VectorFormatError : what stands there are no vectors of that length.
        """
        found = self._index.execute("SELECT offset FROM words")
        offsets = np.fromiter((o for (o,) in found), dtype=np.int64, count=self._words)
        offsets.sort()
        with open(self._vectors, "rb") as file:
            start = 0
            while start < len(offsets):
                end = max(start + 1, int(np.searchsorted(offsets, offsets[start] + BLOCK)))
                block = offsets[start:end]
                following = int(offsets[end]) if end < len(offsets) else None
                yield self._block(file, block, following)
                start = end

    def _block(self, file: BinaryIO, offsets: np.ndarray, following: int | None) -> np.ndarray:
        first = int(offsets[0])
        file.seek(first)
        data = file.read(-1 if following is None else following - first)
        starts = (offsets - first).tolist()
        try:
            matrix = (
                _cut_binary(data, starts, self.dims) if self._binary else _cut_text(data, starts)
            )
            return matrix.reshape(len(offsets), self.dims)
        except ValueError as error:
            raise VectorFormatError(
                f"{self._vectors}: no vectors of {self.dims} numbers after byte {first}: {error}"
            ) from error

    def _entry(self, column: str, word: str) -> int:
        query = f"SELECT {column} FROM words WHERE word = ?"
        found = self._index.execute(query, (word,)).fetchone()
        if found is None:
            raise KeyError(word)
        return found[0]


def read_vectors(path: Path, offsets: Sequence[int], dims: int, binary: bool) -> np.ndarray:
    """The vectors that start at some offsets of a file in word2vec format: (offsets, dims).

    Raises
    ------
    VectorFormatError : what stands there is no vector of that length.
    """
    matrix = np.empty((len(offsets), dims), dtype=np.float32)
    with open(path, "rb") as file:
        for row in np.argsort(offsets, kind="stable"):
            file.seek(offsets[row])
            try:
                matrix[row] = _read_binary(file, dims) if binary else _read_text(file)
            except ValueError as error:
                raise VectorFormatError(
                    f"{path}: no vector of {dims} numbers at byte {offsets[row]}: {error}"
                ) from error
    return matrix


def _read_binary(file: BinaryIO, dims: int) -> np.ndarray:
    return np.frombuffer(file.read(dims * FLOAT_BYTES), dtype="<f4")


def _read_text(file: BinaryIO) -> np.ndarray:
    return np.array(file.readline().split(), dtype=np.float64).astype(np.float32)


def _cut_binary(data: bytes, starts: Sequence[int], dims: int) -> np.ndarray:
    size = dims * FLOAT_BYTES
    return np.frombuffer(b"".join([data[start : start + size] for start in starts]), dtype="<f4")


def _cut_text(data: bytes, starts: Sequence[int]) -> np.ndarray:
    lines = b"\n".join([data[start : data.index(b"\n", start)] for start in starts])
    return np.loadtxt(io.BytesIO(lines), dtype=np.float64, comments=None).astype(np.float32)


def unit_length(matrix: np.ndarray, words: Iterable[str]) -> np.ndarray:
    """Rows divided by their Euclidean length, computed in double precision.

    Raises
    ------
    VectorFormatError : a zero vector, which has no direction; the words are named.
    """
    lengths = np.linalg.norm(matrix.astype(np.float64), axis=1, keepdims=True)
    zero = [word for word, length in zip(words, lengths[:, 0], strict=True) if length == 0]
    if zero:
        raise VectorFormatError(f"a zero vector has no unit-length twin: {', '.join(zero)}")
    return (matrix / lengths).astype(matrix.dtype)
