"""The metrics of word embeddings: the file `NAME.py` defines the metric NAME, as one class."""

from __future__ import annotations

from fairflow.errors import ConfigurationError
from fairflow.files.registry import Registry
from fairflow.metrics.base_metric import BaseMetric

METRICS = Registry(__name__, BaseMetric, "metric")
metric_class = METRICS.load


def __getattr__(name: str) -> type[BaseMetric]:
    if name.startswith("_") or not name.isupper():
        raise AttributeError(f"module 'fairflow.metrics' has no attribute {name!r}")
    try:
        return metric_class(name.lower())
    except ConfigurationError as error:
        raise AttributeError(str(error)) from error
