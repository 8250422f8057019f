"""Writing safetensors tensor by tensor, so that a network need not fit into memory.

The format: the length of a header (8 bytes), the header as JSON, then the numbers, one tensor
behind the other.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairflow.files.atomic import atomic_path

# The numbers begin at a multiple of it.
ALIGNMENT = 8


@dataclass(frozen=True)
class NewTensor:
    """A tensor to be written: its shape, and its numbers in blocks of rows, one after the other."""

    shape: Sequence[int]
    blocks: Iterable[np.ndarray]

    @property
    def size(self) -> int:
        """Bytes of its numbers."""
        return 4 * int(np.prod(self.shape, dtype=np.int64))


def write_safetensors(path: str | Path, tensors: Mapping[str, NewTensor]) -> None:
    """A file of float32 tensors, whole or not at all; the same tensors give the same bytes.

    Raises
    ------
    ValueError : blocks that do not have the numbers of their shape.
    """
    header: dict[str, Mapping[str, object]] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, tensor in tensors.items():
        start, end = end, end + tensor.size
        header[name] = {"dtype": "F32", "shape": [*tensor.shape], "data_offsets": [start, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    with atomic_path(path) as temporary, open(temporary, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name, tensor in tensors.items():
            written = 0
            for block in tensor.blocks:
                written += file.write(np.ascontiguousarray(block, dtype="<f4").data)
            if written != tensor.size:
                raise ValueError(f"{name}: {written} bytes of numbers, expected {tensor.size}")
