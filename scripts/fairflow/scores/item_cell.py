"""A cell of a language model: one metric of items, as the rows of a score file."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from fairflow.language_models.errors import NOT_FINITE
from fairflow.language_models.items.item import UNREADABLE, UnreadableItem
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.scoring.item_metric import Measured
from fairflow.scores.item_variant import ItemVariant
from fairflow.scores.records import Record
from fairflow.scores.variant import Cell
from fairflow.statistics.counts import DRAWS, FEW_COUNTS, with_end_interval, with_null
from fairflow.statistics.outcome import WordValue
from fairflow.statistics.seeds import identity_generator
from fairflow.statistics.uncertainty import Statistics, Uncertainty, quantify


def score_items(
    items: ItemSet,
    slice_: Sequence[Any],
    variant: ItemVariant,
    cell: Cell,
    model_kind: str,
    seed: int,
    statistics: Statistics | None = None,
) -> tuple[list[Record], list[dict[str, Any]]]:
    """Every measure of a query, and the value of every item.

    Parameters
    ----------
    slice_ : of `read_tokens` or `read_completions`.

    Returns
    -------
    The rows of the score file, and one row per item with its status and reason.
    """
    metric = variant.made
    about = {"model": cell.model, "query": cell.query}
    records: list[Record] = []
    rows: list[dict[str, Any]] = []
    for name, part in _parts(items, variant.by_category):
        measured = metric.measure(part, slice_, model_kind)
        records.extend(_records(measured, part, name, variant, cell, seed, statistics))
        rows += [about | row for row in measured.scores.rows()]
    rows += [about | _unreadable(one) for one in items.unreadable]
    return records, [row | {"metric": cell.metric} for row in rows]


def _unreadable(item: UnreadableItem) -> dict[str, Any]:
    """The row of an item that no model was asked about."""
    identity = {"item": item.item_id, "template": item.item_id, "category": item.category}
    return identity | {"status": UNREADABLE, "reason": item.reason}


def _parts(items: ItemSet, by_category: bool) -> Iterator[tuple[str, ItemSet]]:
    if not by_category or len(items.categories) < 2:
        yield "", items
        return
    for category in items.categories:
        chosen, unreadable = (
            tuple(item for item in some if item.category == category)
            for some in (items.items, items.unreadable)
        )
        left_out = {one: name for one, name in items.left_out.items() if name == category}
        yield category, replace(items, items=chosen, unreadable=unreadable, left_out=left_out)


def _records(
    measured: Measured,
    items: ItemSet,
    name: str,
    variant: ItemVariant,
    cell: Cell,
    seed: int,
    statistics: Statistics | None,
) -> Iterator[Record]:
    scores = measured.scores
    digest = _digest(items)
    unreadable = [item.item_id for item in items.unreadable]
    lost = [one for one, ok in zip(scores.item_ids, scores.ok, strict=True) if not ok] + unreadable
    status, reason = _status(measured, cell.model)
    has_values = status in ("ok", FEW_COUNTS)
    uncertainties = _quantified(
        measured, variant, (*cell, digest), seed, statistics, None if has_values else reason
    )
    identity = {
        **cell._asdict(),
        "subquery": f"{cell.query}: {name}" if name else cell.query,
        "subquery_digest": digest,
        "n_words": len(scores.items) + len(unreadable),
        "n_found": int(scores.ok.sum()),
        "n_lost": len(lost),
        "sampled_from": items.number_of_all if items.left_out else None,
        "lost_words": lost,
        "duplicated_words": [],
        "shared_words": [],
        "respelt_words": [],
    }
    for measure, computed in measured.measures.items():
        value = computed if has_values else math.nan
        undefined = math.isnan(value)
        why = reason or "the measure has no value for these items"
        yield Record(
            **identity,
            **measured.numbers(measure),
            measure=measure,
            headline=measure == variant.measure,
            value=value,
            status=("degenerate" if status == "ok" else status) if undefined else status,
            reason=why if undefined else reason,
            uncertainty=uncertainties.get(measure, Uncertainty()),
            words=_item_values(measured) if measure == variant.measure else [],
        )
    told = measured.counts.told if measured.counts else {}
    for measure, value in told.items():
        yield Record(
            **identity,
            measure=measure,
            headline=False,
            value=value,
            status="ok",
            reason=None,
            uncertainty=Uncertainty(statistics_note="a count of what was scored"),
        )


def _status(measured: Measured, model: str) -> tuple[str, str | None]:
    """The status of a score file's row, and why it has no value or rests on too few counts."""
    scores = measured.scores
    if broken := scores.statuses.count(NOT_FINITE):
        return NOT_FINITE, (
            f"{model} is broken: what it computes is NaN or infinite for {broken} of "
            f"{len(scores.items)} items"
        )
    if scores.ok.any():
        few = measured.counts.few if measured.counts else None
        return (FEW_COUNTS, few) if few else ("ok", None)
    counts = Counter(status for status in scores.statuses)
    listed = ", ".join(f"{number} {status}" for status, number in sorted(counts.items()))
    return "lost_vocabulary", f"no item was scored: {listed}"


def _quantified(
    measured: Measured,
    variant: ItemVariant,
    cell: Sequence[str],
    seed: int,
    statistics: Statistics | None,
    no_value: str | None,
) -> Mapping[str, Uncertainty]:
    """Test and interval of each measure; of measures without a value, why."""
    if statistics is None:
        return {}
    if no_value:
        return {name: Uncertainty(statistics_note=no_value) for name in measured.measures}
    kernel = measured.kernel
    uncertainties = quantify(
        kernel,
        measured.measures,
        statistics,
        seed,
        cell,
        variant.side,
        "items have no random counterparts",
    )
    for name, ends in measured.ends.items():
        value = measured.measures[name]
        uncertainties[name] = with_end_interval(
            uncertainties[name], value, ends, kernel.n_units, statistics.level
        )
    counts = measured.counts
    if counts and counts.null:
        generator = identity_generator(seed, "unbiased counts", *cell)
        for name, draws in counts.null(generator, DRAWS).items():
            value = measured.measures[name]
            uncertainties[name] = with_null(
                uncertainties[name], value, draws, counts.drawn, kernel.untestable
            )
    return uncertainties


def _item_values(measured: Measured) -> list[WordValue]:
    scores = measured.scores
    return [
        WordValue(item.category, item.item_id, scores.measure, float(value))
        for item, value, ok in zip(scores.items, scores.values, scores.ok, strict=True)
        if ok
    ]


def _digest(items: ItemSet) -> str:
    """Depends on the items alone; equal for equal items of two queries, whatever is unreadable."""
    scored = asdict(items)
    del scored["unreadable"], scored["left_out"]
    text = json.dumps(scored, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def category_records(
    items: ItemSet,
    slice_: Sequence[Any],
    definition: Mapping[str, Any],
    cell: Cell,
    model_kind: str,
    seed: int,
    statistics: Statistics | None = None,
) -> list[dict[str, Any]]:
    """The rows that the cell has if its variant scores the items of each category by themselves.

    None for items of one category, and for a metric that cannot measure each category alone, as one
    that compares categories.

    Parameters
    ----------
    definition : of the variant. The others as of `score_items`.
    """
    variant = ItemVariant(cell.metric, **{**definition, "by_category": True})
    of_category = [
        replace(items, items=tuple(one for one in items.items if one.category == name))
        for name in items.categories
    ]
    if len(of_category) < 2 or any(map(variant.made.query_problem, of_category)):
        return []
    records, _ = score_items(items, slice_, variant, cell, model_kind, seed, statistics)
    return [asdict(record) | asdict(record.uncertainty) for record in records]
