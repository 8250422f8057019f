"""Files of cells that are kept up to date: what is still right stays, only the rest is computed.

A cell is the part of a file that has a name and is known by a digest of all that decides it.
Slices, scores, embeddings, likelihoods and completions are such files. Whatever was there before,
and whichever run was killed: the bytes are those of a file computed from nothing.

What a run has computed so far, and cells that are right but not wanted at the moment (as those of a
study that is not run this time), are in `partial_folder(path)`.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa

from fairflow.errors import FairflowError
from fairflow.files.checksums import identity_digest
from fairflow.files.jobs import JobProgress, partial_folder, write_job_progress
from fairflow.files.parquet import ParquetCells, parquet_parts, parquet_schema, table_of

# The rows of a cell, as plain values or as a table.
Rows: TypeAlias = Sequence[Mapping[str, Any]] | pa.Table
# Takes the names of the cells to compute, gives each with its rows, in any order.
Compute = Callable[[list[str]], Iterable[tuple[str, Rows]]]

# Seconds after which what was computed is saved; a killed job loses at most these.
SECONDS = 30.0
# Bytes of computed cells that are in memory at most.
MOST_BYTES = 1 << 26
# Cells of a row group, which are in memory together, and row groups of a file: pyarrow reads one of
# thousands slowly, and with much memory.
TOGETHER = 64
MOST_GROUPS = 100
# A job of many hours has saved its cells in more files than a process may open.
MOST_OPEN = 3
_CELLS = b"cells"

logger = logging.getLogger(__name__)


WHAT = "file of cells"
# Cell -> its digest.
Version = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Cells:
    """What a file says of its cells: name -> digest, name -> number of rows, in its order."""

    file: Path
    digests: Mapping[str, str]
    n_rows: Mapping[str, int]

    @cached_property
    def starts(self) -> dict[str, int]:
        """Cell -> its first row."""
        return dict(zip(self.n_rows, accumulate(self.n_rows.values(), initial=0), strict=False))


def digest(*parts: object) -> str:
    """A digest of plain values, for a cell; the order of keys counts, as that of a query's sets."""
    text = json.dumps(parts, ensure_ascii=False, default=str)
    return identity_digest(text).hex()


def cells_in(path: str | Path) -> Cells:
    """The cells of a file.

    Raises
    ------
    FairflowError : it is damaged, or something else wrote it. FileNotFoundError : there is no file.
    """
    return _cells(parquet_schema(path, WHAT), path)


def _cells(schema: pa.Schema, path: str | Path) -> Cells:
    told = (schema.metadata or {}).get(_CELLS)
    if told is None:
        raise FairflowError(f"{path} is no file of cells: remove it, then start the command again")
    listed = json.loads(told)
    digests, n_rows = ({row[0]: row[at] for row in listed} for at in (1, 2))
    return Cells(Path(path), digests, n_rows)


