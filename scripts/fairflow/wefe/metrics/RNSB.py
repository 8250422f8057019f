"""`wefe.metrics.RNSB`: the Relative Negative Sentiment Bias with WEFE's parameters and defaults."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from typing import Any

from sklearn.linear_model import LogisticRegression

from fairflow.metrics import rnsb
from fairflow.statistics.outcome import Outcome
from fairflow.vectors.query_vectors import QueryVectors
from fairflow.wefe.metrics.base_metric import BaseMetric, Result, measures

ONE_SPLIT = "RNSB is of one random split of the attribute words, as in WEFE, and differs"
LIBLINEAR = {"solver": "liblinear", "max_iter": 10_000}


@cache
def _say_once() -> None:
    """That the default of WEFE is a draw; as a line of the log, which stops no notebook.

    A warning would be an error where warnings are errors, as in the tests of some notebooks.
    """
    logging.getLogger(__name__).warning(
        f"{ONE_SPLIT} at each call: random_state=0 makes it repeatable, "
        "n_iterations=100 the mean of as many splits"
    )


class RNSB(BaseMetric, rnsb.RNSB):
    __doc__ = rnsb.RNSB.__doc__
    caution = f"{ONE_SPLIT} with the model's name, which seeds it; fairflow.RNSB has 100 splits"

    def evaluate(
        self, vectors: QueryVectors, normalize: bool = False, **parameters: Any
    ) -> Outcome:
        """As in the base class; it says once in a process that the default is one random split."""
        given = self.run_query.defaults | parameters
        if given["holdout"] and given["random_state"] is None and given["n_iterations"] == 1:
            _say_once()
        return super().evaluate(vectors, normalize, **parameters)

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
