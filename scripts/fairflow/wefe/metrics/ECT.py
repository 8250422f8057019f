"""`wefe.metrics.ECT`: the Embedding Coherence Test with WEFE's parameters and defaults."""

from __future__ import annotations

from fairflow.metrics import ect
from fairflow.wefe.metrics.base_metric import BaseMetric
from fairflow.wefe.run_query import run_query


class ECT(BaseMetric, ect.ECT):
    __doc__ = ect.ECT.__doc__

    run_query = run_query
