"""The metrics of items in the workflow: the file `NAME.py` holds the metric NAME, one class."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairflow.language_models.scoring.item_metric import ItemMetric

NAMES = tuple(sorted(module.name for module in iter_modules(__path__)))


def item_metric_module(name: str) -> str:
    """The module of a metric."""
    return f"{__name__}.{name}"


@cache
def item_metric_class(name: str) -> type[ItemMetric]:
    """The one metric that the file of `name` defines."""
    module = import_module(item_metric_module(name))
    (found,) = (
        one
        for _, one in inspect.getmembers(module, inspect.isclass)
        if one.__module__ == module.__name__
    )
    return found
