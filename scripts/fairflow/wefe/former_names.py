"""Names of WEFE 0.2, which its manual has, and what they are called now; see former_names.yaml."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar

from fairflow.files.configuration_files import read_yaml

Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def former_names() -> dict[str, dict[str, str]]:
    """What is named -> name in WEFE 0.2 -> present name; `notes` has what else has changed."""
    return read_yaml(Path(__file__).with_name("former_names.yaml"))


def present_name(kind: str, name: Any) -> str | None:
    """The present name of one that WEFE 0.2 has, with a DeprecationWarning; None of others.

    The warning points to the first line outside this library, a cell of a notebook, say.

    Parameters
    ----------
    kind : a key of `former_names`.
    """
    new = former_names()[kind].get(name)
    if new is None:
        return None
    note = former_names()["notes"].get(name)
    message = f"{name} of WEFE 0.2 is now {new}" + (f": {note}" if note else "")
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("fairflow."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, DeprecationWarning, stacklevel=level)
    return new


def present_arguments(given: Mapping[str, Any], kind: str = "arguments") -> dict[str, Any]:
    """Keyword arguments under their present names.

    Raises
    ------
    TypeError : one argument under two names.
    """
    found: dict[str, Any] = {}
    chain: dict[bool, Any] = {}  # preprocessors by whether they are tried second
    for name, value in given.items():
        new = present_name(kind, name) or name
        if (new in given and new != name) or (new in found and new != "preprocessors"):
            raise TypeError(f"{name} and {new} are names of one argument: give {new}")
        if new != name and new == "preprocessors":
            chain[name.startswith("secondary")] = value
        found[new] = value
    if chain:
        second = chain.get(True)
        found["preprocessors"] = [chain.get(False) or {}, *([] if second is None else [second])]
    return found


def takes_former_names(kind: str = "arguments") -> Callable[[Function], Function]:
    """Decorator of a function that takes keyword arguments under the names of WEFE 0.2, too."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def wrapper(*positional: Any, **keywords: Any) -> Any:
            return function(*positional, **present_arguments(keywords, kind))

        return wrapper  # type: ignore[return-value]

    return decorate
