"""`wefe.metrics.WEAT`: the Word Embedding Association Test with WEFE's parameters and defaults."""

from __future__ import annotations

import numpy as np

from fairflow.metrics import weat
from fairflow.vectors.directions import cosine
from fairflow.wefe.metrics.base_metric import BaseMetric
from fairflow.wefe.run_query import Result, measures


class WEAT(BaseMetric, weat.WEAT):
    __doc__ = weat.WEAT.__doc__

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
