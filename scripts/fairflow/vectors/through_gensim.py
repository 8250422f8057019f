"""Native fastText models, which gensim reads."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np

from fairflow.files.streams import CheckedStream
from fairflow.vectors.copying import BLOCK, Copy, Row
from fairflow.vectors.fasttext_layout import check_fasttext_bin


def copy_fasttext_bin(stream: CheckedStream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """A native fastText model; vectors of its words, not those composed for other words.

    Raises
    ------
    VectorFormatError : it is not laid out as such a model; see `check_fasttext_bin`.
    """
    with _on_disk(stream) as path:
        # gensim looks for the end of a cut word for ever.
        check_fasttext_bin(path, copy.origin)
        from gensim.models.fasttext import load_facebook_vectors

        yield from _copy_vectors(load_facebook_vectors(os.fspath(path)), target, copy)


@contextmanager
def _on_disk(stream: CheckedStream) -> Iterator[Path]:
    """The bytes of a stream, verified, in a temporary file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors"
        with open(path, "wb") as file:
            shutil.copyfileobj(stream, file, BLOCK)
        stream.verify()
        yield path


def _copy_vectors(vectors: object, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    copy.dims = vectors.vector_size
    rows = []
    for word in vectors.index_to_key:
        head = str(word).encode() + b" "
        target.write(head + np.asarray(vectors[word], dtype="<f4").tobytes())
        rows.append((str(word), copy.rows, copy.offset + len(head)))
        copy.rows += 1
        copy.offset += len(head) + 4 * copy.dims
    yield rows
