"""VectorStore: a converted model on disk, of which only the rows asked for are read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from fairflow.vectors.companion_files import HEADER_BYTES, LAYOUT, check_vectors, misfit
from fairflow.vectors.copying import BLOCK, FLOAT_BYTES
from fairflow.vectors.row_reading import cut_block, cut_records, read_vectors
from fairflow.vectors.word_index import WordIndex
from fairflow.vectors.word_parts import WordParts


class VectorStore:
    """Random access to the vectors of a converted model.

    Attributes
    ----------
    facts : what the card says. dims : length of a vector.
    rows : positions that words may have, those of repeated words counted.

    Parameters
    ----------
    vectors, index, card : the three files that `convert` and `derive` write.

    Raises
    ------
    VectorFormatError : here or when something is looked up: the files do not belong together, are
        damaged, or were made by another version.
    """

    def __init__(self, vectors: str | Path, index: str | Path, card: str | Path) -> None:
        self._vectors = Path(vectors)
        self._index = WordIndex(Path(index))
        try:
            self.facts = _facts(Path(card), self._index)
            check_vectors(self._vectors, self.facts)
        except BaseException:
            self.close()
            raise
        self.dims: int = self.facts["dims"]
        self._binary: bool = self.facts["binary"]
        self._words: int = self.facts["words"]
        self.rows: int = self.facts["rows"]
        parts = self.facts.get("parts")
        self._parts = None if parts is None else WordParts(dims=self.dims, **parts)

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
        return self._index.entry(word) is not None

    def composes(self, word: str) -> bool:
        """Whether the vector of a word that is not listed is made of those of its parts."""
        return self._parts is not None and bool(self._parts.of(_bytes(word)))

    def words(self) -> Iterator[str]:
        """Every distinct word, in the order of the file."""
        return self._index.words()

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """The rows of `words`: (len(words), dims), float32.

        Raises
        ------
        KeyError : a word that the model neither holds nor `composes`.
        """
        found = [(word, self._index.entry(word)) for word in words]
        entries = [(word, entry[1]) for word, entry in found if entry is not None]
        read = read_vectors(self._vectors, entries, self.dims, self._binary)
        if len(entries) == len(words):
            return read
        matrix = np.empty((len(words), self.dims), dtype=np.float32)
        matrix[[entry is not None for _, entry in found]] = read
        with open(self._vectors, "rb", buffering=0) as file:
            for row, (word, entry) in enumerate(found):
                if entry is None:
                    matrix[row] = self._composed(word, file)
        return matrix

    def _composed(self, word: str, file: BinaryIO) -> np.ndarray:
        """The mean vector of the parts of a word: (dims,)."""
        if not self.composes(word):
            raise KeyError(word)
        vectors = self._parts.read(file, self._parts.of(_bytes(word)))
        return vectors.sum(axis=0) / np.float32(len(vectors))

    def row_of(self, word: str) -> int:
        """The position of a word in the file, from 0.

        Raises
        ------
        KeyError : a word that the model does not hold.
        """
        return self._existing(word)[0]

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """Row -> word, without rows of repeated words, and the vectors as the file has them.

        The index is read through once, as its order is that of words; the faster, the fewer rows
        come before the last of those that `step` does not divide.
        """
        # The first two conditions spare most rows the costly third.
        where = (
            "WHERE row <= ? AND (row <= ? OR row % ? = 0) "
            "AND row IN (SELECT value FROM json_each(?))"
        )
        last, last_between = (
            max(some, default=-1) for some in (rows, [r for r in rows if r % step])
        )
        bounds = (last, last_between, step)
        entries = self._index.entries(where, (*bounds, json.dumps(list(rows))))
        in_order = sorted((row, word, offset) for word, row, offset in entries)
        located = [(word, offset) for _, word, offset in in_order]
        words = {row: word for row, word, _ in in_order}
        return words, read_vectors(self._vectors, located, self.dims, self._binary)

    def blocks(self) -> Iterator[np.ndarray]:
        """The vectors of all distinct words, as the file has them and in its order.

        Each block is a matrix (words, dims), float32, of some megabytes; besides it 8 bytes for
        each word are held.

        Raises
        ------
        VectorFormatError : what stands there are no vectors of that length.
        """
        offsets = np.fromiter((offset for _, _, offset in self._index.entries()), dtype=np.int64)
        if len(offsets) != self._words:
            raise misfit(self._index.path, f"{len(offsets)} words instead of {self._words}")
        offsets.sort()
        with open(self._vectors, "rb") as file:
            start = 0
            while start < len(offsets):
                end = max(start + 1, int(np.searchsorted(offsets, offsets[start] + BLOCK)))
                block = offsets[start:end]
                following = int(offsets[end]) if end < len(offsets) else None
                yield self._block(file, block, following)
                start = end

    def rows_in_blocks(self) -> Iterator[tuple[list[str], list[int], np.ndarray]]:
        """All distinct words in the order of the file, their rows and their vectors, in blocks.

        The vectors of a block are a matrix (words, dims), float32, of some megabytes.

        Raises
        ------
        VectorFormatError : the index lacks words, or what stands there are no vectors.
        """
        if self._binary and self.rows == self._words:
            yield from self._records()
            return
        count = 0
        gathered: list[tuple[str, int, int]] = []
        with open(self._vectors, "rb") as file:
            for entry in self._index.entries("ORDER BY row"):
                if gathered and entry[2] >= gathered[0][2] + BLOCK:
                    yield self._rows(file, gathered, entry[2])
                    gathered = []
                gathered.append(entry)
                count += 1
            if count != self._words:
                raise misfit(self._index.path, f"{count} words instead of {self._words}")
            if gathered:
                yield self._rows(file, gathered, None)

    def _records(self) -> Iterator[tuple[list[str], list[int], np.ndarray]]:
        """As `rows_in_blocks`, of a file in which there is nothing but one record for each word."""
        offsets = self._index.offsets()
        if len(offsets) != self._words:
            raise misfit(self._index.path, f"{len(offsets)} words instead of {self._words}")
        size = self.dims * FLOAT_BYTES
        if offsets[0] <= HEADER_BYTES or (np.diff(offsets) <= size).any():
            raise misfit(self._index.path, "its entries overlap")
        with open(self._vectors, "rb") as file:
            start = 0
            while start < len(offsets):
                end = max(start + 1, int(np.searchsorted(offsets, offsets[start] + BLOCK)))
                first = int(offsets[start - 1]) + size if start else HEADER_BYTES
                file.seek(first)
                data = file.read(int(offsets[end - 1]) + size - first)
                begins = np.concatenate(([first], offsets[start : end - 1] + size))
                places = begins - first, offsets[start:end] - first
                try:
                    words, vectors = cut_records(data, *places, self.dims)
                except ValueError as error:
                    raise misfit(self._vectors, f"after byte {first}: {error}") from error
                yield words, list(range(start, end)), vectors
                start = end

    def _rows(
        self, file: BinaryIO, entries: list[tuple[str, int, int]], following: int | None
    ) -> tuple[list[str], list[int], np.ndarray]:
        words, rows, offsets = (list(values) for values in zip(*entries, strict=True))
        return words, rows, self._block(file, np.array(offsets), following)

    def _block(self, file: BinaryIO, offsets: np.ndarray, following: int | None) -> np.ndarray:
        first = int(offsets[0])
        file.seek(first)
        # Vectors of parts may stand behind the last record in binary.
        last = int(offsets[-1]) + self.dims * FLOAT_BYTES - first if self._binary else -1
        data = file.read(last if following is None else following - first)
        starts = (offsets - first).tolist()
        try:
            return cut_block(data, starts, self.dims, self._binary)
        except ValueError as error:
            what = f"no vectors of {self.dims} numbers after byte {first} ({error})"
            raise misfit(self._vectors, what) from error

    def _existing(self, word: str) -> tuple[int, int]:
        entry = self._index.entry(word)
        if entry is None:
            raise KeyError(word)
        return entry


def _bytes(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")


def _facts(card: Path, index: WordIndex) -> dict[str, Any]:
    """What the card says, once it is known to be that of the index."""
    text = card.read_bytes()
    if text != index.card():
        raise misfit(card, f"this is not the card that {index.path.name} was made with")
    facts = json.loads(text)
    if facts["layout"] != LAYOUT:
        raise misfit(card, f"the files have layout {facts['layout']}, not {LAYOUT}")
    return facts
