"""`wefe.metrics.RND`: the Relative Norm Distance with WEFE's parameters and defaults."""

from __future__ import annotations

from fairflow.metrics import rnd
from fairflow.wefe.metrics.base_metric import BaseMetric
from fairflow.wefe.run_query import Result, measures


class RND(BaseMetric, rnd.RND):
    __doc__ = rnd.RND.__doc__

    @measures()
    def run_query(
        self,
        distance: str = "norm",
    ) -> Result:
        """The entries are those of `fairflow.metrics.rnd.RND`, floats numpy's.

        Parameters
        ----------
        distance : "norm" or "cos", which have opposite signs (D5 of WEFE's defects).
        """
