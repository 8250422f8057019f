"""What the files of a language model say of it, read without torch."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError

CONFIGURATION = "config.json"
# How the weights of a head begin that scores pieces, by model_type. Of other types the
# architecture in config.json has to do.
MASKED_HEADS = {
    "albert": ("predictions.",),
    "bert": ("cls.predictions.",),
    "camembert": ("lm_head.",),
    "deberta": ("cls.predictions.", "lm_predictions."),
    "deberta-v2": ("cls.predictions.", "lm_predictions."),
    "distilbert": ("vocab_",),
    "electra": ("generator_",),
    "mobilebert": ("cls.predictions.",),
    "modernbert": ("head.",),
    "mpnet": ("lm_head.",),
    "roberta": ("lm_head.",),
    "xlm-roberta": ("lm_head.",),
}
# The longest header that the format allows.
LONGEST_HEADER = 100_000_000


class ModelFolderError(FairflowError):
    """A file of a model that cannot be read."""


def kind_of_architecture(name: str) -> str:
    """Masked, causal or encoder (no head that scores pieces), by the name of a class."""
    if name.endswith(("LMHeadModel", "ForCausalLM")):
        return "causal"
    return "masked" if name.endswith(("ForMaskedLM", "ForPreTraining")) else "encoder"


def folder_problem(folder: str | Path, kind: str) -> str | None:
    """Why a folder does not hold a model of a kind, or None.

    The architecture that config.json names decides, then the names of the weights: a network
    without the head that `kind` needs would score pieces with random weights.

    Parameters
    ----------
    kind : "masked", "causal" or "encoder", which every model can be.
    """
    folder = Path(folder)
    if folder.is_file():
        return (
            f"{folder} is a file, no folder of a model: of a .gguf file write sources, with file: "
            f"{folder}, and format: gguf in place of folder"
        )
    if not (folder / CONFIGURATION).is_file():
        return f"{folder} is no folder of a model: {CONFIGURATION} is missing"
    try:
        configuration = read_object(folder / CONFIGURATION)
        problem = architecture_problem(configuration, kind)
        if problem is None and kind == "masked":
            problem = _head_problem(configuration, weight_names(folder))
    except ModelFolderError as error:
        return str(error)
    return problem and f"{folder}: {problem}"


def architecture_problem(configuration: Mapping[str, Any], kind: str) -> str | None:
    """Why the architecture of a config.json is not of a kind, or None."""
    listed = configuration.get("architectures")
    name = listed[0] if isinstance(listed, list) and listed else ""
    kind_of_folder = kind_of_architecture(str(name))
    if kind in (kind_of_folder, "encoder"):
        return None
    says = f"config.json says {name}" if name else "config.json names no architecture"
    what = (
        "a model without a head that scores pieces"
        if kind_of_folder == "encoder"
        else f"a {kind_of_folder} model"
    )
    return f"{says}, {what}: kind {kind} cannot be had, write kind: {kind_of_folder}"


def weight_names(folder: Path) -> set[str] | None:
    """Names of the weights in safetensors, None without such files.

    Raises
    ------
    ModelFolderError : no weights, or a file that is no safetensors.
    """
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        return set(read_object(index).get("weight_map", {}))
    files = sorted(folder.glob("*.safetensors"))
    if not files and not any(folder.glob("*.bin")):
        raise ModelFolderError(f"{folder} has no weights: neither *.safetensors nor *.bin")
    return {name for path in files for name in _header(path)} if files else None


def read_object(path: Path) -> dict[str, Any]:
    """A JSON file that holds an object.

    Raises
    ------
    ModelFolderError : it does not.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelFolderError(f"{path} is no JSON: {error}") from error
    if not isinstance(content, dict):
        raise ModelFolderError(f"{path} must hold a JSON object, got {type(content).__name__}")
    return content


def _head_problem(configuration: Mapping[str, Any], names: set[str] | None) -> str | None:
    heads = MASKED_HEADS.get(configuration.get("model_type", ""))
    if heads is None or names is None or any(name.startswith(heads) for name in names):
        return None
    return (
        f"config.json says {configuration['architectures'][0]}, but no weight of its head is there "
        f"(none begins with {' or '.join(heads)}): kind masked cannot be had. For vectors of the "
        'encoder write kind: encoder, and "architectures" without a head in config.json'
    )


def _header(path: Path) -> list[str]:
    """Names of the weights of one safetensors file, of which only the header is read."""
    try:
        with open(path, "rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            if length > LONGEST_HEADER:
                raise ValueError(f"a header of {length} bytes")
            header = json.loads(file.read(length))
    except (OSError, ValueError, struct.error) as error:
        raise ModelFolderError(f"{path} is no safetensors file: {error}") from error
    if not isinstance(header, dict):
        raise ModelFolderError(f"{path} is no safetensors file: its header is no object")
    return [name for name in header if name != "__metadata__"]
