"""Streaming readers: each yields (word, offset of its vector, bytes of its record)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from fairflow.errors import VectorFormatError

BUFFER = 1 << 20
FLOAT_BYTES = 4


@dataclass(frozen=True)
class Record:
    """One word of a vector file.

    Attributes
    ----------
    word : raw bytes, as in the file.
    vector_start : offset of the vector's first byte within `record`.
    record : the word's bytes as they go into word2vec format.
    """

    word: bytes
    vector_start: int
    record: bytes


def read_text(path: Path, header: bool) -> Iterator[Record]:
    """Records of a text file: a word, then numbers, separated by single ASCII spaces.

    A word may itself hold spaces or U+00A0: the vector is cut off from the right. Lines end at
    "\\n" alone; a carriage return, trailing spaces and empty lines are tolerated, and so is a
    byte order mark.

    Raises
    ------
    VectorFormatError : no vector at all, or a line with another number of values than the first.
    """
    dims: int | None = None
    with open(path, "rb", buffering=BUFFER) as file:
        for number, line in enumerate(file, start=1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
                if header:
                    dims = _header(line, path)[1]
                    continue
            line = line.rstrip(b" \r\n")
            if not line:
                continue
            if dims is None:
                dims = max(line.count(b" "), 1)
            fields = line.rsplit(b" ", dims)
            if (
                len(fields) != dims + 1
                or not fields[0]
                or not _is_number(fields[1])
                or _ends_in_a_value(fields[0])
            ):
                raise VectorFormatError(
                    f"{path}, line {number}: expected a word and {dims} numbers, found "
                    f"{line.count(b' ')} values after {line[:30].decode(errors='replace')!r}..."
                )
            yield Record(fields[0], len(fields[0]) + 1, line + b"\n")
    if dims is None:
        raise VectorFormatError(f"{path} holds no vector; is it the right file?")


def read_binary(path: Path) -> Iterator[Record]:
    """Records of a word2vec binary file: word, space, little-endian float32 values.

    Writers differ in whether they put a newline between records; both are read.

    Raises
    ------
    VectorFormatError : no header, or fewer records than the header promises.
    """
    with open(path, "rb", buffering=BUFFER) as file:
        count, dims = _header(file.readline(), path)
        size = dims * FLOAT_BYTES
        for number in range(count):
            word = _word_until_space(file)
            vector = file.read(size)
            if word is None or len(vector) < size:
                raise VectorFormatError(
                    f"{path} ends within vector {number + 1} of the {count} that its header "
                    "promises; it is truncated: delete it and run again"
                )
            yield Record(word, len(word) + 1, word + b" " + vector)


def read_gensim(path: Path) -> Iterator[Record]:
    """Records of a gensim KeyedVectors file.

    The file is a pickle, which can run code when it is opened: only a file whose checksum has
    been verified may come here.
    """
    import numpy as np
    from gensim.models import KeyedVectors

    vectors = KeyedVectors.load(os.fspath(path))
    for word, row in zip(vectors.index_to_key, vectors.vectors, strict=True):
        key = str(word).encode()
        yield Record(key, len(key) + 1, key + b" " + np.asarray(row, dtype="<f4").tobytes())


@dataclass(frozen=True)
class Format:
    """How a source file is read, and whether its word2vec form is binary."""

    read: Callable[[Path], Iterator[Record]]
    binary: bool


FORMATS: dict[str, Format] = {
    "glove-text": Format(lambda path: read_text(path, header=False), binary=False),
    "word2vec-text": Format(lambda path: read_text(path, header=True), binary=False),
    "word2vec-binary": Format(read_binary, binary=True),
    "gensim": Format(read_gensim, binary=True),
}


def _header(line: bytes, path: Path) -> tuple[int, int]:
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields) or int(fields[1]) < 1:
        raise VectorFormatError(
            f"{path}, line 1: expected 'COUNT DIMS', found {line[:40]!r}. "
            "A file without that line is glove-text"
        )
    return int(fields[0]), int(fields[1])


def _word_until_space(file: BinaryIO) -> bytes | None:
    word = bytearray()
    while (character := file.read(1)) != b" ":
        if not character:
            return None
        if word or character not in b"\r\n":
            word += character
    return bytes(word)


def _ends_in_a_value(word: bytes) -> bool:
    # The vector is longer than the first one: its surplus would pass for a part of the word.
    tail = word.rpartition(b" ")[2]
    return tail != word and tail[-1:].isdigit() and _is_number(tail)


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
