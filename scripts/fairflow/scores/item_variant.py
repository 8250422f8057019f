"""ItemVariant: a metric of items of language models with its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fairflow.language_models.metrics import ITEM_METRICS
from fairflow.language_models.scoring.item_metric import ItemMetric
from fairflow.scores.variant import Variant


@dataclass(frozen=True)
class ItemVariant(Variant):
    """A variant of a file of the item metrics; its test is two-sided by default.

    Attributes
    ----------
    metric : a file of `language_models.metrics`, a dotted module or a file of the user's.
    by_category : score the items of each category by themselves.
    """

    by_category: bool = False

    registry = ITEM_METRICS
    of_items = True
    draws = True

    @property
    def made(self) -> ItemMetric:
        """The metric with its parameters."""
        return self.declared(**self.parameters)

    def _problems_of(self, metric: type[ItemMetric]) -> list[str]:
        return metric.problems(self.parameters, self.measure)

    def fits(self, model: Any, query: Any) -> bool:
        """A query of the metric's kind, of which the model can be asked what the metric needs."""
        return (
            query.kind == self.declared.kind
            and model.answers(query.name)
            and self.problem_with(query) is None
            and bool(self.made.needs(model.kind))
        )

    def problem_with(self, query: Any) -> str | None:
        """Why a query of the metric's kind cannot be measured, or None."""
        if query.measured_by and not {self.name, self.metric} & {*query.measured_by}:
            return f"the query is measured by {', '.join(query.measured_by)}"
        return self.made.query_problem(query.items)
