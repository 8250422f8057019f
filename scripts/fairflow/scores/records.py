"""The columns of a score file, and writing it without pandas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from fairflow.files.parquet_rows import write_rows
from fairflow.statistics.outcome import WordValue
from fairflow.statistics.uncertainty import Uncertainty

_WORD = pa.struct(
    [
        ("set", pa.string()),
        ("word", pa.string()),
        ("measure", pa.string()),
        ("value", pa.float64()),
        ("splits", pa.list_(pa.float32())),
    ]
)

_TEST = pa.struct(
    [
        ("p_side", pa.string()),
        ("p_value", pa.float64()),
        ("p_method", pa.string()),
        ("p_smallest", pa.float64()),
        ("p_error", pa.float64()),
        ("p_normal", pa.float64()),
    ]
)

STATISTICS_TYPES = {
    "float": pa.float64(),
    "int | None": pa.int64(),
    "str": pa.string(),
    "str | None": pa.string(),
    "list[float]": pa.list_(pa.float64()),
    "list[dict[str, Any]]": pa.list_(_TEST),
}

SCHEMA = pa.schema(
    [
        ("model", pa.string()),
        ("metric", pa.string()),
        ("query", pa.string()),
        ("subquery", pa.string()),
        ("subquery_digest", pa.string()),
        ("measure", pa.string()),
        ("headline", pa.bool_()),
        ("value", pa.float64()),
        ("n_words", pa.int64()),
        ("n_found", pa.int64()),
        ("n_lost", pa.int64()),
        ("sampled_from", pa.int64()),
        ("lost_words", pa.list_(pa.string())),
        ("duplicated_words", pa.list_(pa.string())),
        ("shared_words", pa.list_(pa.string())),
        ("respelt_words", pa.list_(pa.struct([("word", pa.string()), ("form", pa.string())]))),
        ("status", pa.string()),
        ("reason", pa.string()),
        ("value_unit_length", pa.float64()),
        ("splits", pa.list_(pa.float64())),
        *((name, STATISTICS_TYPES[type_]) for name, type_ in Uncertainty.__annotations__.items()),
        ("words", pa.list_(_WORD)),
    ]
)

STATUSES = ("ok", "lost_vocabulary", "shared_words", "degenerate", "few_counts")


@dataclass(frozen=True)
class Record:
    """One measure of one metric with its parameters for one (sub-)query on one model.

    Attributes
    ----------
    subquery_digest : depends on the words alone; equal for equal word sets under other names.
    headline : True for the measure that a variant is ranked by; for one of them, where variants
        share the file, see `fairflow.studies.variant_rows`.
    value : NaN when undefined; `reason` then says why.
    n_words, n_found, n_lost : words asked for, duplicates counted; those found, those not.
    sampled_from : of a sample of items, how many there are to draw from; else None.
    lost_words, duplicated_words, shared_words : not found; repeated in a set; in several target
        sets.
    respelt_words : words found in another form than the one written.
    status : one of `STATUSES`; "few_counts" is that of a value that rests on too few counts to be
        ranked, see `fairflow.statistics.counts`.
    value_unit_length : the value had all vectors unit length; NaN when that was not asked for.
    splits : the value on each random split of the attribute words, of a mean over such splits.
    uncertainty : tests and intervals, each a column of its own.
    words : values of single words; on the headline row only.
    """

    model: str
    metric: str
    query: str
    subquery: str
    subquery_digest: str
    measure: str
    headline: bool
    value: float
    n_words: int
    n_found: int
    n_lost: int
    lost_words: list[str]
    duplicated_words: list[str]
    shared_words: list[str]
    respelt_words: list[dict[str, str]]
    status: str
    reason: str | None
    value_unit_length: float = math.nan
    sampled_from: int | None = None
    splits: Sequence[float] = ()
    uncertainty: Uncertainty = field(default_factory=Uncertainty)
    words: list[WordValue] = field(default_factory=list)


def write_records(records: Sequence[Record], path: str | Path) -> None:
    """Write a score file; equal records give equal bytes."""
    write_rows([_plain(record) for record in records], SCHEMA, path)


def _plain(record: Record) -> dict[str, Any]:
    row = dict(vars(record)) | {"words": [word._asdict() for word in record.words]}
    row |= vars(row.pop("uncertainty"))
    return row | {"draws": [None if math.isnan(draw) else draw for draw in row["draws"]]}
