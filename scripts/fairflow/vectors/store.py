"""VectorStore: a converted model on disk. It reads single rows and checks its index."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

import numpy as np

from fairflow.files.atomic import atomic_path
from fairflow.vectors.fasttext_file import SubwordNgrams
from fairflow.vectors.word2vec_format import (
    BLOCK,
    FLOAT_BYTES,
    HEADER_BYTES,
    LAYOUT,
    Conversion,
    check_vectors,
    copy_records,
    cut_block,
    header,
    mark,
    misfit,
    read_vectors,
)
from fairflow.vectors.word_rows import Blocks, WordRows


class WordIndex:
    """The index of a model: word -> (row, offset in the file of vectors).

    Parameters
    ----------
    path : the SQLite file that `convert` writes.

    Raises
    ------
    VectorFormatError : here or later, the index is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            # Immutable: no locks, so that read-only and network file systems work.
            how = "mode=ro&immutable=1"
            self._connection = sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True)
        except sqlite3.Error as error:
            raise misfit(path, f"cannot be opened ({error})") from error

    def close(self) -> None:
        """Close the file; the index cannot be used afterwards."""
        self._connection.close()

    def card(self) -> bytes | None:
        """The text of the card in the index."""
        rows = self._rows("SELECT CAST(text AS BLOB) FROM card")
        return next(iter(rows), (None,))[0]

    def entry(self, word: str) -> tuple[int, int] | None:
        """Row and offset of a word; None if it is not in the model."""
        found = self.entries("WHERE word = ?", (word,))
        return next(((row, offset) for _, row, offset in found), None)

    def entries(
        self, where: str = "", values: Sequence[Any] = ()
    ) -> Iterator[tuple[str, int, int]]:
        """Word, row and offset of the entries that fit a condition, in the order of words."""
        for word, row, offset, checksum in self._rows(f"SELECT * FROM words {where}", values):
            if mark(word, row, offset) != checksum:
                raise misfit(self.path, f"the entry of {word!r} is damaged")
            yield word, row, offset

    def _rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._connection.execute(query, values)
        # SQLite's message may be damaged too.
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise misfit(self.path, f"damaged ({error})") from error


class VectorStore(WordRows):
    """Random access to the vectors of a converted model.

    Attributes
    ----------
    facts : the content of the card. dims : length of a vector.
    rows : number of rows, including those of repeated words.

    Parameters
    ----------
    vectors, index, card : the three files that `convert` and `derive` write.

    Raises
    ------
    VectorFormatError : here or at a look-up: the files do not belong together, are
        damaged, or were made by another version.
    """

    def __init__(self, vectors: str | Path, index: str | Path, card: str | Path) -> None:
        self._vectors = Path(vectors)
        self._index = WordIndex(Path(index))
        try:
            self.facts = _facts(Path(card), self._index)
            check_vectors(self._vectors, self.facts)
        except BaseException as error:
            self.close()
            if not isinstance(error, OSError):
                raise
            raise misfit(error.filename or vectors, f"cannot be read ({error.strerror})") from error
        self.dims: int = self.facts["dims"]
        self._binary: bool = self.facts["binary"]
        self._words: int = self.facts["words"]
        self.rows: int = self.facts["rows"]
        parts = self.facts.get("parts")
        self._parts = None if parts is None else SubwordNgrams(dims=self.dims, **parts)

    def close(self) -> None:
        """Close the index; the store cannot be used afterwards."""
        self._index.close()

    def __len__(self) -> int:
        return self._words

    def __contains__(self, word: str) -> bool:
        return self._index.entry(word) is not None

    def composes(self, word: str) -> bool:
        """Whether the vector of a word that is not listed is composed from its n-grams."""
        return self._parts is not None and bool(self._parts.of(word))

    def words(self) -> Iterator[str]:
        """Every distinct word, in the order of the file."""
        return (word for word, _, _ in self._index.entries("ORDER BY row"))

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """The rows of `words`: (len(words), dims), float32.

        Raises
        ------
        KeyError : a word that is not in the model and that it does not compose.
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
                if entry is not None:
                    continue
                if self._parts is None or not (ngrams := self._parts.of(word)):
                    raise KeyError(word)
                parts = self._parts.read(file, ngrams)
                matrix[row] = parts.sum(axis=0) / np.float32(len(parts))
        return matrix

    def row_of(self, word: str) -> int:
        """The position of a word in the file, from 0.

        Raises
        ------
        KeyError : a word that the model does not hold.
        """
        entry = self._index.entry(word)
        if entry is None:
            raise KeyError(word)
        return entry[0]

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """Row -> word, without rows of repeated words, and the vectors as the file has them.

        The index is read through once, as its order is that of words; the faster, the fewer rows
        come before the last of those that `step` does not divide.
        """
        # The first two conditions make the slow third one unnecessary for most rows.
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

    def rows_in_blocks(self) -> Blocks:
        """All distinct words in the order of the file, their rows and their vectors, in blocks.

        The vectors of a block are a matrix (words, dims), float32, of some megabytes.

        Raises
        ------
        VectorFormatError : words are missing in the index, or there are no vectors at these
            offsets.
        """
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

    def _rows(
        self, file: BinaryIO, entries: list[tuple[str, int, int]], following: int | None
    ) -> tuple[list[str], list[int], np.ndarray]:
        words, rows, offsets = (list(values) for values in zip(*entries, strict=True))
        first = offsets[0]
        file.seek(first)
        # In binary, vectors of n-grams may follow the last record.
        last = offsets[-1] + self.dims * FLOAT_BYTES - first if self._binary else -1
        data = file.read(last if following is None else following - first)
        starts = [offset - first for offset in offsets]
        try:
            return words, rows, cut_block(data, starts, self.dims, self._binary)
        except ValueError as error:
            what = f"no vectors of {self.dims} numbers after byte {first} ({error})"
            raise misfit(self._vectors, what) from error


def _facts(card: Path, index: WordIndex) -> dict[str, Any]:
    """The content of the card, which is compared with that in the index."""
    text = card.read_bytes()
    if text != index.card():
        raise misfit(card, f"this is not the card that {index.path.name} was made with")
    facts = json.loads(text)
    if facts["layout"] != LAYOUT:
        raise misfit(card, f"the files have layout {facts['layout']}, not {LAYOUT}")
    return facts


logger = logging.getLogger(__name__)


def write_word2vec(store: WordRows, path: str | Path) -> int:
    """Write all words of a model and their vectors; return their number.

    Words with a space are left out, because a space ends a word in this format; up to ten are
    logged.

    Raises
    ------
    VectorFormatError : the model is damaged; nothing is written.
    """
    left_out: list[str] = []
    copy = Conversion(str(path), offset=HEADER_BYTES)
    with atomic_path(path) as temporary, open(temporary, "wb") as file:
        file.write(header(0, store.dims))
        with closing(store.rows_in_blocks()) as blocks:
            for words, _, vectors in blocks:
                if " " in "".join(words):
                    kept = [row for row, word in enumerate(words) if " " not in word]
                    left_out += [word for word in words if " " in word]
                    words, vectors = [words[row] for row in kept], vectors[kept]
                encoded = [word.encode() for word in words]
                file.write(copy_records(encoded, np.ascontiguousarray(vectors, "<f4"), copy)[1])
        file.seek(0)
        file.write(header(copy.rows, store.dims))
    if left_out:
        named = ", ".join(map(repr, left_out[:10])) + (", ..." if len(left_out) > 10 else "")
        logger.warning("%d words with a space are left out: %s", len(left_out), named)
    return copy.rows
