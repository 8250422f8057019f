"""A cell of words: one metric variant on one query and one model, as rows of a score file."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from fairflow.errors import DegenerateError, FairflowError
from fairflow.queries.query import Query
from fairflow.scores.records import Record, Scorer
from fairflow.scores.variant import Cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.grouped_statistic import statistic_of_units
from fairflow.statistics.outcome import Outcome
from fairflow.statistics.permutation import columns_of_tests
from fairflow.statistics.resampling_statistic import ResamplingStatistic
from fairflow.statistics.seeds import identity_seed
from fairflow.statistics.uncertainty import Statistics, Uncertainty, quantify
from fairflow.vectors.query_vectors import QueryVectors

if TYPE_CHECKING:
    from fairflow.metrics.base_metric import BaseMetric


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
    scorer = WordScorer(variant, cell, seed, statistics)
    return [
        record
        for subquery in variant.split(vectors.query)
        for record in scorer.records(vectors.subquery(subquery), subquery)
    ]


@dataclass(frozen=True)
class WordScorer(Scorer):
    """How the queries of a cell are scored."""

    @cached_property
    def metric(self) -> BaseMetric:
        """The metric of the variant."""
        return self.variant.metric_class()

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the metric, with the cell's random state where it takes one."""
        parameters = dict(self.variant.parameters)
        if "random_state" in self.metric.parameters():
            parameters.setdefault("random_state", identity_seed(self.seed, *self.cell))
        return parameters

    def evaluated(
        self, part: QueryVectors, normalize: bool | None = None, **instead: Any
    ) -> Outcome:
        """The metric on the vectors of a query; "degenerate" where it has no value.

        Parameters
        ----------
        instead : parameters in place of the variant's.
        """
        normalize = self.variant.normalize if normalize is None else normalize
        try:
            return self.metric.evaluate(part, normalize, **self.parameters | instead)
        except DegenerateError as error:
            return self.metric.undefined("degenerate", str(error), self.parameters)

    def statistic(self, outcome: Outcome, part: QueryVectors) -> ResamplingStatistic | str:
        """The statistic of words, or of the words of sentences; or the reason why it is missing."""
        if outcome.resampling is None:
            name = self.metric.metric_short_name
            return f"{name} resamples nothing, so that it has no test and no interval"
        statistic = outcome.resampling()
        return statistic if part.units is None else statistic_of_units(statistic, part.units)

    def records(self, part: QueryVectors, subquery: Query) -> Iterator[Record]:
        """Every measure of one (sub-)query."""
        outcome, headline = self.evaluated(part), self.variant.measure
        uncertainties: Mapping[str, Uncertainty] = {}
        unit_length: Mapping[str, float] = {}
        if self.statistics:
            # By its words alone, as `run_query` has it: names are no part of what is tested.
            uncertainties = self._quantified(outcome, part, subquery.digest, self.statistics)
            uncertainties |= _tested_by_itself(outcome, uncertainties)
            if outcome.status == "ok":
                as_they_are = self.variant.normalize or self.metric.of_directions
                unit_length = (outcome if as_they_are else self.evaluated(part, True)).measures
        measures = dict(outcome.measures)
        if headline not in measures:
            if outcome.status == "ok":
                names = ", ".join(measures)
                raise FairflowError(
                    f"{self.cell.metric} returned no number {headline!r}, only {names}"
                )
            measures[headline] = math.nan
        account = _account(part, subquery)
        for measure, value in measures.items():
            yield self.record(
                *(measure, value, outcome.status, outcome.words),
                **account,
                reason=reason_of(outcome, measure) if math.isnan(value) else None,
                value_normalized=unit_length.get(measure, math.nan),
                splits=outcome.splits.get(measure, ()),
                uncertainty=uncertainties.get(measure, Uncertainty()),
            )

    def _quantified(
        self, outcome: Outcome, part: QueryVectors, digest: str, settings: Statistics
    ) -> dict[str, Uncertainty]:
        """Tests and intervals of each measure that the statistic gives, or why they are missing."""
        variant, random = self.variant, part.random
        if outcome.status != "ok":
            names = (*outcome.measures, variant.measure)
            return {name: Uncertainty(statistics_note=reason_of(outcome, name)) for name in names}
        statistic = self.statistic(outcome, part)
        if isinstance(statistic, str):
            no_band = f"no null band: {random.reason}" if random and random.reason else ""
            note = "; ".join(filter(None, (statistic, no_band)))
            return {name: Uncertainty(statistics_note=note) for name in outcome.measures}
        words: tuple[ResamplingStatistic, int, str | None] | str
        if outcome.resampling is None or random is None or not random.per_form:
            words = (random.reason if random else None) or "no random words in the slice"
        else:
            try:
                drawn = outcome.resampling(part.random_word_vectors(variant.normalize))
                words = drawn, random.per_form, random.source
            except DegenerateError as error:
                words = f"random words: {error}"
        note = f"{variant.metric} has no formula for resampling this measure"
        without = {name: Uncertainty(statistics_note=note) for name in outcome.measures}
        how = settings, self.seed, (digest,), variant.alternative, words
        return without | quantify(statistic, outcome.measures, *how)


def _tested_by_itself(
    outcome: Outcome, uncertainties: Mapping[str, Uncertainty]
) -> dict[str, Uncertainty]:
    """The measures that a metric tests itself, with its test."""
    own = outcome.own_test
    if own is None:
        return {}
    columns = columns_of_tests(own.statistic, own.test, [own.test])
    return {name: replace(uncertainties[name], **columns) for name in own.measures}


def _account(part: QueryVectors, subquery: Query) -> dict[str, Any]:
    """What the rows of a (sub-)query share: its names and the account of its words."""
    every = part.accounts
    lost, duplicated, shared = (
        [word for account in every for word in getattr(account, of)]
        for of in ("lost", "duplicated", "shared")
    )
    return {
        "subquery": subquery.query_name,
        "subquery_digest": subquery.digest,
        "targets": subquery.target_sets_names,
        "attributes": subquery.attribute_sets_names,
        "n_words": sum(len(account.words) for account in every),
        "n_found": sum(account.n_found for account in every),
        "n_oov": len(lost),
        "oov_words": lost,
        "duplicated_words": duplicated,
        "shared_words": list(dict.fromkeys(shared)),
        "matched_forms": [
            {"word": word, "form": form} for account in every for word, form in account.respelt
        ],
    }


def reason_of(outcome: Outcome, measure: str) -> str | None:
    """Why a measure is undefined, if it is."""
    return outcome.reasons.get(measure, next(iter(outcome.reasons.values()), None))


Cells = TypeVar("Cells")


def watched(cells: Collection[Cells]) -> Iterator[Cells]:
    """The cells; how many are done is shown on stderr, where all last longer than two seconds.

    Shown to a person at a terminal or a notebook, and not in a log.
    """
    # Late, because a job of the workflow does not need it.
    from tqdm import tqdm

    shown = sys.stderr.isatty() or "ipykernel" in sys.modules
    yield from tqdm(cells, "scores", delay=2, leave=False, disable=not shown)
