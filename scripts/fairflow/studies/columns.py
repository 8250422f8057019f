"""Reading and writing the tables of a study: each has the columns of its entry in `tables.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa

from fairflow.errors import FairflowError
from fairflow.files import tables as files
from fairflow.files.parquet import read_parquet
from fairflow.scores.ranked import PRIMARY
from fairflow.scores.records import SCHEMA
from fairflow.studies.claims.claim import COLUMNS
from fairflow.studies.tables import STUDY_TABLES
from fairflow.studies.wording import listed, listed_briefly

# What an entry names as `rows` -> the columns of these. A study has one test of each score.
_OF_ROWS = {"": (), "Record": [one for one in SCHEMA.names if one != "tests"], "Claim": COLUMNS}
# The file of each table that is read -> its columns, with a ? those that not every study has.
_COLUMNS = {one.file: [*_OF_ROWS[one.rows], *one.own_columns] for one in STUDY_TABLES}
# Columns of published numbers in which an empty cell is a missing one.
_MAY_BE_MISSING = ("published", "model", "computed", "difference", "draws", "quantile")


def differences(path: str | Path, table: Iterable[str]) -> tuple[list[str], list[str]]:
    """The columns that are missing in a table of a study, and those that are not in its entry.

    None of a file that is no table of a study.
    """
    found = [*table]
    asked = _COLUMNS.get(Path(path).name, found)
    missing = [one for one in asked if one not in found and not one.endswith("?")]
    return missing, [one for one in found if one not in asked and f"{one}?" not in asked]


def _checked(table: pd.DataFrame, path: str | Path) -> pd.DataFrame:
    if missing := differences(path, table)[0]:
        raise FairflowError(
            f"{path}: no column {listed(missing)}, only {listed_briefly([*table])}. Another "
            "version of fairflow wrote it: run the study again with this one"
        )
    return table


def read_table(path: str | Path) -> pd.DataFrame:
    """A table of a study as a frame.

    Raises
    ------
    FairflowError : a column is missing, or a parquet file is damaged.
    """
    return _checked(files.read_table(path), path)


def read_headlines(path: str | Path) -> pd.DataFrame:
    """The rows of `scores.parquet` with the measure that a study ranks by.

    Values of single words stay in the file's own form until somebody needs those of a cell: most
    figures need no such values, and converting all to lists takes longer than drawing.

    Raises
    ------
    FairflowError : a column is missing, or the file is damaged.
    """
    table = read_parquet(path, "table")
    rows = table.filter(table[PRIMARY]) if PRIMARY in table.column_names else table
    return _checked(rows.to_pandas(types_mapper=_of_words), path)


def _of_words(type_: pa.DataType) -> pd.ArrowDtype | None:
    is_records = pa.types.is_list(type_) and pa.types.is_struct(type_.value_type)
    return pd.ArrowDtype(type_) if is_records else None


def read_comparison(path: str | Path) -> pd.DataFrame:
    """A table of published numbers; its empty cells of text are empty strings, not NaN.

    Raises
    ------
    FairflowError : a column is missing.
    """
    missing = {name: [""] for name in _MAY_BE_MISSING}
    return _checked(pd.read_csv(path, keep_default_na=False, na_values=missing), path)


def write_tables(frames: Mapping[str, pd.DataFrame], paths: Iterable[str | Path]) -> None:
    """Write to each path the frame that has the name of its file, with or without the suffix.

    Raises
    ------
    ValueError : the table has other columns than its entry lists.
    """
    for path in map(Path, paths):
        frame = frames[path.name if path.name in frames else path.stem]
        missing, surplus = differences(path, frame)
        if missing or surplus:
            raise ValueError(f"{path}: without the columns {missing}, and with {surplus}")
        files.write_table(frame, path)
