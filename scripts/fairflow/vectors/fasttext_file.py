"""fastText's native .bin: its layout, its words, and its subword n-grams.

fastText sums the vectors of subword n-grams to build the vector of a word: Bojanowski et al.
(2017), "Enriching Word Vectors with Subword Information". A hash of an n-gram gives its row in one
matrix, so that n-grams may share a row.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.packed_files import CheckedStream
from fairflow.vectors.word2vec_format import (
    BLOCK,
    FLOAT_BYTES,
    LONGEST_WORD,
    MOST_DIMS,
    Conversion,
    Records,
    copy_records,
    rows_of_matrix,
)


@dataclass(frozen=True)
class SubwordNgrams:
    """The subword n-grams of words, and the position of their vectors in a file.

    Attributes
    ----------
    start : the first byte of the matrix in the file; it has `rows` rows of `dims` float32.
    shortest, longest : letters of an n-gram, including the marks of the word's begin and end.
    """

    start: int
    rows: int
    dims: int
    shortest: int
    longest: int

    def of(self, word: str) -> list[int]:
        """The rows of a word's n-grams, in the order in which fastText adds them up."""
        from gensim.models.fasttext import ft_ngram_hashes

        return [*ft_ngram_hashes(word, self.shortest, self.longest, self.rows)]

    def read(self, file: BinaryIO, rows: Sequence[int]) -> np.ndarray:
        """Some rows of the matrix, without reading the others: (rows, dims), float32.

        Raises
        ------
        ValueError : the file ends before these rows.
        """
        distinct, places = np.unique(rows, return_inverse=True)
        return rows_of_matrix(file, distinct.tolist(), self.dims, self.start)[places]


MAGIC = 793712314
# The longest n-gram that is allowed; those of fastText's own models have six letters.
LONGEST_PART = 64
# After each word: its count and its type.
_COUNTS = struct.Struct("<qb")


@dataclass(frozen=True)
class FastTextLayout:
    """Positions of the parts of a native fastText model, in bytes from its beginning.

    Attributes
    ----------
    first_word : of its `words` words. matrix : the vectors of words, followed by those of n-grams.
    """

    first_word: int
    words: int
    matrix: int
    parts: SubwordNgrams

    @property
    def has_parts(self) -> bool:
        """Whether vectors of words are composed from those of their n-grams."""
        return self.parts.rows > 0 and self.parts.longest > 0


def read_layout(path: Path, origin: str) -> FastTextLayout:
    """Scan a file from its first byte to its last, without reading its numbers.

    The layout is that of `FastText::saveModel` and `Dictionary::save` since their magic number;
    integers are little-endian.

    Parameters
    ----------
    origin : name of the file in errors.

    Raises
    ------
    VectorFormatError : it is not such a model, is truncated, has further bytes, is quantised or is
        a classifier.
    """
    size = path.stat().st_size
    if size < 64:
        raise VectorFormatError(f"{origin} is not a native fastText model: it has {size} bytes")
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return _Walk(data, origin).model()


