"""The variant of a metric of words."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fairflow.metrics import METRICS
from fairflow.queries.query import VOCABULARY, Query
from fairflow.scores.variant import Variant

if TYPE_CHECKING:
    from fairflow.metrics.base_metric import BaseMetric

# The kind of models that are a table of word vectors.
TABLE = "vectors"


@dataclass(frozen=True)
class WordVariant(Variant):
    """A variant of a file of `fairflow.metrics`, or of a module or file of the user's.

    Attributes
    ----------
    subqueries : split a larger query into every query of the metric's template.
    normalize : divide vectors by their length first.
    """

    subqueries: bool = False
    normalize: bool = False

    registry = METRICS
    of_words = True
    scored_by = "scores"

    @property
    def property_scale(self) -> str:
        """The label of its scale of a property of words in figures; "" for the property's own."""
        return self.metric_class.property_scale(self.parameters)

    @property
    def draws(self) -> bool:
        """Whether the metric takes a random state."""
        return "random_state" in self.metric_class.parameters()

    @property
    def base_variant(self) -> WordVariant:
        """The metric with its parameters, whichever measure is ranked and alternative is tested."""
        if self.metric_class.has_own_run_query():
            # What it returns is known only when it has run.
            return replace(self, alternative=None, label="")
        parameters, _ = self.metric_class.computed_with(self.parameters)
        measure = self.metric_class.measures_of(parameters)[0]
        return replace(self, parameters=parameters, measure=measure, alternative=None, label="")

    @property
    def view(self) -> dict[str, Any]:
        """The measure that is ranked, the alternative of the test, and the names of measures."""
        _, measures = self.metric_class.computed_with(self.parameters)
        return {"measure": self.measure, "alternative": self.alternative, "measures": measures}

    def _problems_of(self, metric: type[BaseMetric]) -> list[str]:
        problems = []
        try:
            metric.check_parameters(dict(self.parameters))
        except TypeError as error:
            problems.append(str(error))
        # What a metric with its own run_query returns is known only when it has run.
        ranked = [name for name in metric.measure_names if name not in metric.unranked]
        if self.measure not in ranked and not metric.has_own_run_query():
            measures = ", ".join(ranked)
            short = metric.metric_short_name
            problems.append(f"{short} has no measure {self.measure!r}: {measures}")
        return problems

    def is_applicable(self, model: Any, query: Any) -> bool:
        """Static models know words; models that can be run know words and sentences.

        Only tables of vectors have a vocabulary. A study may name queries for some of its metrics
        alone: see `chooses`.
        """
        if query.kind not in model.query_kinds:
            return False
        if VOCABULARY in self.metric_class.needs and model.kind != TABLE:
            return False
        return not self.chooses(query) or self.problem_with(query) is None

    def chooses(self, query: Any) -> bool:
        """Whether a query that it cannot measure is left out rather than a fault of the study.

        So for metrics that need what queries declare, and for queries that say what measures them.
        """
        return bool(self.metric_class.needs or query.measured_by)

    def problem_with(self, query: Any) -> str | None:
        """Why a query of the plan cannot be measured, or None."""
        if query.measured_by and self.metric not in query.measured_by:
            return f"the query is measured by {', '.join(query.measured_by)}"
        return self.query_problem(query.template, query.declares)

    def query_problem(self, template: tuple[int, int], declared: Collection[str]) -> str | None:
        """Why queries with this template and these declarations cannot be measured, or None."""
        try:
            self._parts(template)
            self.metric_class.check_declared(declared)
        except ValueError as error:
            return str(error)
        return None

    def split(self, query: Query) -> list[Query]:
        """The query itself, or its sub-queries of the metric's template."""
        return query.get_subqueries(self._parts(query.template))

    def _parts(self, template: tuple[int, int]) -> tuple[int, int]:
        metric = self.metric_class
        targets, attributes = (
            have if need == "n" else min(have, need) if self.subqueries else have
            for have, need in zip(template, metric.metric_template, strict=True)
        )
        metric.check_template((targets, attributes))
        return targets, attributes


def variant_of_class(metric: Any) -> WordVariant:
    """The variant of a class of metrics that ranks its effect size, else its first measure.

    Raises
    ------
    TypeError : something else.
    """
    if not (isinstance(metric, type) and issubclass(metric, METRICS.base)):
        raise TypeError(f"a metric must be a name or a subclass of BaseMetric, got {metric!r}")
    measures = metric.measure_names
    measure = "effect_size" if "effect_size" in measures else measures[0]
    label = metric.labels.get(measure) or _with_measure(metric.metric_short_name, measure)
    variant = WordVariant(metric.__name__, metric.__module__, measure, label=label)
    # The class itself, as a module may define several, and that of a notebook cannot be imported.
    vars(variant)["metric_class"] = metric
    return variant


def _with_measure(metric: str, measure: str) -> str:
    """The name of a metric, with that of its measure where this is another one."""
    same = re.sub(r"\W", "", metric.casefold()), "result"
    return metric if measure.replace("_", "") in same else f"{metric} {measure.replace('_', ' ')}"
