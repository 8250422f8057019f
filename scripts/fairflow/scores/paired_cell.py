"""A cell of words in two models: how one metric variant on one query differs between them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from fairflow.queries.lookup import SetLookup
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import WordScorer, reason_of
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.paired_difference import MEASURES, columns_of, pair, paired_difference
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import QueryVectors


def words_in_both(
    first: QueryVectors, second: QueryVectors
) -> tuple[QueryVectors, QueryVectors, list[str]]:
    """The slices of two models without the words that only one of them has, and these words.

    Such a word counts as lost in both, so that a query that loses too many is undefined.
    """
    excluded: dict[str, None] = {}
    kept = []
    for one, other in zip(first.accounts, second.accounts, strict=True):
        found = [
            (here is not None, there is not None)
            for here, there in zip(one.form_of, other.form_of, strict=True)
        ]
        words = zip(one.words, found, strict=True)
        excluded |= dict.fromkeys(word for word, (here, there) in words if here != there)
        kept.append([here and there for here, there in found])
    if not excluded:
        return first, second, []
    return _restricted(first, kept), _restricted(second, kept), list(excluded)


def _restricted(slice_: QueryVectors, kept: Sequence[Sequence[bool]]) -> QueryVectors:
    accounts = [_of_kept(*of_set) for of_set in zip(slice_.accounts, kept, strict=True)]
    n_targets, n_sets = len(slice_.targets), len(slice_.targets) + len(slice_.attributes)
    # Where the declared pairs are the targets themselves they have no account among these.
    pairs = accounts[n_sets] if len(accounts) > n_sets else slice_.pairs
    return replace(
        slice_,
        targets=tuple(accounts[:n_targets]),
        attributes=tuple(accounts[n_targets:n_sets]),
        pairs=pairs,
    )


def _of_kept(account: SetLookup, kept: Sequence[bool]) -> SetLookup:
    """The account of a set as if the other words had not been found."""
    form_of = [form if keep else None for form, keep in zip(account.form_of, kept, strict=True)]
    found = {form: place for form, place in account.found.items() if kept[place]}
    for place, form in enumerate(form_of):
        if form is not None:
            # A form that a word left out had brought in is now that of the next.
            found.setdefault(form, place)
    words = list(enumerate(account.words))
    lost = [word for place, word in words if form_of[place] is None]
    first = {*found.values()}
    return replace(
        account,
        found=found,
        form_of=form_of,
        preprocessors={form: account.preprocessors[form] for form in found},
        n_found=len(words) - len(lost),
        lost=lost,
        duplicated=[w for n, w in words if form_of[n] is not None and n not in first],
    )


_NAMES = ("before_model", "model", "metric", "query", "subquery", "subquery_digest", "measure")
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in _NAMES),
        *((f"{of}{end}", pa.float64()) for of in MEASURES for end in ("", "_low", "_high")),
        ("p_value", pa.float64()),
        ("resampled", pa.string()),
        ("ci_level", pa.float64()),
        ("ci_method", pa.string()),
        ("n_resamples", pa.int64()),
        ("n_words", pa.int64()),
        ("excluded", pa.list_(pa.string())),
        ("note", pa.string()),
        ("size_draws", pa.list_(pa.float32())),
    ]
)


def compare_cell(
    slices: Sequence[QueryVectors],
    variant: WordVariant,
    cells: Sequence[Cell],
    seed: int,
    statistics: Statistics,
) -> Iterator[dict[str, Any]]:
    """The difference of the primary measure for every (sub-)query: rows of `SCHEMA`.

    Values are those of the score files, unless a word is left out.

    Parameters
    ----------
    slices, cells : those of the model before and of the model after.

    Returns
    -------
    n_words : found in both models, duplicates counted. excluded : words that only one holds. The
    others as of `columns_of`, where nothing was resampled without how.
    """
    how = {"ci_level": statistics.level, "ci_method": statistics.interval}
    how |= {"n_resamples": statistics.resamples}
    scorers = [WordScorer(variant, cell, seed, statistics) for cell in cells]
    first, second, excluded = words_in_both(*slices)
    for subquery in variant.split(first.query):
        parts = [slice_.subquery(subquery) for slice_ in (first, second)]
        found = _difference(parts, scorers, statistics)
        concerned = {word for account in parts[0].accounts for word in account.words}
        names = cells[0].model, *cells[1], subquery.query_name, subquery.digest, variant.measure
        yield {
            **dict(zip(_NAMES, names, strict=True)),
            **found,
            **(how if found["resampled"] else {}),
            "n_words": sum(account.n_found for account in parts[0].accounts),
            "excluded": [word for word in excluded if word in concerned],
        }


def _difference(
    parts: Sequence[QueryVectors], scorers: Sequence[WordScorer], settings: Statistics
) -> dict[str, Any]:
    variant, both = scorers[0].variant, list(zip(scorers, parts, strict=True))
    instead = variant.metric_class.for_one(variant.measure)
    outcomes = [scorer.evaluated(part, **instead) for scorer, part in both]
    before, after = (one.measures.get(variant.measure, math.nan) for one in outcomes)
    for scorer, outcome in zip(scorers, outcomes, strict=True):
        if outcome.status != "ok":
            why = f"{scorer.cell.model}: {reason_of(outcome, variant.measure)}"
            return columns_of(before, after, {}, note=why)
    statistics = []
    for (scorer, part), outcome in zip(both, outcomes, strict=True):
        statistic = scorer.statistic(outcome, part)
        if isinstance(statistic, str):
            return columns_of(before, after, {}, note=statistic)
        if variant.measure not in statistic.measures(statistic.observed):
            why = f"{variant.metric} has no formula for resampling {variant.measure}"
            return columns_of(before, after, {}, note=why)
        statistics.append(statistic)
    paired = pair(statistics[0], statistics[1], variant.measure)
    if isinstance(paired, str):
        return columns_of(before, after, {}, note=paired)
    return paired_difference(paired, before, after, settings, scorers[0].seed)
