"""A cell of a language model: one metric of items, as the rows of a score file."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from fairflow.language_models.errors import NOT_FINITE
from fairflow.language_models.items.item import UNREADABLE, WORDING, Item
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.metrics import ITEM_METRICS
from fairflow.language_models.scoring.answered import measured as measured_by
from fairflow.language_models.scoring.item_metric import ANSWERS, CAUSAL, ItemMetric, Measured
from fairflow.scores.records import Record, Scorer
from fairflow.scores.variant import Cell, Variant
from fairflow.statistics.counts import DRAWS, FEW_COUNTS, with_end_interval, with_null
from fairflow.statistics.outcome import WordValue
from fairflow.statistics.seeds import identity_generator
from fairflow.statistics.uncertainty import Statistics, Uncertainty, quantify

CATEGORY = "category"


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
    scored_by = "scored_items"

    @property
    def made(self) -> ItemMetric:
        """The metric with its parameters."""
        return self.metric_class(**self.parameters)

    @property
    def ability(self) -> Mapping[str, str]:
        """The measure of how well a model does the task, with what its values say, if any."""
        if not (measure := self.metric_class.ability):
            return {}
        return {"measure": measure, "interpretation": self.reading_of(measure).text()}

    def _problems_of(self, metric: type[ItemMetric]) -> list[str]:
        return metric.problems(self.parameters, self.measure)

    def is_applicable(self, model: Any, query: Any) -> bool:
        """Whether query and metric are of one kind, and the model gives what the metric needs."""
        return (
            query.kind == self.metric_class.kind
            # Tables of vectors do not.
            and hasattr(model, "answers")
            and model.answers(query.name)
            and self.problem_with(query) is None
            and bool(self.made.needs(CAUSAL if model.kind == ANSWERS else model.kind))
        )

    def problem_with(self, query: Any) -> str | None:
        """Why a query of the metric's kind cannot be measured, or None."""
        if query.measured_by and not {self.name, self.metric} & {*query.measured_by}:
            return f"the query is measured by {', '.join(query.measured_by)}"
        return self.made.query_problem(query.items)


def score_items(
    items: ItemSet,
    slice_: Sequence[Any],
    variant: ItemVariant,
    cell: Cell,
    model_kind: str,
    seed: int,
    statistics: Statistics | None = None,
    by: str | None = None,
) -> tuple[list[Record], list[dict[str, Any]]]:
    """Every measure of a query, and the value of every item.

    Parameters
    ----------
    slice_ : of `fairflow.language_models.slices.slices.Answers.read`.
    by : "category" or "wording": score the items of each by themselves; by default as the variant
        says.

    Returns
    -------
    The rows of the score file, and one row per item with its status and reason.
    """
    scorer = _ItemScorer(variant, cell, seed, statistics)
    records: list[Record] = []
    rows: list[dict[str, Any]] = []
    for name, part in _parts(items, by or (CATEGORY if variant.by_category else None)):
        measured = measured_by(variant.made, part, slice_, model_kind)
        records += scorer.records(measured, part, name)
        rows += measured.scores.rows()
    for one in items.invalid:
        identity = {"item": one.item_id, "template": one.item_id, "category": one.category}
        rows.append(identity | {"status": UNREADABLE, "reason": one.reason})
    about = {"model": cell.model, "query": cell.query}
    return records, [about | row | {"metric": cell.metric} for row in rows]


def _parts(items: ItemSet, by: str | None) -> Iterator[tuple[str, ItemSet]]:
    """The items of each category or wording; all of them, without a name, unless there are two."""

    def name_of(item: Item) -> str:
        return item.category if by == CATEGORY else item.factors.get(WORDING, "")

    names = dict.fromkeys(map(name_of, items.items)) if by else {}
    if len(names) < 2:
        yield "", items
        return

    def those_of(name: str) -> ItemSet:
        return items.those(lambda item: name_of(item) == name)

    for name in names:
        left_out = {one: of for one, of in items.left_out.items() if of == name and by == CATEGORY}
        yield name, replace(those_of(name), left_out=left_out)


