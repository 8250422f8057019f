"""What the files of a language model say of it, without torch, and why one cannot be run."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError
from fairflow.files.configuration_files import read_yaml

ADAPTER = "adapter_config.json"
# What is known of networks by their model_type, and how large one may be.
KNOWN = read_yaml(Path(__file__).with_name("architectures.yaml"))


def _of_own_code(said: Mapping[str, Any]) -> bool:
    """Whether the folder has its own code and transformers has no network of that type."""
    model_type, library = said.get("model_type"), find_spec("transformers")
    if "auto_map" not in said or library is None or not library.submodule_search_locations:
        return False
    networks = Path(library.submodule_search_locations[0], "models")
    return not (model_type and (networks / str(model_type).replace("-", "_")).is_dir())


def network_refusal(said: Mapping[str, Any]) -> str | None:
    """Why the network of a config.json cannot be run, or None."""
    named = said.get("architectures")
    is_list = isinstance(named, list) and all(isinstance(name, str) for name in named)
    if named is not None and not is_list:
        return f"config.json: architectures is {named!r}, expected a list with the name of a class"
    if not isinstance(said.get("model_type", ""), str):
        return f"config.json: model_type is {said['model_type']!r}, expected a name such as 'bert'"
    for key, most in KNOWN["most"].items():
        size = said.get(key)
        is_number = type(size) is int and 1 <= size <= most
        # Some networks have another size in each layer.
        if size is not None and not is_number and not isinstance(size, list):
            return f"config.json: {key} is {size!r}, expected a whole number from 1 to {most}"
    how, model_type = said.get("quantization_config"), said.get("model_type")
    method = how.get("quant_method", "bitsandbytes") if isinstance(how, dict) else how
    says = {
        "is_encoder_decoder": said.get("is_encoder_decoder") is True and "is_encoder_decoder: true",
        "vision_config": "vision_config" in said and "vision_config",
        "model_type": model_type in KNOWN["of_states"] and f"model_type {model_type}",
        "quantization_config": "quantization_config" in said and f"quantization_config of {method}",
        "auto_map": _of_own_code(said) and f"auto_map and model_type {model_type!r}",
    }
    for key, what in says.items():
        if what:
            return f"config.json says {what}. {KNOWN['refused'][key]}. {KNOWN['supported']}"
    return None


def folder_refusal(folder: Path) -> str | None:
    """Why the files of a folder cannot be run, whatever they hold, or None."""
    if (folder / ADAPTER).is_file():
        return _adapter_refusal(folder)
    alone = [name for name in KNOWN["sentencepiece"] if (folder / name).is_file()]
    if alone and not (folder / "tokenizer.json").is_file():
        return (
            f"{folder} holds {alone[0]} and no tokenizer.json: tokens of sentencepiece do not tell "
            "which characters they stand for. Where sentencepiece is installed, "
            "AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER) of transformers writes "
            "tokenizer.json"
        )
    return None


def _adapter_refusal(folder: Path) -> str:
    try:
        base = read_object(folder / ADAPTER).get("base_model_name_or_path") or "BASE"
    except ModelFolderError:
        base = "BASE"
    return (
        f"{folder} holds {ADAPTER}, an adapter (as LoRA) that changes the weights of the base "
        f"model {base} and is not applied here. Where peft is installed, these lines merge both "
        "into FOLDER, which is then named: from peft import PeftModel; from transformers import "
        f"AutoModelForCausalLM, AutoTokenizer; base = AutoModelForCausalLM.from_pretrained("
        f"{base!r}); PeftModel.from_pretrained(base, {str(folder)!r}).merge_and_unload()."
        f"save_pretrained('FOLDER'); AutoTokenizer.from_pretrained({base!r})."
        "save_pretrained('FOLDER'). Or name the folder of the base model, without this file, to "
        "audit the base model alone"
    )


CONFIGURATION = "config.json"
BESIDE = ("generation_config.json", "special_tokens_map.json", "tokenizer_config.json")
# Sizes of a network that some weight has.
WIDTHS = ("hidden_size", "n_embd", "dim", "d_model", "vocab_size")
# The longest header that the format allows.
LONGEST_HEADER = 100_000_000


class ModelFolderError(FairflowError):
    """A file of a model that cannot be read."""


def kind_of_architecture(name: str) -> str:
    """Masked, causal or encoder (no head that scores tokens), by the name of a class."""
    if name.endswith(("LMHeadModel", "ForCausalLM")):
        return "causal"
    return "masked" if name.endswith(("ForMaskedLM", "ForPreTraining")) else "encoder"


def folder_problem(folder: str | Path, kind: str) -> str | None:
    """Why a folder does not hold a model of a kind, or None.

    The architecture that config.json names decides, then the names of the weights: a network
    without the head that `kind` needs would score tokens with random weights.

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
    if refusal := folder_refusal(folder):
        return refusal
    if not (folder / CONFIGURATION).is_file():
        return f"{folder} is no folder of a model: {CONFIGURATION} is missing"
    try:
        configuration = read_object(folder / CONFIGURATION)
        for path in (folder / name for name in BESIDE if (folder / name).is_file()):
            read_object(path)
        problem = architecture_problem(configuration, kind)
        shapes = weight_shapes(folder) if problem is None else {}
        if kind == "masked" and shapes:
            problem = _head_problem(configuration, shapes)
        problem = problem or _width_problem(configuration, shapes)
    except ModelFolderError as error:
        return str(error)
    return problem and f"{folder}: {problem}"


