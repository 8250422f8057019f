"""The metrics: the file `NAME.py` holds the metric NAME, one class. Nothing else registers it."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from fairflow.errors import ConfigurationError, nearest

if TYPE_CHECKING:
    from fairflow.metrics.base_metric import BaseMetric


def metric_module(name: str) -> str:
    """Where a metric's code is: a module, or a file of the user's.

    Parameters
    ----------
    name : a file of this package, an importable module with dots, or a path that ends in .py.

    Raises
    ------
    ConfigurationError : no such metric; the nearest one is named.
    """
    if name.endswith(".py") and not Path(name).is_file():
        raise ConfigurationError([f"metric {name!r}: there is no such file"])
    if "." in name:
        return name
    if name not in _names():
        raise ConfigurationError([f"unknown metric {name!r}. {nearest(name, _names())}"])
    return f"{__name__}.{name}"


@cache
def _names() -> tuple[str, ...]:
    """The files of this package."""
    return tuple(m.name for m in iter_modules(__path__) if m.name != "base_metric")


def metric_class(name: str) -> type[BaseMetric]:
    """The one metric that the module of `name` defines.

    Raises
    ------
    ConfigurationError : no such module, or not exactly one metric in it.
    """
    from fairflow.metrics.base_metric import BaseMetric

    module = _load(metric_module(name))
    classes = [
        value
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, BaseMetric)
        and value.__module__ == module.__name__
    ]
    if len(classes) != 1:
        raise ConfigurationError(
            [f"{module.__name__} must define one subclass of BaseMetric, found {len(classes)}"]
        )
    return classes[0]


def _load(name: str) -> ModuleType:
    try:
        return _load_file(name) if name.endswith(".py") else import_module(name)
    # Code of the user's may fail in any way; the configuration's author must see where.
    except Exception as error:
        raise ConfigurationError([f"metric {name!r}: {type(error).__name__}: {error}"]) from error


@cache
def _load_file(path: str) -> ModuleType:
    spec = spec_from_file_location(f"{__name__}.user.{Path(path).stem}", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def __getattr__(name: str) -> type[BaseMetric]:
    if name.startswith("_") or not name.isupper():
        raise AttributeError(f"module 'fairflow.metrics' has no attribute {name!r}")
    try:
        return metric_class(name.lower())
    except ConfigurationError as error:
        raise AttributeError(str(error)) from error
