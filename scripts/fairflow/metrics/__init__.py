"""The metrics of word embeddings: the file `NAME.py` defines the metric NAME, as one class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairflow.files.registry import Registry

if TYPE_CHECKING:
    from fairflow.metrics.base_metric import BaseMetric

METRICS: Registry[BaseMetric] = Registry(
    __name__, "fairflow.metrics.base_metric.BaseMetric", "metric"
)
metric_class = METRICS.load
__getattr__ = METRICS.class_called
