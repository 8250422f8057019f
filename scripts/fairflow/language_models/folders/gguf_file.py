"""A GGUF file: what it says of its network, and its tensors, which are read where they lie."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.language_models.folders.model_folder import ModelFolderError

MAGIC = b"GGUF"
# Bytes of float32 that are made at once: what a large tensor takes of the memory.
BLOCK = 1 << 24
NOT_WHOLE = "the file is not whole or was changed: fetch it again"


@dataclass(frozen=True)
class GgufTensor:
    """A tensor as it lies in the file.

    Attributes
    ----------
    kind : its type, as `Q4_1`. shape : of its numbers, rows first.
    stored : (rows, bytes or numbers of a row), or (numbers,); a part of the mapped file.
    """

    name: str
    kind: str
    shape: tuple[int, ...]
    stored: np.ndarray

    def numbers(self, rows: np.ndarray | None = None) -> Iterator[np.ndarray]:
        """The numbers as float32, a block of rows at a time.

        Parameters
        ----------
        rows : (rows,) in which order they are wanted; None for that of the file.
        """
        step = max(1, BLOCK // max(4, 4 * int(np.prod(self.shape[1:], dtype=np.int64))))
        for start in range(0, self.shape[0], step):
            block = slice(start, start + step)
            yield self._dequantised(self.stored[block if rows is None else rows[block]])

    def check(self) -> None:
        """Refuse a type whose numbers cannot be had, before anything is written.

        Raises
        ------
        NotImplementedError : as the library that knows the types says it.
        """
        self._dequantised(self.stored[:1])

    def _dequantised(self, stored: np.ndarray) -> np.ndarray:
        from gguf.constants import GGMLQuantizationType
        from gguf.quants import dequantize

        stored = np.ascontiguousarray(stored)
        return np.asarray(dequantize(stored, GGMLQuantizationType[self.kind]), dtype=np.float32)


@dataclass(frozen=True)
class GgufFile:
    """What a file holds: its metadata (by key, arrays as lists) and its tensors (by name).

    Attributes
    ----------
    origin : how errors name the file.
    """

    origin: str
    metadata: Mapping[str, Any]
    tensors: Mapping[str, GgufTensor]

    def error(self, says: str) -> ModelFolderError:
        """An error that names the file."""
        return ModelFolderError(f"{self.origin}: {says}")

    def whole_number(self, key: str, default: int | None = None) -> int:
        """A number of the metadata, at least 1.

        Raises
        ------
        ModelFolderError : something else, or nothing where there is no default.
        """
        found = self.metadata.get(key, default)
        if not isinstance(found, int) or isinstance(found, bool) or found < 1:
            raise self.error(f"{key} must be a whole number from 1 on, got {found!r}; {NOT_WHOLE}")
        return found

    def quantisation(self) -> str | None:
        """The type of most weights and its bits, as `Q4_1, 4 bits`; None of floating point."""
        weights = self.weights_by_type()
        kind = max(weights, key=lambda name: (weights[name], name))
        bits = re.search(r"\d+", kind)
        return None if re.match(r"B?F\d", kind) or not bits else f"{kind}, {bits[0]} bits"

    def weights_by_type(self) -> dict[str, int]:
        """How many numbers lie in the file in each type, in the order of the types' names."""
        counts: Counter[str] = Counter()
        for tensor in self.tensors.values():
            counts[tensor.kind] += int(np.prod(tensor.shape, dtype=np.int64))
        return dict(sorted(counts.items()))


def is_gguf(path: str | Path) -> bool:
    """Whether a file begins as a GGUF file does."""
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def open_gguf(path: str | Path, origin: str | None = None) -> GgufFile:
    """Read the metadata of a GGUF file and map its tensors.

    Parameters
    ----------
    origin : how errors name the file; its path by default.

    Raises
    ------
    ModelFolderError : no such file, not GGUF, cut off, of big-endian numbers or of a version or
        type of tensor that the library `gguf` does not know; one without tensors.
    """
    origin = origin or str(path)
    try:
        with open(path, "rb") as file:
            magic = file.read(len(MAGIC))
    except OSError as error:
        raise ModelFolderError(f"{origin} cannot be read: {error.strerror}") from error
    if magic != MAGIC:
        raise ModelFolderError(
            f"{origin} is no GGUF file: it begins with {magic!r}, expected {MAGIC!r}"
        )
    from gguf import GGUFReader

    try:
        reader = GGUFReader(path)
        metadata = {key: field.contents() for key, field in reader.fields.items()}
        tensors = {
            one.name: GgufTensor(
                one.name, one.tensor_type.name, tuple(map(int, reversed(one.shape))), one.data
            )
            for one in reader.tensors
        }
    except (ValueError, LookupError, TypeError, OverflowError) as error:
        raise ModelFolderError(f"{origin} cannot be read as GGUF ({error}); {NOT_WHOLE}") from error
    opened = GgufFile(origin, metadata, tensors)
    if reader.byte_order == "S":
        raise opened.error("its numbers are big-endian; bring the little-endian file of this model")
    if not tensors or any(0 in tensor.shape for tensor in tensors.values()):
        raise opened.error(f"it holds no weights, or a tensor without numbers; {NOT_WHOLE}")
    return opened
