"""A quantised model of one .gguf file as a plain folder, which transformers opens.

Every number is dequantised once, to the float32 that the library `gguf` makes of it: a smaller
type would round it again, and float32 is what networks compute with here. Four bytes a number is
what the folder takes on disk.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.files.atomic import atomic_path
from fairflow.language_models.folders.gguf_file import open_gguf
from fairflow.language_models.folders.gguf_network import configuration, places
from fairflow.language_models.folders.gguf_tokenizer import tokenizer_files
from fairflow.language_models.folders.model_folder import CONFIGURATION
from fairflow.language_models.folders.safetensors_file import NewTensor, write_safetensors

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
