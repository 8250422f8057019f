"""A cell: one metric variant on one query and one model, as the rows of a score file."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from fairflow.errors import ConfigurationError, DegenerateError, FairflowError
from fairflow.metrics import metric_class
from fairflow.metrics.base_metric import BaseMetric
from fairflow.queries.query import Query
from fairflow.scores.records import Record
from fairflow.statistics.kernel import Kernel
from fairflow.statistics.outcome import Outcome
from fairflow.statistics.permutation import SIDES
from fairflow.statistics.settings import Statistics
from fairflow.statistics.text_units import kernel_of_units
from fairflow.statistics.uncertainty import Uncertainty, quantify
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
    side : the alternative of the permutation test, the metric's usual one by default.
    """

    name: str
    metric: str
    measure: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    subqueries: bool = False
    normalize: bool = False
    side: str | None = None

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
        # What a metric with its own run_query returns is known only when it has run.
        ranked = [name for name in metric.measure_names if name not in metric.unranked]
        if self.measure not in ranked and not metric.has_own_run_query():
            measures = ", ".join(ranked)
            found.append(f"{metric.metric_short_name} has no measure {self.measure!r}: {measures}")
        if self.side not in (None, *SIDES):
            found.append(f"side must be one of {', '.join(SIDES)}, got {self.side!r}")
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
    vectors: QueryVectors,
    variant: Variant,
    model: str,
    query: str,
    seed: int,
    statistics: Statistics | None = None,
) -> list[Record]:
    """Every measure of every (sub-)query of a cell.

    A measure that cannot be had is a row with NaN, a status and a reason.

    Parameters
    ----------
    statistics : how much resampling for tests and intervals; none by default.
    """
    metric = metric_class(variant.metric)()
    parameters = dict(variant.parameters)
    if "random_state" in metric.parameters():
        parameters.setdefault("random_state", cell_seed(seed, model, variant.name, query))
    records: list[Record] = []
    for subquery in variant.split(vectors.query):
        part = vectors.subquery(subquery)
        outcome = _evaluate(metric, part, variant.normalize, parameters)
        found = {}
        if statistics:
            # By its words alone, as `run_query` has it: names are no part of what is tested.
            found = _quantify(outcome, part, variant, statistics, seed, (subquery.digest,))
        shared = _common_columns(part, subquery) | {
            "model": model,
            "metric": variant.name,
            "query": query,
        }
        unit_length = _unit_length(metric, part, variant, parameters, outcome, statistics)
        records.extend(_rows(outcome, variant.measure, shared, found, unit_length))
    return records


def _quantify(
    outcome: Outcome,
    part: QueryVectors,
    variant: Variant,
    statistics: Statistics,
    seed: int,
    cell: Sequence[str],
) -> dict[str, Uncertainty]:
    """Tests and intervals of each measure that the metric's kernel gives, or why there are none."""
    if outcome.status != "ok":
        names = (*outcome.measures, variant.measure)
        return {name: Uncertainty(statistics_note=_reason(outcome, name)) for name in names}
    if outcome.resampling is None:
        note = f"{variant.metric} has no kernel for resampling (see Outcome.resampling)"
        return {name: Uncertainty(statistics_note=note) for name in outcome.measures}
    kernel = outcome.resampling()
    if part.units is not None:
        kernel = kernel_of_units(kernel, part.units)
        if isinstance(kernel, str):
            return {name: Uncertainty(statistics_note=kernel) for name in outcome.measures}
    random = part.random
    if random is None or not random.per_form:
        words: tuple[Kernel, int, str | None] | str = "no random words in the slice"
        words = (random.reason if random else None) or words
    else:
        try:
            drawn = outcome.resampling(part.random_word_vectors(variant.normalize))
            words = drawn, random.per_form, random.source
        except DegenerateError as error:
            words = f"random words: {error}"
    note = f"{variant.metric} has no formula for resampling this measure"
    without = {name: Uncertainty(statistics_note=note) for name in outcome.measures}
    return without | quantify(kernel, outcome.measures, statistics, seed, cell, variant.side, words)


def _unit_length(
    metric: BaseMetric,
    part: QueryVectors,
    variant: Variant,
    parameters: dict[str, Any],
    outcome: Outcome,
    statistics: Statistics | None,
) -> dict[str, float]:
    """Each measure had every vector unit length; empty if statistics are not asked for."""
    if not statistics or outcome.status != "ok":
        return {}
    if variant.normalize:
        return outcome.measures
    return _evaluate(metric, part, True, parameters).measures


def _evaluate(
    metric: BaseMetric, part: QueryVectors, normalize: bool, parameters: dict[str, Any]
) -> Outcome:
    try:
        return metric.evaluate(part, normalize, **parameters)
    except DegenerateError as error:
        return metric.undefined("degenerate", str(error))


def _common_columns(part: QueryVectors, subquery: Query) -> dict[str, Any]:
    """What the rows of a (sub-)query share: its names and the account of its words."""

    def gathered(attribute: str) -> list[str]:
        return [word for account in part.accounts for word in getattr(account, attribute)]

    return {
        "subquery": subquery.query_name,
        "subquery_digest": subquery.digest,
        "n_words": sum(len(account.words) for account in part.accounts),
        "n_found": sum(account.n_found for account in part.accounts),
        "n_lost": len(gathered("lost")),
        "lost_words": gathered("lost"),
        "duplicated_words": gathered("duplicated"),
        "shared_words": list(dict.fromkeys(gathered("shared"))),
        "respelt_words": [
            {"word": word, "form": form}
            for account in part.accounts
            for word, form in account.respelt
        ],
    }


def _rows(
    outcome: Outcome,
    headline: str,
    shared: dict[str, Any],
    found: Mapping[str, Uncertainty],
    unit_length: Mapping[str, float],
) -> Iterator[Record]:
    measures = dict(outcome.measures)
    if headline not in measures:
        if outcome.status == "ok":
            found = ", ".join(measures)
            raise FairflowError(f"{shared['metric']} returned no number {headline!r}, only {found}")
        measures[headline] = math.nan
    for measure, value in measures.items():
        undefined = math.isnan(value)
        yield Record(
            **shared,
            measure=measure,
            headline=measure == headline,
            value=value,
            status="degenerate" if undefined and outcome.status == "ok" else outcome.status,
            reason=_reason(outcome, measure) if undefined else None,
            value_unit_length=unit_length.get(measure, math.nan),
            splits=outcome.splits.get(measure, ()),
            uncertainty=found.get(measure, Uncertainty()),
            words=list(outcome.words) if measure == headline else [],
        )


def _reason(outcome: Outcome, measure: str) -> str | None:
    return outcome.reasons.get(measure, next(iter(outcome.reasons.values()), None))
