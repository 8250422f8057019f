"""Vectors of some words, in memory or taken out of a file of any format in one pass."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.streams import open_packed
from fairflow.vectors.copying import Copy, Row
from fairflow.vectors.formats import FORMATS
from fairflow.vectors.row_reading import cut_block
from fairflow.vectors.word_list import WordList


@dataclass(frozen=True)
class FoundVectors:
    """The vectors of a query as a vocabulary of their own: what `WordEmbeddingModel` needs.

    Attributes
    ----------
    rows : word -> vector (dims,). dims : length of a vector, for a vocabulary without words.
    """

    rows: Mapping[str, np.ndarray]
    dims: int = 0

    def __contains__(self, word: str) -> bool:
        return word in self.rows

    def __len__(self) -> int:
        return len(self.rows)

    def words(self) -> Iterator[str]:
        """In the order of their rows."""
        return iter(self.rows)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """(len(words), dims)."""
        if not words:
            return np.empty((0, self.dims), dtype=np.float32)
        return np.array([self.rows[word] for word in words])


def find_vectors(
    source: str | Path,
    vector_format: str,
    forms: Collection[str],
    packing: Mapping[str, Any] | None = None,
    words: Mapping[str, Any] | None = None,
) -> FoundVectors:
    """The vectors of some forms, float32, as a converted model has them; nothing is written.

    The whole file is read and checked, a block at a time, so that of a stream of text or binary no
    more than some megabytes are held.

    Parameters
    ----------
    source, vector_format, packing, words : as for `fairflow.vectors.convert.convert`.

    Raises
    ------
    DownloadError, VectorFormatError : the file is not what it should be.
    """
    member = (packing or {}).get("member")
    origin = f"{member} of {source}" if member else str(source)
    listed = None if words is None else WordList(**{"path": source} | dict(words))
    copy = Copy(origin, offset=0, words=listed)
    window = _Window(frozenset(forms), FORMATS[vector_format].binary)
    with open_packed(Path(source), **(packing or {})) as stream:
        for rows in FORMATS[vector_format].copy(stream, window, copy):
            window.keep(rows, copy.dims)
    if not copy.rows:
        raise VectorFormatError(f"{origin} holds no vector; is it the right file?")
    return FoundVectors(window.found, copy.dims)


class _Window:
    """Takes the place of the file that a format writes, and keeps what was written last.

    Attributes
    ----------
    found : the wanted vectors so far; of equal words the first, as in a converted model.
    """

    def __init__(self, wanted: frozenset[str], binary: bool) -> None:
        self.found: dict[str, np.ndarray] = {}
        self._wanted, self._binary = wanted, binary
        self._pieces: list[bytes] = []
        self._start = 0

    def write(self, data: bytes) -> None:
        """Take records as a format writes them."""
        self._pieces.append(data)

    def keep(self, rows: Sequence[Row], dims: int) -> None:
        """Keep the wanted vectors of the records written since the last call; drop the rest."""
        data = b"".join(self._pieces)
        self._pieces.clear()
        offset_of: dict[str, int] = {}
        for word, _, offset in rows:
            if word in self._wanted and word not in self.found:
                offset_of.setdefault(word, offset)
        if offset_of:
            places = [offset - self._start for offset in offset_of.values()]
            vectors = cut_block(data, places, dims, self._binary)
            self.found.update(zip(offset_of, vectors, strict=True))
        self._start += len(data)
