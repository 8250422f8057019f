"""Reading and writing the tables of a study; equal tables give equal bytes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pyarrow.parquet

from fairflow.files import atomic_path, damaged


def read_table(path: str | Path) -> pd.DataFrame:
    """A CSV or parquet table as a frame."""
    path = Path(path)
    return pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)


def read_comparison(path: str | Path) -> pd.DataFrame:
    """A table of published numbers; its empty cells of text are empty strings, not NaN."""
    frame = pd.read_csv(
        path,
        keep_default_na=False,
        na_values={"published": [""], "model": [""], "computed": [""], "difference": [""]},
    )
    return frame


def write_table(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a frame as CSV or parquet, by the path's suffix; numbers keep full precision."""
    with atomic_path(path) as temporary:
        if Path(path).suffix == ".parquet":
            frame.to_parquet(temporary, index=False)
        else:
            frame.to_csv(temporary, index=False, lineterminator="\n")


def read_scores(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Score files as one frame, in the order given.

    Raises
    ------
    FairflowError : a file is damaged.
    """
    return pyarrow.concat_tables([_read_score(path) for path in paths]).to_pandas()


def _read_score(path: str | Path) -> pyarrow.Table:
    try:
        return pyarrow.parquet.read_table(path)
    except (pyarrow.ArrowException, OSError) as error:
        raise damaged(path, "score file", error) from error
