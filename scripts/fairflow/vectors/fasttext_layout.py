"""How a native fastText model is laid out, followed to its end before a number of it is read."""

from __future__ import annotations

import mmap
import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.vectors.copying import FLOAT_BYTES, LONGEST_WORD, MOST_DIMS
from fairflow.vectors.word_parts import WordParts

MAGIC = 793712314
# The longest parts of words; fastText's own models have six letters.
LONGEST_PART = 64


# Behind each word: how often it occurs, and its kind.
_COUNTS = struct.Struct("<qb")


@dataclass(frozen=True)
class FastTextLayout:
    """Where things lie in a native fastText model, in bytes from its beginning.

    Attributes
    ----------
    first_word : of its `words` words. matrix : the vectors of words, those of `parts` behind them.
    """

    first_word: int
    words: int
    matrix: int
    parts: WordParts

    @property
    def has_parts(self) -> bool:
        """Whether vectors of words are composed of those of their parts."""
        return self.parts.rows > 0 and self.parts.longest > 0


def read_layout(path: Path, origin: str) -> FastTextLayout:
    """Follow a file from its first byte to its last, without reading its numbers.

    The layout is that of `FastText::saveModel` and `Dictionary::save`, with and without the magic
    number of version 0.2 and later; integers are little-endian.

    Parameters
    ----------
    origin : what to call the file in errors.

    Raises
    ------
    VectorFormatError : it is no such model, ends early or goes on, is quantised or a classifier.
    """
    size = path.stat().st_size
    if size < 64:
        raise VectorFormatError(f"{origin} is no native fastText model: it has {size} bytes")
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return _Walk(data, origin).model()


def words_of(path: Path, layout: FastTextLayout) -> Iterator[bytes]:
    """The words of a model in the order of their vectors, as they stand there."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = layout.first_word
        for _ in range(layout.words):
            end = data.find(b"\0", at)
            yield data[at:end]
            at = end + 1 + _COUNTS.size


class _Walk:
    """A place in the bytes of a file, which goes forward."""

    def __init__(self, data: mmap.mmap, origin: str) -> None:
        self._data, self._origin = data, origin
        self._at = 0
        self._part = "head"

    def model(self) -> FastTextLayout:
        """All that a model holds, one after the other."""
        magic, version = self._take("2i")
        new = magic == MAGIC
        dims, _ = self._take("2i") if new else (magic, version)
        *_, bucket, shortest, longest, _ = self._take("10i")
        self._take("d")
        if not 0 < dims <= MOST_DIMS or bucket < 0:
            raise self._no_model(f"{dims} dims, {bucket} buckets")
        fitting = 0 <= shortest <= LONGEST_PART and 0 <= longest <= LONGEST_PART
        if not fitting or (longest > 0 and bucket == 0):
            raise self._no_model(f"parts of {shortest} to {longest} letters in {bucket} buckets")
        first_word, words = self._vocabulary(new)
        self._matrix(new, words + bucket, dims)
        matrix = self._at - (words + bucket) * dims * FLOAT_BYTES
        start = matrix + words * dims * FLOAT_BYTES
        # What the network gives out is not needed, but tells whether the file is whole.
        self._part = "second matrix"
        if self._matrix(new) and self._at != len(self._data):
            raise self._no_model(f"{len(self._data) - self._at:,} bytes follow its last matrix")
        parts = WordParts(start, bucket, dims, shortest, longest)
        return FastTextLayout(first_word, words, matrix, parts)

    def _vocabulary(self, new: bool) -> tuple[int, int]:
        """Pass the words; where the first one stands, and how many there are."""
        self._part = "vocabulary"
        size, count, labels = self._take("3i")
        self._take("q")
        (pruned,) = self._take("q") if new else (0,)
        if labels > 0:
            raise self._no_vectors("a classifier")
        if count < 1 or size != count:
            raise self._no_model(f"{count:,} words in a vocabulary of {size:,}")
        first_word = self._at
        # Of millions of words these take a tenth of the memory.
        seen = array("q")
        for number in range(1, count + 1):
            end = self._data.find(b"\0", self._at, self._at + LONGEST_WORD + 1)
            if end < 0 and self._at + LONGEST_WORD < len(self._data):
                raise self._no_model(f"word {number:,} has no end within {LONGEST_WORD:,} bytes")
            if end < 0:
                raise self._short()
            seen.append(hash(self._data[self._at : end]))
            self._at = end + 1
            self._skip(_COUNTS.size)
        if (distinct := len(np.unique(seen))) < count:
            raise self._no_model(f"{count - distinct:,} words stand twice in its vocabulary")
        self._skip(8 * max(0, pruned))
        return first_word, count

    def _matrix(self, new: bool, rows: int | None = None, dims: int | None = None) -> bool:
        """Pass a matrix; of a certain shape, if one is named. Whether it was a plain one."""
        self._part = self._part if rows is None else "matrix"
        if new and self._take("?")[0]:
            if rows is not None:
                raise self._no_vectors("quantised")
            return False
        shape = self._take("2q")
        if min(shape) < 0 or (rows is not None and shape != (rows, dims)):
            expected = "" if rows is None else f" instead of {rows:,} x {dims:,}"
            raise self._no_model(f"its {self._part} is {shape[0]:,} x {shape[1]:,}{expected}")
        self._skip(shape[0] * shape[1] * FLOAT_BYTES)
        return True

    def _take(self, kinds: str) -> tuple[Any, ...]:
        kinds = f"<{kinds}"
        start = self._at
        self._skip(struct.calcsize(kinds))
        return struct.unpack_from(kinds, self._data, start)

    def _skip(self, count: int) -> None:
        self._at += count
        if self._at > len(self._data):
            raise self._short()

    def _short(self) -> VectorFormatError:
        return VectorFormatError(
            f"{self._origin} ends within its {self._part}: it is truncated, or no native fastText "
            "model. Fetch it again"
        )

    def _no_model(self, what: str) -> VectorFormatError:
        return VectorFormatError(f"{self._origin} is no native fastText model: {what}")

    def _no_vectors(self, what: str) -> VectorFormatError:
        return VectorFormatError(
            f"{self._origin} is a fastText model that is {what}, which has no vectors to compare. "
            "Take the .vec file of the same model, as format fasttext-vec"
        )
