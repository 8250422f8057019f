"""`wefe.metrics.RIPA`: Relational Inner Product Association with WEFE's parameters and defaults."""

from __future__ import annotations

from fairflow.metrics import ripa
from fairflow.wefe.metrics.base_metric import BaseMetric
from fairflow.wefe.run_query import run_query


class RIPA(BaseMetric, ripa.RIPA):
    __doc__ = ripa.RIPA.__doc__

    run_query = run_query
