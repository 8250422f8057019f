"""Parquet files that others wrote: no seal tells whether they are whole, so all is looked at."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet

from fairflow.errors import FairflowError, nearest


def texts_of_column(data: bytes, column: str | None, origin: str) -> list[str]:
    """The texts of a column, from its first row to its last; pandas is not imported.

    Parameters
    ----------
    data : the whole file. column : None for the only one that there is.
    origin : the file's name, for errors.

    Raises
    ------
    FairflowError : the file is none or damaged, it has no such column, or that holds other things.
    """
    try:
        file = pyarrow.parquet.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)
        name = _column(file.schema_arrow, column, origin)
        values = file.read(columns=[name]).column(name)
        values.validate(full=True)
        if values.null_count:
            first = next(row for row, value in enumerate(values, start=1) if not value.is_valid)
            raise FairflowError(
                f"{origin}, column {name!r}: {values.null_count:,} of {len(values):,} rows are "
                f"empty, row {first:,} the first; expected a text in each. Fill them"
            )
        return values.to_pylist()
    except (pa.ArrowException, OSError, UnicodeError) as error:
        what = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        raise FairflowError(
            f"{origin} is no whole parquet file: {what}. Fetch or write it again"
        ) from error


def columns_of_texts(data: bytes, origin: str) -> list[str]:
    """The names of the columns that hold texts.

    Raises
    ------
    FairflowError : the file is no parquet file.
    """
    try:
        schema = pyarrow.parquet.ParquetFile(pa.BufferReader(data)).schema_arrow
    except (pa.ArrowException, OSError) as error:
        raise FairflowError(f"{origin} is no whole parquet file") from error
    return [field.name for field in schema if _holds_texts(field.type)]


def _holds_texts(kind: pa.DataType) -> bool:
    texts = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_string(texts) or pa.types.is_large_string(texts)


def _column(schema: pa.Schema, column: str | None, origin: str) -> str:
    """The column that is meant, which holds texts."""
    names = schema.names
    if column is None and len(names) != 1:
        raise FairflowError(
            f"{origin} has the columns {', '.join(names) or 'none'}; name the one of the words as "
            "words_column"
        )
    name = names[0] if column is None else column
    if names.count(name) != 1:
        many = "several columns" if name in names else "no column"
        found = ", ".join(names) or "none"
        raise FairflowError(f"{origin} has {many} {name!r}, but {found}. {nearest(name, names)}")
    kind = schema.field(name).type
    if not _holds_texts(kind):
        raise FairflowError(
            f"{origin}, column {name!r}: expected texts, found {kind}. Name the column of the words"
        )
    return name
