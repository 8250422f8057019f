"""Cells of plain values and named arrays: one row each, as parquet holds them; see `kept`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow as pa

from fairflow.files.atomic import damaged
from fairflow.files.kept import CellFile, cells_in, digest, model_of, read_cells
from fairflow.files.parquet import table_of

_TEXT = pa.string()
_ABOUT = pa.schema(
    [
        ("model", _TEXT),
        ("query", _TEXT),
        ("name", _TEXT),  # "account" of the plain values, which are JSON
        ("type", _TEXT),  # as numpy writes it
        ("shape", pa.list_(pa.int64())),
        ("sha256", _TEXT),  # of the data
    ]
)
SCHEMA = _ABOUT.append(pa.field("data", pa.binary()))
_ACCOUNT = "account"
Made = TypeVar("Made")
Key = tuple[str, str]


def cell_table(
    model: str, query: str, account: Mapping[str, Any], arrays: Mapping[str, np.ndarray]
) -> pa.Table:
    """The rows of a cell."""
    text = np.frombuffer(json.dumps(account, ensure_ascii=False).encode(), dtype=np.uint8)
    named = {_ACCOUNT: text} | {n: np.ascontiguousarray(array) for n, array in arrays.items()}
    data = [array.tobytes() for array in named.values()]
    about = [
        {
            "model": model,
            "query": query,
            "name": name,
            "type": array.dtype.str,
            "shape": [*array.shape],
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        for (name, array), content in zip(named.items(), data, strict=True)
    ]
    # pa.array would import pandas.
    ends = np.cumsum([0, *map(len, data)], dtype=np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(data))]
    column = pa.Array.from_buffers(pa.binary(), len(data), buffers)
    return table_of(about, _ABOUT).append_column("data", column)


def contents_of(path: str | Path, queries: Iterable[str] | None = None) -> dict[str, str]:
    """Query -> a digest of what its cell holds, whatever it was computed from."""
    cells = read_cells(path, queries, ["sha256"])
    return {query: digest(*table.column("sha256").to_pylist()) for query, table in cells}


class ArrayFiles(Mapping[Key, Made], Generic[Made]):
    """What files of cells hold, by model and query; each is read when somebody takes it.

    Parameters
    ----------
    paths : of files, each of one model. made : of the plain values and arrays of a cell.
    """

    def __init__(
        self,
        paths: Iterable[str | Path],
        made: Callable[[dict[str, Any], dict[str, np.ndarray]], Made],
    ) -> None:
        self._made = made
        self._places: dict[Key, str | Path] = {}
        self._open: CellFile | None = None
        for path in paths:
            model = model_of(path)
            self._places |= {(model, query): path for query in cells_in(path).n_rows}

    def __getitem__(self, key: Key) -> Made:
        path = self._places[key]
        if self._open is None or self._open.path != Path(path):
            if self._open:
                self._open.close()
            self._open = CellFile(path)
        table = self._open.cell(key[1])
        try:
            columns = (table.column(name).to_pylist() for name in ("name", "type", "shape"))
            data = (value.as_buffer() for value in table.column("data"))
            arrays = {
                name: np.frombuffer(buffer, dtype=type_).reshape(shape).copy()
                for name, type_, shape, buffer in zip(*columns, data, strict=True)
            }
            return self._made(json.loads(arrays.pop(_ACCOUNT).tobytes()), arrays)
        # What a foreign file brings about depends on what is in it.
        except (KeyError, TypeError, ValueError) as error:
            raise damaged(path, "file of cells", error) from error

    def __iter__(self) -> Iterator[Key]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
