"""A quantised model of one .gguf file as a plain folder, which transformers opens.

Every number is dequantised once, to the float32 that the library `gguf` makes of it: a smaller
type would round it again, and float32 is what networks compute with here. Four bytes a number is
what the folder takes on disk. Safetensors are written tensor by tensor, so that a network need not
fit into memory: the length of a header (8 bytes), the header as JSON, then the numbers, one tensor
behind the other.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.files.atomic import atomic_path
from fairflow.language_models.folders.gguf import configuration, open_gguf, places
from fairflow.language_models.folders.gguf_tokenizer import tokenizer_files
from fairflow.language_models.folders.model_folder import CONFIGURATION

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


WEIGHTS = "model.safetensors"


def dequantise(path: str | Path, folder: str | Path, origin: str | None = None) -> dict[str, Any]:
    """Write config.json, tokenizer and weights of a .gguf file into a folder that is there.

    One tensor, or a block of it, is in memory at a time. All that can be wrong with the file is
    found before anything is written. config.json says under `quantisation` what the weights have
    been through.

    Parameters
    ----------
    origin : how errors name the file; its path by default.

    Returns
    -------
    What the list of the model's files is to tell besides: `quantisation` as in config.json (None
    of floating point), and `weights_by_type`, how many numbers the file keeps in each type.

    Raises
    ------
    ModelFolderError : not a GGUF file, not whole, or of an architecture, a tokenizer or a type of
        tensor that cannot be converted.
    """
    file, folder = open_gguf(path, origin), Path(folder)
    texts: Mapping[str, Mapping[str, Any]] = {
        CONFIGURATION: configuration(file),
        **tokenizer_files(file),
    }
    tensors = {
        place.name: NewTensor(place.tensor.shape, place.tensor.numbers(place.rows))
        for place in places(file)
    }
    for name, content in texts.items():
        with atomic_path(folder / name) as temporary:
            temporary.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    write_safetensors(folder / WEIGHTS, tensors)
    return {"quantisation": file.quantisation(), "weights_by_type": file.weights_by_type()}
