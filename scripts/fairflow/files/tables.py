"""Reading and writing the tables of a study; equal tables give equal bytes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pyarrow as pa

from fairflow.errors import FORMULA, printable
from fairflow.files.atomic import atomic_path
from fairflow.files.parquet import read_parquet, write_parquet

LONGEST_CELL = 1_000


def plain_cell(text: str) -> str:
    """A text that others wrote, for a table that a spreadsheet may open.

    It is cut after `LONGEST_CELL` characters, has no control characters, and has an apostrophe
    before it if a spreadsheet would calculate it.
    """
    shown = printable(text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}...")
    return f"'{shown}" if shown.lstrip().startswith(FORMULA) else shown


def read_table(path: str | Path) -> pd.DataFrame:
    """A CSV or parquet table as a frame.

    Raises
    ------
    FairflowError : a parquet file is damaged.
    """
    path = Path(path)
    if path.suffix == ".parquet":
        return read_parquet(path, "table").to_pandas()
    return pd.read_csv(path)


def write_table(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a frame as CSV or parquet, by the path's suffix; numbers keep full precision."""
    if Path(path).suffix == ".parquet":
        write_parquet(pa.Table.from_pandas(frame, preserve_index=False), path)
        return
    with atomic_path(path) as temporary:
        frame.to_csv(temporary, index=False, lineterminator="\n")


def read_scores(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Score files as one frame, in the order given.

    Raises
    ------
    FairflowError : a file is damaged.
    """
    return pa.concat_tables([read_parquet(path, "score file") for path in paths]).to_pandas()
