"""The metrics: the file `NAME.py` holds the metric NAME, one class. Nothing else registers it."""

from __future__ import annotations

import inspect
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from fairflow.errors import ConfigurationError, nearest

if TYPE_CHECKING:
    from fairflow.metrics.base import BaseMetric


def metric_module(name: str) -> str:
    """The module of a metric: a file of this package, or any module given with dots.

    Raises
    ------
    ConfigurationError : no such metric; the nearest one is named.
    """
    if "." in name:
        return name
    names = [module.name for module in iter_modules(__path__) if module.name != "base"]
    if name not in names:
        raise ConfigurationError([f"unknown metric {name!r}. {nearest(name, names)}"])
    return f"{__name__}.{name}"


def metric_class(name: str) -> type[BaseMetric]:
    """The one metric that the module of `name` defines.

    Raises
    ------
    ConfigurationError : no such module, or not exactly one metric in it.
    """
    from fairflow.metrics.base import BaseMetric

    try:
        module = import_module(metric_module(name))
    except ModuleNotFoundError as error:
        raise ConfigurationError([f"metric {name!r}: {error}"]) from error
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


def __getattr__(name: str) -> type[BaseMetric]:
    if name.startswith("_") or not name.isupper():
        raise AttributeError(f"module 'fairflow.metrics' has no attribute {name!r}")
    try:
        return metric_class(name.lower())
    except ConfigurationError as error:
        raise AttributeError(str(error)) from error
