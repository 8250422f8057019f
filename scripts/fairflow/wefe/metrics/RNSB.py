"""`wefe.metrics.RNSB`: the Relative Negative Sentiment Bias with WEFE's parameters and defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.linear_model import LogisticRegression

from fairflow.metrics import rnsb
from fairflow.wefe.metrics.base_metric import BaseMetric, Result, measures

LIBLINEAR = {"solver": "liblinear", "max_iter": 10_000}


class RNSB(BaseMetric, rnsb.RNSB):
    __doc__ = rnsb.RNSB.__doc__

    @measures()
    def run_query(
        self,
        estimator: type | None = LogisticRegression,
        estimator_params: Mapping[str, Any] | None = LIBLINEAR,
        n_iterations: int = 1,
        random_state: int | None = None,
        holdout: bool = True,
        print_model_evaluation: bool = False,
    ) -> Result:
        """The entries are those of `fairflow.metrics.rnsb.RNSB`, floats numpy's.

        The classifier is scikit-learn's, which stops a little short of the optimum (D46 of WEFE's
        defects); with `estimator=None, estimator_params=None` it is solved to convergence.
        """
