"""From a downloaded file to word2vec format with an index, in one streaming pass."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.atomic import atomic_path, sha256
from fairflow.files.streams import open_packed
from fairflow.vectors.belonging import HEADER_BYTES, LAYOUT, STRIDE, header, likeness, mark
from fairflow.vectors.copying import Copy
from fairflow.vectors.formats import FORMATS
from fairflow.vectors.reading import read_vectors
from fairflow.vectors.write_behind import WriteBehind

logger = logging.getLogger(__name__)

SAMPLE = 2000


def convert(
    source: str | Path,
    vector_format: str,
    vectors: str | Path,
    index: str | Path,
    card: str | Path,
    packing: Mapping[str, Any] | None = None,
    promised: Mapping[str, Any] | None = None,
    words: str | Path | None = None,
) -> dict[str, Any]:
    """Write the word2vec form of `source`, its index and its card; return the card.

    Parameters
    ----------
    source : a download. vector_format : a key of `fairflow.vectors.formats.FORMATS`.
    vectors : word2vec format, text or binary, which gensim's load_word2vec_format opens. Lines
        and records are copied, not parsed.
    index : SQLite table word -> (row, offset of the vector in `vectors`, checksum of these). The
        first of equal words wins. `starts` has every 64th word; `card` the text of the card.
    card : JSON with words, dims, duplicates, casing, the lengths of a sample of vectors, the sha256
        of `source` and `words`, and by what to know `vectors` again.
    packing : how the vector file lies in `source` and what both must be: see `open_packed`.
    promised : `dims`, which must come out, and `vocabulary`, of which another number is logged.
    words : a text file of one word per line, for the format npy.

    Raises
    ------
    DownloadError, VectorFormatError : the file is not what it should be; nothing is written.
    """
    member = (packing or {}).get("member")
    origin = f"{member} of {source}" if member else str(source)
    with (
        atomic_path(vectors) as new_vectors,
        atomic_path(index) as new_index,
        closing(_Index(new_index)) as entries,
    ):
        copy = Copy(origin, offset=HEADER_BYTES, words=Path(words) if words else None)
        with (
            open_packed(Path(source), **(packing or {})) as stream,
            open(new_vectors, "wb") as file,
            WriteBehind(file) as target,
        ):
            target.write(b" " * HEADER_BYTES)
            for rows in FORMATS[vector_format].copy(stream, target, copy):
                entries.add(rows)
            if not copy.rows:
                raise VectorFormatError(f"{origin} holds no vector; is it the right file?")
            # The count is known only now; the header keeps its place with trailing spaces.
            target.finish()
            file.seek(0)
            file.write(header(copy.rows, copy.dims))
        facts = entries.finish() | {
            "rows": copy.rows,
            "announced_rows": copy.announced,
            "dims": copy.dims,
            "binary": FORMATS[vector_format].binary,
            "source_sha256": sha256(source),
        }
        if words:
            facts["words_sha256"] = sha256(words)
        facts |= _lengths(new_vectors, new_index, facts)
        facts |= {"layout": LAYOUT} | likeness(new_vectors)
        _compare(facts, promised or {}, origin)
        text = json.dumps(facts, indent=1) + "\n"
        _keep_card(new_index, text)
        with atomic_path(card) as new_card:
            new_card.write_text(text)
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
        self._capitalised += sum(word != word.lower() for word in words)
        self._not_utf8 += sum("\N{REPLACEMENT CHARACTER}" in word for word in words)
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


def _compare(facts: Mapping[str, Any], promised: Mapping[str, Any], origin: str) -> None:
    dims, vocabulary = promised.get("dims"), promised.get("vocabulary")
    if dims not in (None, facts["dims"]):
        raise VectorFormatError(
            f"{origin}: the model's entry promises {dims} dims, the vectors have {facts['dims']}. "
            "Correct the entry if the file is the right one"
        )
    # Published counts are of lines, of distinct words, or rounded: no reason to refuse a model.
    if vocabulary not in (None, facts["rows"], facts["words"]):
        logger.warning("%s: %s words promised, %s found", origin, vocabulary, facts["words"])
