"""ItemVariant: a metric of items with its parameters, under the name that tables show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from fairflow.errors import nearest
from fairflow.language_models.item_metrics import NAMES, item_metric_class
from fairflow.language_models.scoring.item_metric import ItemMetric
from fairflow.statistics.permutation import SIDES


@dataclass(frozen=True)
class ItemVariant:
    """A variant.

    Attributes
    ----------
    metric : a file of `item_metrics`. measure : the one that is ranked.
    by_category : score the items of each category by themselves.
    side : the alternative of the permutation test, two-sided by default.
    """

    name: str
    metric: str
    measure: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    by_category: bool = False
    side: str | None = None

    @property
    def definition(self) -> dict[str, Any]:
        """Everything but the name, as plain values."""
        return {key: value for key, value in asdict(self).items() if key != "name"}

    @property
    def declared(self) -> type[ItemMetric]:
        """The class of the metric."""
        return item_metric_class(self.metric)

    @property
    def made(self) -> ItemMetric:
        """The metric with its parameters."""
        return self.declared(**self.parameters)

    def problems(self) -> list[str]:
        """What is wrong with metric, parameters or measure."""
        if self.metric not in NAMES:
            return [f"unknown metric {self.metric!r}. {nearest(self.metric, NAMES)}"]
        found = self.declared.problems(self.parameters, self.measure)
        if self.side not in (None, *SIDES):
            found.append(f"side must be one of {', '.join(SIDES)}, got {self.side!r}")
        return found