class _ItemScorer(Scorer):
    """How the items of a cell are scored."""

    def records(self, measured: Measured, items: ItemSet, name: str) -> Iterator[Record]:
        """Every measure of items, the counts that they rest on, and the outcomes of answers."""
        digest = _digest(items)
        for one in filter(None, (measured, measured.outcomes)):
            yield from self._measures(one, items, name, digest)

    def _measures(
        self, measured: Measured, items: ItemSet, name: str, digest: str
    ) -> Iterator[Record]:
        scores = measured.scores
        lost = [one for one, ok in zip(scores.item_ids, scores.ok, strict=True) if not ok]
        lost += [item.item_id for item in items.invalid]
        status, reason = self._status(measured)
        has_values = status in ("ok", FEW_COUNTS)
        uncertainties = self._quantified(measured, digest, None if has_values else reason)
        words = [
            WordValue(item.category, item.item_id, scores.measure, float(value))
            for item, value, ok in zip(scores.items, scores.values, scores.ok, strict=True)
            if ok
        ]
        identity = {
            "subquery": f"{self.cell.query}: {name}" if name else self.cell.query,
            "subquery_digest": digest,
            "category": name,
            "n_words": len(scores.items) + len(items.invalid),
            "n_found": int(scores.ok.sum()),
            "n_oov": len(lost),
            "sampled_from": items.number_of_all if items.left_out else None,
            "oov_words": lost,
        }
        for measure, computed in measured.measures.items():
            value = computed if has_values else math.nan
            why = reason or "the measure has no value for these items"
            about = identity | measured.numbers(measure)
            about["uncertainty"] = uncertainties.get(measure, Uncertainty())
            about["reason"] = why if math.isnan(value) else reason
            yield self.record(measure, value, status, words, **about)
        note = Uncertainty(statistics_note="a count of what was scored")
        for measure, value in measured.counts.further.items() if measured.counts else ():
            yield self.record(measure, value, "ok", (), **identity, reason=None, uncertainty=note)

    def _status(self, measured: Measured) -> tuple[str, str | None]:
        """The status of the rows, and why they have no value or rest on too few counts."""
        statuses = measured.scores.statuses
        if broken := statuses.count(NOT_FINITE):
            return NOT_FINITE, (
                f"{self.cell.model} is broken: what it computes is NaN or infinite for {broken} of "
                f"{len(statuses)} items"
            )
        if "ok" in statuses:
            few = measured.counts.few if measured.counts else None
            return (FEW_COUNTS, few) if few else ("ok", None)
        listed = (f"{number} {status}" for status, number in sorted(Counter(statuses).items()))
        return "lost_vocabulary", f"no item was scored: {', '.join(listed)}"

    def _quantified(
        self, measured: Measured, digest: str, no_value: str | None
    ) -> Mapping[str, Uncertainty]:
        """Test and interval of each measure, or the reason why it has no value."""
        values, settings, cell = measured.measures, self.statistics, (*self.cell, digest)
        if settings is None:
            return {}
        if no_value:
            return {name: Uncertainty(statistics_note=no_value) for name in values}
        statistic, why = measured.statistic, "items have no random counterparts"
        found = quantify(
            statistic, values, settings, self.seed, cell, self.variant.alternative, why
        )
        for name, ends in measured.ends.items():
            of_ends = ends, statistic.n_units, settings.level
            found[name] = with_end_interval(found[name], values[name], *of_ends)
        counts = measured.counts
        if counts and counts.null:
            generator = identity_generator(self.seed, "unbiased counts", *cell)
            for name, draws in counts.null(generator, DRAWS).items():
                how = draws, counts.drawn, statistic.untestable
                found[name] = with_null(found[name], values[name], *how)
        return found


def _digest(items: ItemSet) -> str:
    """A digest of the valid items, equal for equal items of two queries."""

    def plain(one: Any) -> dict[str, Any]:
        told = {of.name: getattr(one, of.name) for of in fields(one)}
        # Items in their own wording are what they were before there were others.
        unsaid = {"invalid", "left_out", *([] if told.get(WORDING) else [WORDING])}
        return {name: value for name, value in told.items() if name not in unsaid}

    text = json.dumps(items, ensure_ascii=False, sort_keys=True, default=plain)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def category_records(
    items: ItemSet,
    slice_: Sequence[Any],
    definition: Mapping[str, Any],
    cell: Cell,
    model_kind: str,
    seed: int,
    statistics: Statistics | None = None,
    by: str = CATEGORY,
) -> list[dict[str, Any]]:
    """The rows that the cell has if the items of each category or wording are scored by themselves.

    None for items of one category or wording, and for a metric that cannot measure each alone, as
    one that compares categories.

    Parameters
    ----------
    definition : of the variant. by : "category" or "wording". The others as of `score_items`.
    """
    variant = ItemVariant(cell.metric, **definition)
    parts = [part for _, part in _parts(items, by)]
    if len(parts) < 2 or any(map(variant.made.query_problem, parts)):
        return []
    records, _ = score_items(items, slice_, variant, cell, model_kind, seed, statistics, by)
    return [vars(record) | vars(record.uncertainty) for record in records]
