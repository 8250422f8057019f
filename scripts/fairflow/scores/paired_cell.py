"""A cell of words in two models: how one metric variant on one query differs between them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from fairflow.files.parquet_rows import write_rows
from fairflow.scores.cell import Cell
from fairflow.scores.word_cell import evaluated, kernel_of, parameters_of, reason_of
from fairflow.scores.word_variant import WordVariant
from fairflow.scores.words_in_both import words_in_both
from fairflow.statistics.outcome import Outcome
from fairflow.statistics.paired_difference import (
    PairedDifference,
    paired_difference,
    without_interval,
)
from fairflow.statistics.paired_kernel import PairedKernel, pair
from fairflow.statistics.settings import Statistics
from fairflow.vectors.query_vectors import QueryVectors

ESTIMATES = ("before", "after", "difference", "absolute_difference")

SCHEMA = pa.schema(
    [
        ("before_model", pa.string()),
        ("model", pa.string()),
        ("metric", pa.string()),
        ("query", pa.string()),
        ("subquery", pa.string()),
        ("subquery_digest", pa.string()),
        ("measure", pa.string()),
        *(
            (name, pa.float64())
            for estimate in ESTIMATES
            for name in (estimate, f"{estimate}_low", f"{estimate}_high")
        ),
        ("p_value", pa.float64()),
        ("resampled", pa.string()),
        ("ci_level", pa.float64()),
        ("ci_method", pa.string()),
        ("n_resamples", pa.int64()),
        ("n_words", pa.int64()),
        ("left_out", pa.list_(pa.string())),
        ("note", pa.string()),
    ]
)


@dataclass(frozen=True)
class PairedRecord:
    """The headline measure of one (sub-)query in two models.

    Attributes
    ----------
    difference : with the values, see `fairflow.statistics.paired_difference.PairedDifference`.
    n_words : words found in both models, duplicates counted. left_out : those that only one holds.
    """

    before_model: str
    model: str
    metric: str
    query: str
    subquery: str
    subquery_digest: str
    measure: str
    difference: PairedDifference
    n_words: int
    left_out: list[str] = field(default_factory=list)


def compare_cell(
    slices: Sequence[QueryVectors],
    variant: WordVariant,
    cells: Sequence[Cell],
    seed: int,
    statistics: Statistics,
) -> Iterator[PairedRecord]:
    """The difference of the headline measure for every (sub-)query.

    Values are those of the score files, unless a word is left out.

    Parameters
    ----------
    slices, cells : those of the model before and of the model after.
    """
    first, second, left_out = words_in_both(*slices)
    for subquery in variant.split(first.query):
        parts = [slice_.subquery(subquery) for slice_ in (first, second)]
        difference = _difference(parts, variant, cells, seed, statistics)
        concerned = {word for account in parts[0].accounts for word in account.words}
        yield PairedRecord(
            before_model=cells[0].model,
            model=cells[1].model,
            metric=cells[1].metric,
            query=cells[1].query,
            subquery=subquery.query_name,
            subquery_digest=subquery.digest,
            measure=variant.measure,
            difference=difference,
            n_words=sum(account.n_found for account in parts[0].accounts),
            left_out=[word for word in left_out if word in concerned],
        )


def _difference(
    parts: Sequence[QueryVectors],
    variant: WordVariant,
    cells: Sequence[Cell],
    seed: int,
    statistics: Statistics,
) -> PairedDifference:
    outcomes = [
        evaluated(variant.declared(), part, variant.normalize, parameters_of(variant, cell, seed))
        for part, cell in zip(parts, cells, strict=True)
    ]
    values = [outcome.measures.get(variant.measure, math.nan) for outcome in outcomes]
    for cell, outcome in zip(cells, outcomes, strict=True):
        if outcome.status != "ok":
            return without_interval(*values, f"{cell.model}: {reason_of(outcome, variant.measure)}")
    kernel = _paired_kernel(outcomes, parts, variant)
    if isinstance(kernel, str):
        return without_interval(*values, kernel)
    return paired_difference(kernel, *values, statistics, seed)


def _paired_kernel(
    outcomes: Sequence[Outcome], parts: Sequence[QueryVectors], variant: WordVariant
) -> PairedKernel | str:
    kernels = [kernel_of(*of_model, variant) for of_model in zip(outcomes, parts, strict=True)]
    for kernel in kernels:
        if isinstance(kernel, str):
            return kernel
        if variant.measure not in kernel.measures(kernel.observed):
            return f"{variant.metric} has no formula for resampling {variant.measure}"
    return pair(*kernels, variant.measure)


def write_differences(
    records: Iterable[PairedRecord], statistics: Statistics, path: str | Path
) -> None:
    """Write the comparison of two models; equal records give equal bytes."""
    write_rows([_row(record, statistics) for record in records], SCHEMA, path)


def _row(record: PairedRecord, statistics: Statistics) -> dict[str, Any]:
    row = dict(vars(record))
    found: PairedDifference = row.pop("difference")
    for name in ESTIMATES:
        row |= zip((name, f"{name}_low", f"{name}_high"), getattr(found, name), strict=True)
    how = {"ci_level": statistics.level, "ci_method": statistics.interval}
    return {
        **row,
        **(how | {"n_resamples": statistics.resamples} if found.over else {}),
        "p_value": found.p_value,
        "resampled": found.over or None,
        "note": found.note or None,
    }
