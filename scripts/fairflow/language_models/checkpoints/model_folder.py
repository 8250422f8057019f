"""What the files of a language model say of it, without torch, and why one cannot be run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
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
        return (
            f"{folder} holds {ADAPTER}, an adapter (as LoRA) that changes the weights of a base "
            "model and is not applied here: merge both (merge_and_unload() of peft, then "
            "save_pretrained of model and tokenizer), or name the folder of the base model"
        )
    alone = [name for name in KNOWN["sentencepiece"] if (folder / name).is_file()]
    if alone and not (folder / "tokenizer.json").is_file():
        return (
            f"{folder} holds {alone[0]} and no tokenizer.json: tokens of sentencepiece do not tell "
            "which characters they stand for. Where sentencepiece is installed, "
            "AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER) of transformers writes "
            "tokenizer.json"
        )
    return None


CONFIGURATION = "config.json"
BESIDE = ("generation_config.json", "special_tokens_map.json", "tokenizer_config.json")


class ModelFolderError(FairflowError):
    """A file of a model that cannot be read."""


def kind_of_architecture(name: str) -> str:
    """Masked, causal or encoder (no head that scores tokens), by the name of a class."""
    if name.endswith(("LMHeadModel", "ForCausalLM")):
        return "causal"
    return "masked" if name.endswith(("ForMaskedLM", "ForPreTraining")) else "encoder"


def folder_problem(folder: str | Path, kind: str) -> str | None:
    """Why a folder does not hold a model of a kind, or None.

    The architecture that config.json names decides; whether all its weights are there is known when
    it is loaded.

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
    except ModelFolderError as error:
        return str(error)
    if problem is None and not any(map(any, (folder.glob("*.safetensors"), folder.glob("*.bin")))):
        return f"{folder} has no weights: neither *.safetensors nor *.bin"
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


def read_object(path: Path, of: type = dict) -> Any:
    """A JSON file that holds an object, or a list.

    Raises
    ------
    ModelFolderError : it does not.
    """
    try:
        return parsed_object(path.read_bytes(), path, of)
    except OSError as error:
        raise ModelFolderError(f"{path} cannot be read: {error.strerror}") from error


def parsed_object(text: bytes, origin: str | Path, of: type = dict) -> Any:
    """As `read_object`, of the contents of a file that errors name."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelFolderError(f"{origin} is no JSON: {error}") from error
    if not isinstance(content, of):
        what, got = "object" if of is dict else "list", type(content).__name__
        raise ModelFolderError(f"{origin} must hold a JSON {what}, got {got}")
    return content


# Encoders of sentences are published with a list of modules after the network, modules.json, in the
# format of sentence-transformers (Reimers & Gurevych 2019).
MODULES, POOLING_FOLDER = "modules.json", "1_Pooling"
# Modes, keys of `fairflow.language_models.slices.answers.POOLINGS`, by their names in the format.
_TOKENS = ("mean", "max", "mean_sqrt_len", "weightedmean")
MODES = {mode: mode for mode in ("cls", "lasttoken", *_TOKENS)} | {"cls_token": "cls"}
MODES |= {f"{mode}_tokens": mode for mode in _TOKENS}
PREFIX = "pooling_mode"
# The source of the pooling of an encoder without such a list.
ASSUMED = "no file of the model: the mean is assumed"
# Modules that leave the vectors of positions as they are.
PASS_THROUGH = ("Transformer", "Dropout")


@dataclass(frozen=True)
class PoolingConfig:
    """How a text becomes one vector.

    Attributes
    ----------
    pooling : a key of `fairflow.language_models.slices.answers.POOLINGS`; None if nothing is
        said or it is unknown here.
    unit_length : whether the vector is divided by its length.
    stated_by : "configuration", a file of the model, "usual of masked models", `ASSUMED`, or "".
    problem : why the files cannot be followed, or None.
    """

    pooling: str | None = None
    unit_length: bool = False
    stated_by: str = ""
    problem: str | None = None


def read_pooling_config(folder: str | Path) -> PoolingConfig:
    """The pooling of a model according to its files, with a problem if they cannot be followed."""
    folder = Path(folder)
    try:
        modules = _modules(folder)
        pooling = [path for kind, path in modules if kind == "Pooling"]
        unit_length = any(kind == "Normalize" for kind, _ in modules)
        others = [k for k, _ in modules if k not in ("Pooling", "Normalize", *PASS_THROUGH)]
        if others or len(pooling) > 1:
            named = ", ".join(others or ["Pooling", "Pooling"])
            return PoolingConfig(
                None, unit_length, MODULES, f"{MODULES} has modules that are not known: {named}"
            )
        if not pooling:
            return PoolingConfig(None, unit_length, MODULES if modules else "")
        file = str(PurePosixPath(pooling[0]) / "config.json")
        modes = _modes(read_object(folder / file))
    except ModelFolderError as error:
        return PoolingConfig(problem=str(error).replace(f"{folder}/", ""), stated_by=MODULES)
    if len(modes) == 1 and modes[0] in MODES:
        return PoolingConfig(MODES[modes[0]], unit_length, file)
    found = " and ".join(modes) or "no pooling"
    return PoolingConfig(None, unit_length, file, f"{file} says {found}, which is unknown here")


def module_files(folder: str | Path) -> list[Path]:
    """modules.json, and the configuration of each module that has a folder."""
    folder = Path(folder)
    try:
        places = [place for _, place in _modules(folder) if place not in ("", ".")]
    except ModelFolderError:
        places = []
    files = [folder / MODULES, *(folder / place / "config.json" for place in places)]
    return [path for path in files if path.is_file()]


def _modules(folder: Path) -> list[tuple[str, str]]:
    """(class, folder) of each module; without the list but with the usual file, that file.

    Raises
    ------
    ModelFolderError : a list in another format, or with a path outside of the folder.
    """
    path = folder / MODULES
    if not path.is_file():
        usual = (folder / POOLING_FOLDER / "config.json").is_file()
        return [("Pooling", POOLING_FOLDER)] if usual else []
    try:
        listed = read_object(path, list)
        kinds = [(one["type"].rsplit(".", 1)[-1], one["path"]) for one in listed]
    except (ModelFolderError, TypeError, KeyError, AttributeError) as error:
        raise ModelFolderError(f"{path} is not a list of modules with type and path") from error
    for _, place in kinds:
        known = isinstance(place, str) and not Path(place).is_absolute()
        if not known or ".." in Path(place).parts:
            raise ModelFolderError(f"{path} names {place!r}, which is not a folder of the model")
    return kinds


def _modes(configuration: Mapping[str, Any]) -> list[str]:
    """Names of the modes that are on: one key per mode, or one key for all."""
    named = configuration.get(PREFIX)
    if named is not None:
        return [str(one) for one in (named if isinstance(named, list) else [named])]
    keys = (key for key, on in configuration.items() if key.startswith(f"{PREFIX}_") and on is True)
    return [key.removeprefix(f"{PREFIX}_") for key in keys]


# In the format of sentence-transformers (Reimers & Gurevych 2019), which truncates texts there.
FILE, KEY = "sentence_bert_config.json", "max_seq_length"


def read_max_length(folder: str | Path) -> int | None:
    """The maximum number of tokens of a text according to an encoder's authors, None if unsaid.

    Raises
    ------
    ModelFolderError : the file is there and cannot be read.
    """
    path = Path(folder) / FILE
    if not path.is_file():
        return None
    stated = read_object(path).get(KEY)
    if stated is None or (type(stated) is int and stated >= 1):
        return stated
    raise ModelFolderError(f"{path}: {KEY} is {stated!r}, expected a number of tokens")
