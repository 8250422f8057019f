"""The metrics of language models: the file `NAME.py` defines the metric NAME, as one class."""

from __future__ import annotations

from fairflow.files.registry import Registry
from fairflow.language_models.scoring.item_metric import ItemMetric

ITEM_METRICS = Registry(__name__, ItemMetric, "metric")
item_metric_class = ITEM_METRICS.load
__getattr__ = ITEM_METRICS.class_called