class CellFile:
    """A file of cells that stays open while cells are taken from it; close it in the end.

    Raises
    ------
    FairflowError : it is damaged, or lacks a cell. FileNotFoundError : there is no file.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._rows = ParquetCells(path, WHAT).__enter__()
        self.cells = _cells(self._rows.schema, path)

    def close(self) -> None:
        """Close the file."""
        self._rows.__exit__()

    def cell(self, name: str, columns: list[str] | None = None) -> pa.Table:
        """The rows of a cell."""
        cells = self.cells
        if name not in cells.starts:
            raise FairflowError(f"{self.path} does not hold {name}: start the same command again")
        return self._rows.rows(cells.starts[name], cells.n_rows[name], columns)


def read_cells(
    path: str | Path, names: Iterable[str] | None = None, columns: list[str] | None = None
) -> Iterator[tuple[str, pa.Table]]:
    """Cells of a file with their rows, one after the other: all of them, or those of some names.

    Errors as of `CellFile`.
    """
    with closing(CellFile(path)) as file:
        for name in file.cells.n_rows if names is None else names:
            yield name, file.cell(name, columns)


def model_of(path: str | Path) -> str:
    """The model that a file of cells is of, as its column says; "" of a file without rows."""
    with ParquetCells(path, WHAT) as file:
        named = file.rows(0, 1, ["model"]).column("model") if file.n_rows else ()
        return next((one.as_py() for one in named), "")


def keep_up_to_date(
    path: str | Path,
    schema: pa.Schema,
    wanted: Mapping[str, str],
    compute: Compute,
    together: int = TOGETHER,
    seconds: float = SECONDS,
) -> int:
    """Bring a file to the cells that are wanted; those with an equal digest are taken as they are.

    Equal cells give equal bytes, whichever of them were there. Where `compute` fails, what it gave
    before is kept for the next time.

    Parameters
    ----------
    wanted : name -> digest, in the order of the file.
    compute : is not called where nothing is missing. Gives the rows of each cell once.
    together : cells of a row group. seconds : after which computed cells are saved.

    Returns
    -------
    The number of computed cells.
    """
    store, n_computed = _Store(Path(path), schema, seconds), 0
    while True:
        found = {
            (name, made): cells for cells in store.sources() for name, made in cells.digests.items()
        }
        if missing := [name for name, made in wanted.items() if (name, made) not in found]:
            n_computed += len(missing)
            store.compute(missing, wanted, compute)
            continue
        try:
            store.write(wanted, found, together)
        except FairflowError as error:
            if not store.drops():
                raise
            logger.warning("computed again: %s", error)
            continue
        logger.info("%d of %d cells computed", n_computed, len(wanted))
        return n_computed


@contextmanager
def _last_opened() -> Iterator[Callable[[Path], CellFile]]:
    """A function that opens files; the last few stay open, each with a row group in memory."""
    opened: dict[Path, CellFile] = {}

    def of(path: Path) -> CellFile:
        opened[path] = opened.pop(path) if path in opened else CellFile(path)
        if len(opened) > MOST_OPEN:
            opened.pop(next(iter(opened))).close()
        return opened[path]

    try:
        yield of
    finally:
        for file in opened.values():
            file.close()


class _Store:
    """The file and its partial folder, as places from which cells are taken."""

    def __init__(self, path: Path, schema: pa.Schema, seconds: float) -> None:
        self._path, self._schema, self._seconds = path, schema, seconds
        self._folder = partial_folder(path)
        self._damaged: Path | None = None

    def sources(self) -> list[Cells]:
        """The file and those of the partial folder, the latest last; a damaged one is removed."""
        found = []
        for file in (self._path, *sorted(self._folder.glob("*.parquet"))):
            try:
                schema = parquet_schema(file, WHAT)
                if not schema.equals(self._schema):
                    raise FairflowError(f"{file} has other columns")
                found.append(_cells(schema, file))
            except FileNotFoundError:
                continue
            except FairflowError as error:
                logger.warning("computed again: %s", error)
                file.unlink()
        return found

    def compute(self, missing: list[str], wanted: Mapping[str, str], compute: Compute) -> None:
        """Compute cells, and save them in the partial folder."""
        began = saved = time.monotonic()
        left, ready, size = set(missing), {}, 0
        try:
            for name, rows in compute(missing):
                ready[name] = (
                    rows if isinstance(rows, pa.Table) else table_of([*rows], self._schema)
                )
                left.remove(name)
                size += ready[name].nbytes
                if time.monotonic() - saved >= self._seconds or size > MOST_BYTES:
                    self._save(ready, wanted)
                    ready, size, saved = {}, 0, time.monotonic()
                    done = len(wanted) - len(left)
                    found, spent = len(wanted) - len(missing), saved - began
                    told = JobProgress(done, len(wanted), found, spent, time.time())
                    write_job_progress(told, self._path)
                    logger.info("%d of %d cells are there", done, len(wanted))
        finally:
            self._save(ready, wanted)
        if left:
            raise RuntimeError(f"not computed: {', '.join(sorted(left))}")

    def _save(self, tables: Mapping[str, pa.Table], digests: Mapping[str, str]) -> None:
        if tables:
            told = [[name, digests[name], len(table)] for name, table in tables.items()]
            self._write(self._next(), told, tables.values(), TOGETHER)

    def _next(self) -> Path:
        numbers = (int(path.stem) for path in self._folder.glob("*.parquet"))
        return self._folder / f"{max(numbers, default=0) + 1:09}.parquet"

    def _write(
        self, path: Path, told: list[list[Any]], tables: Iterable[pa.Table], together: int
    ) -> None:
        schema = self._schema.with_metadata({_CELLS: json.dumps(told, ensure_ascii=False)})
        together = max(together, -(-len(told) // MOST_GROUPS))
        parts = iter(tables)
        with parquet_parts(path, schema) as add:
            while some := [*islice(parts, together)]:
                add(pa.concat_tables(some).combine_chunks().cast(self._schema).cast(schema))

    def write(
        self, wanted: Mapping[str, str], found: Mapping[Version, Cells], together: int
    ) -> None:
        """Write the cells that are wanted, and keep the others in the partial folder."""
        spare = {name: made for name, made in found if name not in wanted}
        own = [(name, made) for name, made in wanted.items()]
        beside = [*self._folder.glob("*.*")]
        with _last_opened() as opened:

            def taken(versions: Iterable[Version]) -> Iterator[pa.Table]:
                for name, made in versions:
                    file = found[name, made].file
                    try:
                        yield opened(file).cell(name)
                    except FairflowError:
                        self._damaged = file
                        raise

            there = [(one.file, [*one.digests.items()]) for one in {*found.values()}]
            if there == [(self._path, own)]:
                # Read, so that damage is found; new for whoever compares the dates.
                deque(taken(own), maxlen=0)
                os.utime(self._path)
                return
            for path, versions in ((self._next(), [*spare.items()]), (self._path, own)):
                if versions or path == self._path:
                    told = [[n, made, found[n, made].n_rows[n]] for n, made in versions]
                    self._write(path, told, taken(versions), together)
        for path in beside:
            path.unlink()
        if not spare:
            shutil.rmtree(self._folder, ignore_errors=True)

    def drops(self) -> bool:
        """Whether a file was found to be damaged while cells were taken from it; it is removed."""
        damaged, self._damaged = self._damaged, None
        if damaged:
            damaged.unlink(missing_ok=True)
        return damaged is not None
