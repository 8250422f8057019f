"""A whole model in binary word2vec format, which other programs open; block by block."""

from __future__ import annotations

import logging
from contextlib import closing
from pathlib import Path

import numpy as np

from fairflow.files.atomic import atomic_path
from fairflow.vectors.companion_files import HEADER_BYTES
from fairflow.vectors.copying import FLOAT_BYTES
from fairflow.vectors.derived_store import DerivedStore
from fairflow.vectors.store import VectorStore
from fairflow.vectors.write_behind import WriteBehind

logger = logging.getLogger(__name__)


def write_word2vec(store: VectorStore | DerivedStore, path: str | Path) -> int:
    """Write all words of a model and their vectors; return how many there are.

    A word with a space is left out, as the format ends a word with one; up to ten are logged.

    Raises
    ------
    VectorFormatError : the model is damaged; nothing is written.
    """
    written, left_out = 0, []
    with atomic_path(path) as temporary, open(temporary, "wb") as file, WriteBehind(file) as target:
        # The number of words is known last; the header keeps its place with trailing spaces.
        target.write(b" " * HEADER_BYTES)
        with closing(store.rows_in_blocks()) as blocks:
            for words, _, vectors in blocks:
                if " " in "".join(words):
                    kept = [row for row, word in enumerate(words) if " " not in word]
                    left_out += [word for word in words if " " in word]
                    words, vectors = [words[row] for row in kept], vectors[kept]
                target.write(_records(words, vectors))
                written += len(words)
        target.finish()
        file.seek(0)
        file.write(f"{written} {store.dims}".ljust(HEADER_BYTES - 1).encode() + b"\n")
    if left_out:
        named = ", ".join(map(repr, left_out[:10])) + (", ..." if len(left_out) > 10 else "")
        logger.warning("%d words with a space are left out: %s", len(left_out), named)
    return written


def _records(words: list[str], vectors: np.ndarray) -> bytes:
    """Word, space and little-endian float32 values for each word."""
    size = vectors.shape[1] * FLOAT_BYTES
    data = np.ascontiguousarray(vectors, dtype="<f4").tobytes()
    parts = [b""] * (2 * len(words))
    parts[0::2] = [(word + " ").encode() for word in words]
    parts[1::2] = [data[start : start + size] for start in range(0, len(data), size)]
    return b"".join(parts)
