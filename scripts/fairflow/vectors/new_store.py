"""The three files of a model while they are written: all of them come to be, or none."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

import numpy as np

from fairflow.files.atomic import atomic_path
from fairflow.vectors.companion_files import HEADER_BYTES, LAYOUT, STRIDE, header, likeness, mark
from fairflow.vectors.copying import Row
from fairflow.vectors.row_reading import read_vectors
from fairflow.vectors.write_behind import WriteBehind

SAMPLE = 2000
_NOT_UTF8 = "\N{REPLACEMENT CHARACTER}"


@contextmanager
def new_store(vectors: str | Path, index: str | Path, card: str | Path) -> Iterator[NewStore]:
    """Write vectors and words, then `finish`; an error on the way leaves nothing behind.

    Parameters
    ----------
    vectors, index, card : where the files go; see `fairflow.vectors.convert`.
    """
    with (
        atomic_path(vectors) as new_vectors,
        atomic_path(index) as new_index,
        atomic_path(card) as new_card,
        closing(_Index(new_index)) as entries,
        open(new_vectors, "wb") as file,
        WriteBehind(file) as target,
    ):
        # The number of vectors is known last; the header keeps its place with trailing spaces.
        target.write(b" " * HEADER_BYTES)
        yield NewStore(file, target, entries, new_index, new_card)


class NewStore:
    """What is open while a store is written.

    Attributes
    ----------
    target : takes the records of the vectors, from the byte `HEADER_BYTES` on.
    """

    def __init__(
        self, file: BinaryIO, target: WriteBehind, entries: _Index, index: Path, card: Path
    ) -> None:
        self.target = target
        self._file, self._entries, self._index, self._card = file, entries, index, card

    def add(self, rows: Iterable[Row]) -> None:
        """Take up the words of records, in their order."""
        self._entries.add(rows)

    def finish(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Write header, index and card; return what the card says.

        Parameters
        ----------
        facts : of the vectors: at least rows, dims and whether they are `binary`.
        """
        facts = self._entries.finish() | facts
        self.target.finish()
        self._file.seek(0)
        self._file.write(header(facts))
        self._file.flush()
        vectors = Path(self._file.name)
        facts |= _lengths(vectors, self._index, facts)
        facts |= {"layout": LAYOUT} | likeness(vectors)
        text = json.dumps(facts, indent=1) + "\n"
        _keep_card(self._index, text)
        self._card.write_text(text)
        return facts


_COLUMNS = "word TEXT, row INTEGER, offset INTEGER, mark INTEGER"


class _Index:
    """The index while it is written: rows are gathered first and sorted at the end."""

    def __init__(self, path: Path) -> None:
        self._capitalised = self._not_utf8 = self._rows = 0
        self._connection = _private(path)
        for statement in (
            "PRAGMA journal_mode = OFF",
            "PRAGMA synchronous = OFF",
            "PRAGMA cache_size = -16000",
            # A nameless database is a file that is gone when the connection closes.
            "ATTACH '' AS scratch",
            f"CREATE TABLE scratch.rows ({_COLUMNS})",
            f"CREATE TABLE words ({_COLUMNS}, PRIMARY KEY (word)) WITHOUT ROWID",
            "CREATE TABLE starts (word TEXT PRIMARY KEY) WITHOUT ROWID",
            "BEGIN",
        ):
            self._connection.execute(statement)

    def close(self) -> None:
        """Close the file, finished or not."""
        self._connection.close()

    def add(self, rows: Iterable[tuple[str, int, int]]) -> None:
        """Take up words in the order of the file."""
        rows = list(rows)
        words = [word for word, _, _ in rows]
        self._rows += len(rows)
        together = "\n".join(words)
        if together != together.lower():
            self._capitalised += sum(word != word.lower() for word in words)
        if _NOT_UTF8 in together:
            self._not_utf8 += sum(_NOT_UTF8 in word for word in words)
        marked = [(*row, mark(*row)) for row in rows]
        self._connection.executemany("INSERT INTO scratch.rows VALUES (?, ?, ?, ?)", marked)

    def finish(self) -> dict[str, Any]:
        """Sort and close; tell what was learnt about the words."""
        self._connection.execute(
            "INSERT OR IGNORE INTO words SELECT * FROM scratch.rows ORDER BY word, row"
        )
        self._connection.execute(
            "INSERT INTO starts SELECT word FROM (SELECT word, row_number() OVER (ORDER BY word) "
            "AS position FROM words) WHERE position % ? = 1",
            (STRIDE,),
        )
        (distinct,) = self._connection.execute("SELECT count(*) FROM words").fetchone()
        self._connection.execute("COMMIT")
        self.close()
        return {
            "words": distinct,
            "duplicates": self._rows - distinct,
            "capitalised": self._capitalised,
            "casing": "mixed" if self._capitalised else "lower",
            "not_utf8": self._not_utf8,
        }


def _private(path: Path) -> sqlite3.Connection:
    """A database that nobody else opens: locks are not asked for, which network disks may lack."""
    return sqlite3.connect(f"file:{quote(str(path))}?nolock=1", uri=True, isolation_level=None)


def _keep_card(index: Path, text: str) -> None:
    with closing(_private(index)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("CREATE TABLE card (text TEXT)")
        connection.execute("INSERT INTO card VALUES (?)", (text,))


def _lengths(vectors: Path, index: Path, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Lengths of at most `SAMPLE` vectors, evenly spread over the file."""
    step = max(1, -(-facts["rows"] // SAMPLE))
    query = "SELECT word, offset FROM words WHERE row % ? = 0 ORDER BY row"
    with closing(_private(index)) as connection:
        entries = connection.execute(query, (step,)).fetchall()
    sample = read_vectors(vectors, entries, facts["dims"], facts["binary"]).astype(float)
    lengths = np.linalg.norm(sample, axis=1)
    finite = lengths[np.isfinite(lengths)]
    return {
        "sampled_rows": len(lengths),
        "mean_length": float(finite.mean()) if len(finite) else None,
        "sd_length": float(finite.std()) if len(finite) else None,
        "share_of_unit_length": float((abs(finite - 1) < 1e-4).mean()) if len(finite) else None,
        "zero_vectors": int((finite == 0).sum()),
        "not_finite": len(lengths) - len(finite),
    }
