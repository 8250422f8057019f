"""`wefe.metrics`: the metrics with WEFE's parameters, defaults and results.

As in WEFE, `metrics.WEAT` is the class and `from metrics.WEAT import WEAT` works too.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_CLASSES = {
    name: f"{__name__}.{name}" for name in ("ECT", "MAC", "RIPA", "RND", "RNSB", "WEAT")
} | {"BaseMetric": f"{__name__}.base_metric"}
_MODULES = ("base_metric", "example_metric")

__all__ = sorted(_CLASSES)


class _Metrics(ModuleType):
    """A package whose modules do not hide the classes of their names."""

    def __setattr__(self, name: str, value: Any) -> None:
        # The import of a module ends with its being set as an attribute of its package.
        if name in _CLASSES and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        if name in _MODULES:
            return import_module(f"{__name__}.{name}")
        if name not in _CLASSES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_CLASSES[name]), name)

    def __dir__(self) -> list[str]:
        return sorted([*__all__, *_MODULES])


sys.modules[__name__].__class__ = _Metrics
