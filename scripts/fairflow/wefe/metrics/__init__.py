"""`wefe.metrics`: the metrics with WEFE's parameters, defaults and results.

As in WEFE, `metrics.WEAT` is the class and `from metrics.WEAT import WEAT` works too.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from fairflow.metrics import ect, mac, ripa, rnd, weat
from fairflow.vectors.directions import cosine
from fairflow.wefe.metrics.base_metric import BaseMetric, Result, measures, run_query

__all__ = ["ECT", "MAC", "RIPA", "RND", "RNSB", "WEAT", "BaseMetric"]


class ECT(BaseMetric, ect.ECT):
    run_query = run_query


class MAC(BaseMetric, mac.MAC):
    run_query = run_query


class RIPA(BaseMetric, ripa.RIPA):
    run_query = run_query


class RND(BaseMetric, rnd.RND):
    @measures()
    def run_query(self, distance: str = "norm") -> Result:
        """The entries are those of `fairflow.metrics.rnd.RND`, floats numpy's.

        Parameters
        ----------
        distance : "norm" or "cos", which have opposite signs (D5 of WEFE's defects).
        """


class WEAT(BaseMetric, weat.WEAT):
    # Of the standard deviation of a population.
    labels: ClassVar[Mapping[str, str]] = {"effect_size": "WEAT effect size"}

    @measures(convention="wefe")
    def run_query(
        self,
        return_effect_size: bool = False,
        calculate_p_value: bool = False,
        p_value_test_type: str = "right-sided",
        p_value_method: str = "approximate",
        p_value_iterations: int = 10_000,
        p_value_verbose: bool = False,
    ) -> Result:
        """The entries are those of `fairflow.metrics.weat.WEAT`, floats numpy's.

        The effect size has the standard deviation of a population (D34 of WEFE's defects);
        `convention="paper"` gives that of a sample.

        Parameters
        ----------
        return_effect_size : make the effect size, not the statistic, the result.
        calculate_p_value, p_value_... : see `fairflow.statistics.outcome.p_value_of`.
        """

    def _calc_s(self, word: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.floating:
        """The association of a vector with two sets, as WEFE's pages compute it."""
        row = np.asarray(word)[np.newaxis]
        return np.float64(cosine(row, first).mean() - cosine(row, second).mean())

    def _calc_weat(self, X: np.ndarray, Y: np.ndarray, A: np.ndarray, B: np.ndarray) -> np.floating:
        """The statistic of four matrices (words, dims), as WEFE's pages compute it."""
        return np.float64(
            sum(self._calc_s(x, A, B) for x in X) - sum(self._calc_s(y, A, B) for y in Y)
        )


class _Metrics(ModuleType):
    """A package whose modules do not hide the classes of their names."""

    def __setattr__(self, name: str, value: Any) -> None:
        # The import of a module ends with its being set as an attribute of its package.
        super().__setattr__(name, value.RNSB if name == "RNSB" else value)

    def __getattr__(self, name: str) -> Any:
        if name != "RNSB":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        # It alone loads scikit-learn.
        return import_module(f"{__name__}.RNSB").RNSB

    def __dir__(self) -> list[str]:
        return sorted([*__all__, "base_metric", "example_metric"])


# WEFE has a module for each class.
for _class in (ECT, MAC, RIPA, RND, WEAT):
    _class.__doc__ = _class.__bases__[1].__doc__
    _class.__module__ = f"{__name__}.{_class.__name__}"
    sys.modules[_class.__module__] = ModuleType(_class.__module__)
    setattr(sys.modules[_class.__module__], _class.__name__, _class)
sys.modules[__name__].__class__ = _Metrics
