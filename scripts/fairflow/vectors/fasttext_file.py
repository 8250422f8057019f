"""Native fastText models, of which never more than some rows are in memory."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np

from fairflow.files.streams import CheckedStream
from fairflow.vectors.copying import BLOCK, FLOAT_BYTES, Copy, Row
from fairflow.vectors.fasttext_layout import FastTextLayout, read_layout, words_of
from fairflow.vectors.word_parts import WordParts

WORDS_AT_ONCE = 1000


def copy_fasttext_bin(stream: CheckedStream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """A native fastText model: the vectors of its words, each composed with those of its parts.

    Where `copy.with_parts`, the vectors of parts follow the last word, and `copy.facts` tell how to
    compose other words of them.

    Raises
    ------
    VectorFormatError : it is not laid out as such a model; see `read_layout`.
    """
    with _on_disk(stream) as path, open(path, "rb", buffering=0) as file:
        layout = read_layout(path, copy.origin)
        copy.dims = layout.parts.dims
        left = words_of(path, layout)
        while words := list(islice(left, WORDS_AT_ONCE)):
            yield _copy_words(words, layout, file, target, copy)
        if copy.with_parts and layout.has_parts:
            copy.facts["parts"] = {
                "start": copy.offset,
                "rows": layout.parts.rows,
                "shortest": layout.parts.shortest,
                "longest": layout.parts.longest,
            }
            _copy_parts(layout.parts, file, target)


@contextmanager
def _on_disk(stream: CheckedStream) -> Iterator[Path]:
    """The bytes of a stream, verified, in a file: the one they come from, or a temporary one."""
    if stream.plain is not None:
        stream.verify()
        yield stream.plain
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors"
        with open(path, "wb") as file:
            shutil.copyfileobj(stream, file, BLOCK)
        stream.verify()
        yield path


def _copy_words(
    words: Sequence[bytes],
    layout: FastTextLayout,
    file: BinaryIO,
    target: BinaryIO,
    copy: Copy,
) -> list[Row]:
    parts = layout.parts
    size = parts.dims * FLOAT_BYTES
    file.seek(layout.matrix + copy.rows * size)
    own = np.frombuffer(file.read(len(words) * size), dtype="<f4").reshape(-1, parts.dims)
    rows_of = [parts.of(word) if layout.has_parts else [] for word in words]
    ends = np.cumsum([len(rows) for rows in rows_of])
    read = parts.read(file, [row for rows in rows_of for row in rows])
    records, rows = [], []
    for word, vector, end, some in zip(words, own, ends, rows_of, strict=True):
        vectors = np.concatenate([vector[np.newaxis], read[end - len(some) : end]])
        head = word + b" "
        records += [head, (vectors.sum(axis=0) / np.float32(len(vectors))).tobytes()]
        rows.append((word.decode("utf-8", "replace"), copy.rows, copy.offset + len(head)))
        copy.rows += 1
        copy.offset += len(head) + size
    target.write(b"".join(records))
    return rows


def _copy_parts(parts: WordParts, file: BinaryIO, target: BinaryIO) -> None:
    left = parts.rows * parts.dims * FLOAT_BYTES
    file.seek(parts.start)
    while left:
        block = file.read(min(BLOCK, left))
        target.write(block)
        left -= len(block)
