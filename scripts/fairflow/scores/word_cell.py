"""A cell of words: one metric variant on one query and one model, as rows of a score file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fairflow.errors import DegenerateError, FairflowError
from fairflow.metrics.base_metric import BaseMetric
from fairflow.queries.query import Query
from fairflow.scores.records import Record
from fairflow.scores.variant import Cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.grouped_kernel import kernel_of_units
from fairflow.statistics.kernel import Kernel
from fairflow.statistics.outcome import Outcome
from fairflow.statistics.seeds import identity_seed
from fairflow.statistics.uncertainty import Statistics, Uncertainty, quantify
from fairflow.vectors.query_vectors import QueryVectors


def score_cell(
    vectors: QueryVectors,
    variant: WordVariant,
    cell: Cell,
    seed: int,
    statistics: Statistics | None = None,
) -> list[Record]:
    """Every measure of every (sub-)query of a cell.

    A measure that cannot be had is a row with NaN, a status and a reason.

    Parameters
    ----------
    statistics : how much resampling for tests and intervals; none by default.
    """
    metric = variant.declared()
    parameters = parameters_of(variant, cell, seed)
    records: list[Record] = []
    for subquery in variant.split(vectors.query):
        part = vectors.subquery(subquery)
        outcome = evaluated(metric, part, variant.normalize, parameters)
        uncertainties = {}
        if statistics:
            # By its words alone, as `run_query` has it: names are no part of what is tested.
            uncertainties = _quantify(outcome, part, variant, statistics, seed, (subquery.digest,))
            uncertainties |= _tested_by_itself(outcome, uncertainties)
        shared = cell._asdict() | _common_columns(part, subquery)
        unit_length = _unit_length(metric, part, variant, parameters, outcome, statistics)
        records.extend(_rows(outcome, variant.measure, shared, uncertainties, unit_length))
    return records


def parameters_of(variant: WordVariant, cell: Cell, seed: int) -> dict[str, Any]:
    """The parameters of the metric, with the cell's random state where it takes one."""
    parameters = dict(variant.parameters)
    if "random_state" in variant.declared.parameters():
        parameters.setdefault("random_state", identity_seed(seed, *cell))
    return parameters


def kernel_of(outcome: Outcome, part: QueryVectors, variant: WordVariant) -> Kernel | str:
    """What is resampled of an outcome: words, or the words of sentences; or why nothing is."""
    if outcome.resampling is None:
        name = variant.declared.metric_short_name
        return f"{name} resamples nothing, so that it has no test and no interval"
    kernel = outcome.resampling()
    return kernel if part.units is None else kernel_of_units(kernel, part.units)


def _quantify(
    outcome: Outcome,
    part: QueryVectors,
    variant: WordVariant,
    statistics: Statistics,
    seed: int,
    cell: Sequence[str],
) -> dict[str, Uncertainty]:
    """Tests and intervals of each measure that the metric's kernel gives, or why there are none."""
    if outcome.status != "ok":
        names = (*outcome.measures, variant.measure)
        return {name: Uncertainty(statistics_note=reason_of(outcome, name)) for name in names}
    kernel = kernel_of(outcome, part, variant)
    random = part.random
    if isinstance(kernel, str):
        no_band = f"no null band: {random.reason}" if random and random.reason else ""
        note = "; ".join(filter(None, (kernel, no_band)))
        return {name: Uncertainty(statistics_note=note) for name in outcome.measures}
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


def _tested_by_itself(
    outcome: Outcome, uncertainties: Mapping[str, Uncertainty]
) -> dict[str, Uncertainty]:
    """The measures that a metric tests itself, with its test."""
    own = outcome.own_test
    if own is None:
        return {}
    columns = own.columns
    told = {"p_statistic": own.statistic, "n_permutations": float(own.n_permutations)}
    return {
        name: replace(uncertainties[name], **columns, **told, tests=[columns])
        for name in own.measures
    }


def _unit_length(
    metric: BaseMetric,
    part: QueryVectors,
    variant: WordVariant,
    parameters: dict[str, Any],
    outcome: Outcome,
    statistics: Statistics | None,
) -> dict[str, float]:
    """Each measure had every vector unit length; empty if statistics are not asked for."""
    if not statistics or outcome.status != "ok":
        return {}
    if variant.normalize or metric.of_directions:
        return outcome.measures
    return evaluated(metric, part, True, parameters).measures


def evaluated(
    metric: BaseMetric, part: QueryVectors, normalize: bool, parameters: dict[str, Any]
) -> Outcome:
    """The metric on the vectors of a query; "degenerate" where it has no value."""
    try:
        return metric.evaluate(part, normalize, **parameters)
    except DegenerateError as error:
        return metric.undefined("degenerate", str(error), parameters)


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
    uncertainties: Mapping[str, Uncertainty],
    unit_length: Mapping[str, float],
) -> Iterator[Record]:
    measures = dict(outcome.measures)
    if headline not in measures:
        if outcome.status == "ok":
            names = ", ".join(measures)
            raise FairflowError(f"{shared['metric']} returned no number {headline!r}, only {names}")
        measures[headline] = math.nan
    for measure, value in measures.items():
        undefined = math.isnan(value)
        yield Record(
            **shared,
            measure=measure,
            headline=measure == headline,
            value=value,
            status="degenerate" if undefined and outcome.status == "ok" else outcome.status,
            reason=reason_of(outcome, measure) if undefined else None,
            value_unit_length=unit_length.get(measure, math.nan),
            splits=outcome.splits.get(measure, ()),
            uncertainty=uncertainties.get(measure, Uncertainty()),
            words=list(outcome.words) if measure == headline else [],
        )


def reason_of(outcome: Outcome, measure: str) -> str | None:
    """Why a measure is undefined, if it is."""
    return outcome.reasons.get(measure, next(iter(outcome.reasons.values()), None))
