"""The metrics of word embeddings: the file `NAME.py` defines the metric NAME, as one class."""

from __future__ import annotations

from fairflow.files.registry import Registry
from fairflow.metrics.base_metric import BaseMetric

METRICS = Registry(__name__, BaseMetric, "metric")
metric_class = METRICS.load
__getattr__ = METRICS.class_called
