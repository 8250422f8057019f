"""VectorStore: a converted model on disk, of which only the rows asked for are read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.vectors.formats import FLOAT_BYTES


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
        self._normalised = normalised
        facts = json.loads(Path(card).read_text())
        self.dims: int = facts["dims"]
        self._binary: bool = facts["binary"]
        self._words: int = facts["words"]
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
        offsets = [self._offset(word) for word in words]
        matrix = read_vectors(self._vectors, offsets, self.dims, self._binary)
        return unit_length(matrix, words) if self._normalised else matrix

    def _offset(self, word: str) -> int:
        query = "SELECT offset FROM words WHERE word = ?"
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
