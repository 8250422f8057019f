"""Parquet files in which no bit can change unnoticed.

Each page carries the checksum that the format has for it, so that any reader can compare it. Those
do not cover the footer, which names the columns, their types and where they lie: flipped bits there
gave other values too. So the sha256 of all other bytes stands in front of the footer, where the
format leaves room and readers find nothing that they look for.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from fairflow.errors import FairflowError
from fairflow.files.atomic import atomic_path, damaged

# At the end of a file: the footer, its length as 4 bytes, and a mark of 4 bytes.
_LENGTH, _TAIL = 4, 8
_SEAL = hashlib.sha256().digest_size


def write_parquet(table: pa.Table, path: str | Path) -> None:
    """Write a table; equal tables give equal bytes."""
    sink = pa.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink, write_page_checksum=True)
    pages, footer = _parts(memoryview(sink.getvalue()))
    with atomic_path(path) as temporary, open(temporary, "wb") as file:
        for part in (pages, _seal(pages, footer), footer):
            file.write(part)


def read_parquet(path: str | Path, what: str) -> pa.Table:
    """The inverse of `write_parquet`; pandas is not imported.

    Parameters
    ----------
    what : the file in a word or two, for the error.

    Raises
    ------
    FairflowError : a bit has changed, or something else wrote the file.
    FileNotFoundError : there is no such file.
    """
    data = Path(path).read_bytes()
    try:
        sealed, footer = _parts(memoryview(data))
        if sealed[-_SEAL:] != _seal(sealed[:-_SEAL], footer):
            raise FairflowError("its bytes are not those that were written")
        # pyarrow.parquet.read_table would import pandas.
        file = pyarrow.parquet.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)
        return file.read()
    except (pa.ArrowException, FairflowError, OSError) as error:
        raise damaged(path, what, error) from error


def _parts(data: memoryview) -> tuple[memoryview, memoryview]:
    """What stands before the footer, and the footer to the end."""
    footer = int.from_bytes(data[-_TAIL : len(data) - _TAIL + _LENGTH], "little")
    start = max(0, len(data) - _TAIL - footer)
    return data[:start], data[start:]


def _seal(pages: memoryview, footer: memoryview) -> bytes:
    digest = hashlib.sha256(pages)
    digest.update(footer)
    return digest.digest()
