"""The columns of a score file, which is written without pandas."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from fairflow.scores.variant import Cell, Variant
from fairflow.statistics.outcome import WordValue
from fairflow.statistics.uncertainty import Statistics, Uncertainty

_TEXT, _NUMBER = pa.string(), pa.float64()
_WORD = pa.struct(
    {
        **{"set": _TEXT, "word": _TEXT, "measure": _TEXT, "value": _NUMBER},
        "splits": pa.list_(pa.float32()),
    }
)
_TEST = pa.struct(
    {"alternative": _TEXT, "p_value": _NUMBER, "p_method": _TEXT}
    | dict.fromkeys(("p_smallest", "p_error", "p_normal"), _NUMBER)
)

STATUSES = ("ok", "lost_vocabulary", "shared_words", "degenerate", "few_counts", "not_finite")


@dataclass(frozen=True, kw_only=True)
class Record:
    """One measure of one metric for one (sub-)query on one model: the columns of a score file.

    Attributes
    ----------
    subquery_digest : depends on the words alone; equal for equal word sets under other names.
    targets, attributes : names of its sets of words; none of items. category : of its items, ""
        of all and of words.
    is_primary : True for the measure that a variant is ranked by; for one of them, where variants
        share the file, see `fairflow.studies.score_table`.
    value : NaN when undefined; `reason` then says why.
    n_words, n_found, n_oov : words asked for, duplicates counted; those found, those not.
    sampled_from : of a sample of items, how many there are to draw from; else None.
    n_items, n_clusters : the items that a value rests on, and the clusters that are resampled;
        None of words.
    oov_words, duplicated_words, shared_words : not found; repeated in a set; in several target
        sets.
    matched_forms : words found in another form than the one written.
    status : one of `STATUSES`; "few_counts" is that of a value that rests on too few counts to be
        ranked, see `fairflow.statistics.counts`.
    value_normalized : the value had all vectors unit length; NaN when that was not asked for.
    splits : the value on each random split of the attribute words, of a mean over such splits.
    uncertainty : tests and intervals, each in its own column.
    words : values of single words; on the primary row only.
    """

    model: str
    metric: str
    query: str
    subquery: str
    subquery_digest: str
    targets: list[str] = field(default_factory=list)
    attributes: list[str] = field(default_factory=list)
    category: str = ""
    measure: str
    is_primary: bool
    value: float
    n_words: int
    n_found: int
    n_oov: int
    sampled_from: int | None = None
    n_items: int | None = None
    n_clusters: int | None = None
    oov_words: list[str]
    duplicated_words: list[str] = field(default_factory=list)
    shared_words: list[str] = field(default_factory=list)
    matched_forms: list[dict[str, str]] = field(default_factory=list)
    status: str
    reason: str | None
    value_normalized: float = math.nan
    splits: Sequence[float] = ()
    uncertainty: Uncertainty = field(default_factory=Uncertainty)
    words: list[WordValue] = field(default_factory=list)


# The type of a field -> that of its column.
_TYPES = {
    "bool": pa.bool_(),
    "float": _NUMBER,
    "int": pa.int64(),
    "int | None": pa.int64(),
    "str": _TEXT,
    "str | None": _TEXT,
    "list[str]": pa.list_(_TEXT),
    "list[float]": pa.list_(_NUMBER),
    "Sequence[float]": pa.list_(_NUMBER),
    "list[dict[str, str]]": pa.list_(pa.struct({"word": _TEXT, "form": _TEXT})),
    "list[dict[str, Any]]": pa.list_(_TEST),
    "list[WordValue]": pa.list_(_WORD),
}
SCHEMA = pa.schema(
    [
        (column, _TYPES[type_])
        for name, of_field in Record.__annotations__.items()
        for column, type_ in (
            Uncertainty.__annotations__ if name == "uncertainty" else {name: of_field}
        ).items()
    ]
)


@dataclass(frozen=True)
class Scorer:
    """How a cell is scored; of words and of items alike.

    Attributes
    ----------
    statistics : how much resampling for tests and intervals; none by default.
    """

    variant: Variant
    cell: Cell
    seed: int
    statistics: Statistics | None = None

    def record(
        self, measure: str, value: float, status: str, words: Iterable[WordValue], **rest: Any
    ) -> Record:
        """The row of a measure; one without a value is degenerate unless the status says why."""
        ranks = measure == self.variant.measure
        return Record(
            **self.cell._asdict(),
            **rest,
            measure=measure,
            is_primary=ranks,
            value=value,
            status="degenerate" if status == "ok" and math.isnan(value) else status,
            words=list(words) if ranks else [],
        )


def ranked(records: Iterable[Record]) -> list[Record]:
    """Those of the measure that is ranked by."""
    return [one for one in records if one.is_primary]


def plain_row(record: Record) -> dict[str, Any]:
    """The row of a record in a score file."""
    row = dict(vars(record)) | {"words": [word._asdict() for word in record.words]}
    row |= vars(row.pop("uncertainty"))
    return row | {"draws": [None if math.isnan(draw) else draw for draw in row["draws"]]}
