"""A cell: one metric variant on one query and one model, as the rows of a score file."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from fairflow.errors import ConfigurationError
from fairflow.metrics import metric_class
from fairflow.metrics.base import BaseMetric, DegenerateError, Outcome
from fairflow.query import Query
from fairflow.records import Record
from fairflow.vectors.query_vectors import QueryVectors


@dataclass(frozen=True)
class Variant:
    """A metric with its parameters, under the name that paths and tables show.

    Attributes
    ----------
    metric : a file of `fairflow.metrics`, or a dotted module of the user's.
    measure : the measure that is ranked.
    subqueries : split a larger query into every query of the metric's template.
    normalize : divide vectors by their length first.
    """

    name: str
    metric: str
    measure: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    subqueries: bool = False
    normalize: bool = False

    @property
    def definition(self) -> dict[str, Any]:
        """Everything but the name, as plain values."""
        return {key: value for key, value in asdict(self).items() if key != "name"}

    def problems(self) -> list[str]:
        """What is wrong with this variant: metric, measure, parameters."""
        try:
            metric = metric_class(self.metric)
        except ConfigurationError as error:
            return list(error.problems)
        found = []
        try:
            metric.check_parameters(dict(self.parameters))
        except TypeError as error:
            found.append(str(error))
        if self.measure not in metric.measure_names:
            measures = ", ".join(metric.measure_names)
            found.append(f"{metric.metric_short_name} has no measure {self.measure!r}: {measures}")
        return found

    def template_problem(self, template: tuple[int, int]) -> str | None:
        """Why queries of this template cannot be measured, or None."""
        try:
            self._parts(metric_class(self.metric), template)
        except ValueError as error:
            return str(error)
        return None

    def _parts(self, metric: type[BaseMetric], template: tuple[int, int]) -> tuple[int, int]:
        wanted = tuple(
            have if need == "n" else min(have, need) if self.subqueries else have
            for have, need in zip(template, metric.metric_template, strict=True)
        )
        metric.check_template(wanted)
        return wanted

    def split(self, query: Query) -> list[Query]:
        """The query itself, or its sub-queries of the metric's template."""
        return query.get_subqueries(self._parts(metric_class(self.metric), query.template))


def cell_seed(seed: int, *identity: str) -> int:
    """A 32-bit seed that depends on the study's seed and the cell's identity alone."""
    text = "\x1f".join((str(seed), *identity))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def score_cell(
    vectors: QueryVectors, variant: Variant, model: str, query: str, seed: int
) -> list[Record]:
    """Every measure of every (sub-)query of a cell.

    A measure that cannot be had is a row with NaN, a status and a reason.
    """
    metric = metric_class(variant.metric)()
    parameters = dict(variant.parameters)
    if "random_state" in metric.parameters():
        parameters.setdefault("random_state", cell_seed(seed, model, variant.name, query))
    records: list[Record] = []
    for subquery in variant.split(vectors.query):
        part = vectors.subquery(subquery)
        status, outcome = _evaluate(metric, part, variant.normalize, parameters)
        records.extend(_rows(outcome, status, part, subquery, variant, model, query))
    return records


def _evaluate(
    metric: BaseMetric, part: QueryVectors, normalize: bool, parameters: dict[str, Any]
) -> tuple[str, Outcome]:
    if part.rejection:
        return "lost_vocabulary", metric.undefined(part.rejection)
    try:
        return "ok", metric.evaluate(part, normalize, **parameters)
    except DegenerateError as error:
        return "degenerate", metric.undefined(str(error))


def _rows(
    outcome: Outcome,
    status: str,
    part: QueryVectors,
    subquery: Query,
    variant: Variant,
    model: str,
    query: str,
) -> Iterator[Record]:
    accounts: Sequence = (*part.targets, *part.attributes)
    for measure, value in outcome.measures.items():
        headline = measure == variant.measure
        undefined = math.isnan(value)
        yield Record(
            model=model,
            metric=variant.name,
            query=query,
            subquery=subquery.query_name,
            subquery_digest=subquery.digest,
            measure=measure,
            headline=headline,
            value=value,
            n_words=sum(len(account.words) for account in accounts),
            n_lost=sum(len(account.lost) for account in accounts),
            lost_words=[word for account in accounts for word in account.lost],
            status="degenerate" if undefined and status == "ok" else status,
            reason=outcome.reasons.get(measure) if undefined else None,
            words=outcome.words if headline else [],
        )
