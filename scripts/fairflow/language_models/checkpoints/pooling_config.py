"""The maximum length of a text, and the pooling of its positions, from a model's files.

Encoders of sentences are published with a list of modules after the network, modules.json, in
the format of sentence-transformers (Reimers & Gurevych 2019).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from fairflow.language_models.checkpoints.model_folder import ModelFolderError, read_object

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