def words_in_order(path: Path, layout: FastTextLayout) -> Iterator[bytes]:
    """The words of a model as written in the file, in the order of their vectors."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = layout.first_word
        for _ in range(layout.words):
            end = data.find(b"\0", at)
            yield data[at:end]
            at = end + 1 + _COUNTS.size


class _Walk:
    """A position in the bytes of a file that only moves forward."""

    def __init__(self, data: mmap.mmap, origin: str) -> None:
        self._data, self._origin = data, origin
        self._at = 0
        self._part = "head"

    def model(self) -> FastTextLayout:
        """The layout of a whole model."""
        magic, _, dims, *_, bucket, shortest, longest, _ = self._take("14i")
        if magic != MAGIC:
            raise self._no_model("it does not begin with its number, as since 2017")
        self._take("d")
        if not 0 < dims <= MOST_DIMS or bucket < 0:
            raise self._no_model(f"{dims} dims, {bucket} buckets")
        fitting = 0 <= shortest <= LONGEST_PART and 0 <= longest <= LONGEST_PART
        if not fitting or (longest > 0 and bucket == 0):
            raise self._no_model(f"parts of {shortest} to {longest} letters in {bucket} buckets")
        first_word, words = self._vocabulary()
        self._matrix(words + bucket, dims)
        matrix = self._at - (words + bucket) * dims * FLOAT_BYTES
        start = matrix + words * dims * FLOAT_BYTES
        # The output layer is not needed, but shows whether the file is complete.
        self._part = "second matrix"
        if self._matrix() and self._at != len(self._data):
            raise self._no_model(f"{len(self._data) - self._at:,} bytes follow its last matrix")
        parts = SubwordNgrams(start, bucket, dims, shortest, longest)
        return FastTextLayout(first_word, words, matrix, parts)

    def _vocabulary(self) -> tuple[int, int]:
        """Skip the words; return the position of the first one, and their number."""
        self._part = "vocabulary"
        size, count, labels = self._take("3i")
        self._take("q")
        (pruned,) = self._take("q")
        if labels > 0:
            raise self._no_vectors("a classifier")
        if count < 1 or size != count:
            raise self._no_model(f"{count:,} words in a vocabulary of {size:,}")
        first_word = self._at
        for number in range(1, count + 1):
            end = self._data.find(b"\0", self._at, self._at + LONGEST_WORD + 1)
            if end < 0 and self._at + LONGEST_WORD < len(self._data):
                raise self._no_model(f"word {number:,} has no end within {LONGEST_WORD:,} bytes")
            if end < 0:
                raise self._short()
            self._at = end + 1
            self._skip(_COUNTS.size)
        self._skip(8 * max(0, pruned))
        return first_word, count

    def _matrix(self, rows: int | None = None, dims: int | None = None) -> bool:
        """Skip a matrix and check its shape, if one is given; return whether it is dense."""
        self._part = self._part if rows is None else "matrix"
        if self._take("?")[0]:
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
            f"{self._origin} ends within its {self._part}: it is truncated, or not a native "
            "fastText model. Fetch it again"
        )

    def _no_model(self, what: str) -> VectorFormatError:
        return VectorFormatError(f"{self._origin} is not a native fastText model: {what}")

    def _no_vectors(self, what: str) -> VectorFormatError:
        return VectorFormatError(
            f"{self._origin} is a fastText model that is {what}, without vectors to compare. Use "
            "the .vec file of the same model, with the format fasttext-vec"
        )


WORDS_AT_ONCE = 1000


def copy_fasttext_bin(stream: CheckedStream, copy: Conversion) -> Iterator[Records]:
    """A native fastText model: the vectors of its words, each composed with those of its n-grams.

    With `copy.with_parts`, the vectors of n-grams follow the last word, and `copy.facts` says how
    to compose other words from them.

    Raises
    ------
    VectorFormatError : it does not have the layout of such a model; see `read_layout`.
    """
    with stream.on_disk() as path, open(path, "rb", buffering=0) as file:
        layout = read_layout(path, copy.origin)
        copy.dims = layout.parts.dims
        left = words_in_order(path, layout)
        while words := list(islice(left, WORDS_AT_ONCE)):
            yield _copy_words(words, layout, file, copy)
        if copy.with_parts and layout.has_parts:
            copy.facts["parts"] = {
                "start": copy.offset,
                "rows": layout.parts.rows,
                "shortest": layout.parts.shortest,
                "longest": layout.parts.longest,
            }
            left_bytes = layout.parts.rows * copy.dims * FLOAT_BYTES
            file.seek(layout.parts.start)
            for start in range(0, left_bytes, BLOCK):
                yield [], file.read(min(BLOCK, left_bytes - start))


def _copy_words(
    words: Sequence[bytes],
    layout: FastTextLayout,
    file: BinaryIO,
    copy: Conversion,
) -> Records:
    parts = layout.parts
    size = parts.dims * FLOAT_BYTES
    file.seek(layout.matrix + copy.rows * size)
    own = np.frombuffer(file.read(len(words) * size), dtype="<f4").reshape(-1, parts.dims)
    rows_of = [parts.of(w.decode("utf-8", "replace")) if layout.has_parts else [] for w in words]
    ends = np.cumsum([len(rows) for rows in rows_of])
    read = parts.read(file, [row for rows in rows_of for row in rows])
    composed = [
        np.concatenate([vector[np.newaxis], read[end - len(some) : end]]).sum(axis=0)
        / np.float32(1 + len(some))
        for vector, end, some in zip(own, ends, rows_of, strict=True)
    ]
    return copy_records(words, composed, copy)
