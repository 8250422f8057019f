"""`wefe.metrics.MAC`: the Mean Average Cosine with WEFE's parameters and defaults."""

from __future__ import annotations

from fairflow.metrics import mac
from fairflow.wefe.metrics.base_metric import BaseMetric
from fairflow.wefe.run_query import run_query


class MAC(BaseMetric, mac.MAC):
    __doc__ = mac.MAC.__doc__

    run_query = run_query
