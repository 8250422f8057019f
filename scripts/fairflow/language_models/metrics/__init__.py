"""The metrics of language models: the file `NAME.py` defines the metric NAME, as one class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairflow.files.registry import Registry

if TYPE_CHECKING:
    from fairflow.language_models.scoring.item_metric import ItemMetric

ITEM_METRICS: Registry[ItemMetric] = Registry(
    __name__, "fairflow.language_models.scoring.item_metric.ItemMetric", "metric"
)
item_metric_class = ITEM_METRICS.load
__getattr__ = ITEM_METRICS.class_called