def architecture_problem(configuration: Mapping[str, Any], kind: str) -> str | None:
    """Why the network of a config.json cannot be run, or not as a kind; or None."""
    if refusal := network_refusal(configuration):
        return refusal
    name = (configuration.get("architectures") or [""])[0]
    kind_of_folder = kind_of_architecture(name)
    if kind in (kind_of_folder, "encoder"):
        return None
    says = f"config.json says {name}" if name else "config.json names no architecture"
    what = (
        "a model without a head that scores tokens"
        if kind_of_folder == "encoder"
        else f"a {kind_of_folder} model"
    )
    return f"{says}, {what}: kind {kind} cannot be had, write kind: {kind_of_folder}"


def weight_shapes(folder: Path) -> dict[str, list[int]]:
    """Names and shapes of the weights in safetensors, none without such files.

    The shape of a weight that is in no file of the folder is empty.

    Raises
    ------
    ModelFolderError : no weights, or a file that is no safetensors, or not whole.
    """
    index, files = folder / "model.safetensors.index.json", sorted(folder.glob("*.safetensors"))
    shapes: dict[str, list[int]] = {}
    if index.is_file():
        places = read_object(index).get("weight_map")
        if not isinstance(places, dict) or not all(isinstance(p, str) for p in places.values()):
            raise ModelFolderError(
                f"{index}: weight_map is {str(places)[:60]}, expected weight -> file of this folder"
            )
        shapes = {name: [] for name in places}
    elif not files and not any(folder.glob("*.bin")):
        raise ModelFolderError(f"{folder} has no weights: neither *.safetensors nor *.bin")
    for path in files:
        shapes |= _header(path)
    return shapes


def read_object(path: Path, of: type = dict) -> Any:
    """A JSON file that holds an object, or a list.

    Raises
    ------
    ModelFolderError : it does not.
    """
    try:
        return parsed(path.read_bytes(), path, of)
    except OSError as error:
        raise ModelFolderError(f"{path} cannot be read: {error.strerror}") from error


def parsed(text: bytes, origin: str | Path, of: type = dict) -> Any:
    """As `read_object`, of the contents of a file that errors name."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelFolderError(f"{origin} is no JSON: {error}") from error
    if not isinstance(content, of):
        what, got = "object" if of is dict else "list", type(content).__name__
        raise ModelFolderError(f"{origin} must hold a JSON {what}, got {got}")
    return content


def _width_problem(configuration: Mapping[str, Any], shapes: Mapping[str, list[int]]) -> str | None:
    """Why weights are not of the network of config.json, which is made as large as that says."""
    sizes = {size for shape in shapes.values() for size in shape}
    for key in WIDTHS if sizes else ():
        if configuration.get(key) not in (None, *sizes):
            return f"config.json: {key} is {configuration[key]!r}, but no weight has that size"
    return None


def _head_problem(configuration: Mapping[str, Any], names: Iterable[str]) -> str | None:
    heads = KNOWN["masked_heads"].get(str(configuration.get("model_type")))
    if heads is None or any(name.startswith(tuple(heads)) for name in names):
        return None
    return (
        f"config.json says {configuration['architectures'][0]}, but no weight of its head is there "
        f"(none begins with {' or '.join(heads)}): kind masked cannot be had. For vectors of the "
        'encoder write kind: encoder, and "architectures" without a head in config.json'
    )


def _header(path: Path) -> dict[str, list[int]]:
    """Names and shapes of the weights of one safetensors file; only its header is read."""
    try:
        with open(path, "rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            if length > LONGEST_HEADER:
                raise ValueError(f"a header of {length} bytes")
            header = json.loads(file.read(length))
        if not isinstance(header, dict):
            raise ValueError("its header is no object")
        header.pop("__metadata__", None)
        size = 8 + length + max((one["data_offsets"][1] for one in header.values()), default=0)
        shapes = {name: [*map(int, one["shape"])] for name, one in header.items()}
    except (TypeError, KeyError, IndexError) as error:
        raise ModelFolderError(
            f"{path} is no safetensors file: a weight has no place or shape"
        ) from error
    except (OSError, ValueError, RecursionError, struct.error) as error:
        raise ModelFolderError(f"{path} is no safetensors file: {error}") from error
    if size != path.stat().st_size:
        raise ModelFolderError(
            f"{path} has {path.stat().st_size} bytes, expected {size} by its header: it is not "
            "whole, fetch it again"
        )
    return shapes
