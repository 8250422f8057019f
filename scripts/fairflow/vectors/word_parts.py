"""Parts of words, of whose vectors fastText composes those of words.

Bojanowski et al. (2017), "Enriching Word Vectors with Subword Information": a word is the bag of
its runs of letters, which share the rows of one matrix by their checksums.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from fairflow.vectors.copying import FLOAT_BYTES

_BASIS, _PRIME, _MASK = 2166136261, 16777619, 0xFFFFFFFF
# fastText takes bytes from 128 as negative numbers; these are their 32 bits.
_SIGNED = [byte if byte < 128 else byte | 0xFFFFFF00 for byte in range(256)]


@dataclass(frozen=True)
class WordParts:
    """Where the vectors of parts lie in a file, and which parts words have.

    Attributes
    ----------
    start : the first byte of the matrix in the file, of `rows` rows of `dims` float32.
    shortest, longest : letters of a part, the marks of the word's begin and end counted.
    """

    start: int
    rows: int
    dims: int
    shortest: int
    longest: int

    def of(self, word: bytes) -> list[int]:
        """The rows of the parts of a word, in the order in which fastText adds them up.

        Parts are told apart by 32 bits of FNV-1a of their bytes, of which the remainder is taken.
        """
        text = b"<" + word + b">"
        starts = [i for i, byte in enumerate(text) if byte & 0xC0 != 0x80]
        letters = [text[i:j] for i, j in zip(starts, [*starts[1:], len(text)], strict=True)]
        rows = []
        for first in range(len(letters)):
            checksum = _BASIS
            for length, letter in enumerate(letters[first : first + self.longest], start=1):
                for byte in letter:
                    checksum = (checksum ^ _SIGNED[byte]) * _PRIME & _MASK
                mark_alone = length == 1 and first in (0, len(letters) - 1)
                if length >= self.shortest and not mark_alone:
                    rows.append(checksum % self.rows)
        return rows

    def read(self, file: BinaryIO, rows: Sequence[int]) -> np.ndarray:
        """Some rows of the matrix, and no others: (rows, dims), float32.

        Raises
        ------
        ValueError : the file ends before.
        """
        distinct, places = np.unique(rows, return_inverse=True)
        size = self.dims * FLOAT_BYTES
        number, start = file.fileno(), self.start
        read = [os.pread(number, size, start + row * size) for row in distinct.tolist()]
        data = np.frombuffer(b"".join(read), dtype="<f4")
        return data.reshape(len(distinct), self.dims)[places]
