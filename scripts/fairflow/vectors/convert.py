"""Convert files of all formats to word2vec format with an index, or to vectors, in one pass."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fairflow.errors import VectorFormatError
from fairflow.files.atomic import atomic_path
from fairflow.files.checksums import sha256
from fairflow.files.packed_files import CheckedStream, open_packed
from fairflow.vectors.fasttext_file import copy_fasttext_bin
from fairflow.vectors.gensim_file import copy_gensim
from fairflow.vectors.npy import WordList, copy_npy
from fairflow.vectors.spacy_file import copy_spacy
from fairflow.vectors.word2vec_format import (
    HEADER_BYTES,
    LAYOUT,
    Conversion,
    Records,
    copy_glove_text,
    copy_word2vec_binary,
    copy_word2vec_text,
    header,
    likeness,
    mark,
)

# Format -> the function that copies a source file; formats whose word2vec form is text.
FORMATS: dict[str, Callable[[CheckedStream, Conversion], Iterator[Records]]] = {
    "glove-text": copy_glove_text,
    "word2vec-text": copy_word2vec_text,
    "fasttext-vec": copy_word2vec_text,
    "word2vec-binary": copy_word2vec_binary,
    "npy": copy_npy,
    "gensim": copy_gensim,
    "spacy": copy_spacy,
    "fasttext-bin": copy_fasttext_bin,
}
TEXTS = ("glove-text", "word2vec-text", "fasttext-vec")


def copied(
    source: str | Path,
    vector_format: str,
    packing: Mapping[str, Any] | None = None,
    words: Mapping[str, Any] | None = None,
    offset: int = 0,
    subwords: bool = False,
) -> tuple[Conversion, Generator[Records, None, None]]:
    """The state of a conversion that has not begun, and an iterator of the records to write.

    Parameters
    ----------
    source, vector_format, packing, words, subwords : as for `convert`.
    offset : of the first record in the word2vec form.

    Raises
    ------
    DownloadError, VectorFormatError : the file is not the expected one, or holds no vector.
    """
    member = (packing or {}).get("member")
    origin = f"{member} of {source}" if member else str(source)
    word_list = None if words is None else WordList(**{"path": source} | dict(words))
    copy = Conversion(origin, offset, words=word_list, with_parts=subwords)

    def records() -> Generator[Records, None, None]:
        with open_packed(Path(source), **(packing or {})) as stream:
            yield from FORMATS[vector_format](stream, copy)
        if not copy.rows:
            raise VectorFormatError(f"{origin} holds no vector: check that it is the right file")

    return copy, records()


def words_of_file(file: str | Path, conversion: Mapping[str, Any]) -> Generator[str, None, None]:
    """The words of a file of vectors, in its order.

    Parameters
    ----------
    conversion : format, packing and words, as `fairflow.planning.models.Model` has them.
    """
    _, records = copied(file, *(conversion[name] for name in ("format", "packing", "words")))
    with closing(records):
        yield from (word for rows, _ in records for word, _, _ in rows)


_COLUMNS = "word TEXT, row INTEGER, offset INTEGER, mark INTEGER"


class _Index:
    """The index during writing: rows are collected first and sorted at the end."""

    def __init__(self, path: Path) -> None:
        # No other process opens the file. Locks are off, because some network disks do not support
        # them.
        where = f"file:{quote(str(path))}?nolock=1"
        self._connection = sqlite3.connect(where, uri=True, isolation_level=None)
        for statement in (
            "PRAGMA journal_mode = OFF",
            "PRAGMA synchronous = OFF",
            "PRAGMA cache_size = -16000",
            # A database without a name is a temporary file, deleted when the connection closes.
            "ATTACH '' AS scratch",
            f"CREATE TABLE scratch.rows ({_COLUMNS})",
            f"CREATE TABLE words ({_COLUMNS}, PRIMARY KEY (word)) WITHOUT ROWID",
            "BEGIN",
        ):
            self._connection.execute(statement)

    def close(self) -> None:
        """Close the file, whether it is complete or not."""
        self._connection.close()

    def add(self, rows: Iterable[tuple[str, int, int]]) -> None:
        """Add words in the order of the file."""
        marked = ((*row, mark(*row)) for row in rows)
        self._connection.executemany("INSERT INTO scratch.rows VALUES (?, ?, ?, ?)", marked)

    def finish(self) -> int:
        """Sort the entries, and return the number of distinct words."""
        self._connection.execute(
            "INSERT OR IGNORE INTO words SELECT * FROM scratch.rows ORDER BY word, row"
        )
        (distinct,) = self._connection.execute("SELECT count(*) FROM words").fetchone()
        self._connection.execute("COMMIT")
        return distinct

    def keep_card(self, text: str) -> None:
        """Write the text of the card to the index."""
        self._connection.execute("CREATE TABLE card (text TEXT)")
        self._connection.execute("INSERT INTO card VALUES (?)", (text,))


logger = logging.getLogger(__name__)


def convert(
    source: str | Path,
    vector_format: str,
    vectors: str | Path,
    index: str | Path,
    card: str | Path,
    packing: Mapping[str, Any] | None = None,
    promised: Mapping[str, Any] | None = None,
    words: Mapping[str, Any] | None = None,
    subwords: bool = False,
) -> dict[str, Any]:
    """Write the word2vec form of `source`, its index and its card. Return the card.

    Parameters
    ----------
    source : a download. vector_format : a key of `fairflow.vectors.convert.FORMATS`.
    vectors : output in word2vec format, text or binary, which gensim's load_word2vec_format reads.
        Lines and records are copied, not parsed.
    index : output, an SQLite table word -> (row, offset of the vector in `vectors`, checksum). If a
        word is repeated, its first entry is kept. `card` holds the text of the card.
    card : output, JSON with words, dims, duplicates, the sha256 of `source` and of a file of
        `words`, a fingerprint of `vectors`, and facts of the format.
    packing : where the vector file is in `source`, and the checksums of both: see `open_packed`.
    promised : `dims`, which the vectors must have, and `vocabulary`; a different number of words is
        logged.
    subwords : keep the vectors of subword n-grams, which fasttext-bin files have, after those of
        the words. From these a `VectorStore` composes the vectors of words that the file does not
        list.
    words : for the format npy, the arguments of a `WordList`; without `path` it is in `source`.

    Raises
    ------
    DownloadError, VectorFormatError : the file is not the expected one; nothing is written.
    """
    with (
        atomic_path(vectors) as new_vectors,
        atomic_path(index) as new_index,
        atomic_path(card) as new_card,
        closing(_Index(new_index)) as entries,
        open(new_vectors, "wb") as file,
        # The checksum is computed in parallel to the copy, on another core.
        ThreadPoolExecutor(max_workers=1) as beside,
    ):
        file.write(header(0, 0))
        source_sum = beside.submit(sha256, source)
        copy, records = copied(source, vector_format, packing, words, HEADER_BYTES, subwords)
        for rows, data in records:
            file.write(data)
            entries.add(rows)
        if subwords and "parts" not in copy.facts:
            raise VectorFormatError(
                f"{copy.origin} has no vectors of subword n-grams, from which other words could be "
                "composed: remove subwords, or use the .bin file of a fastText model that has "
                "them"
            )
        distinct = entries.finish()
        facts = {
            "words": distinct,
            "duplicates": copy.rows - distinct,
            "rows": copy.rows,
            "dims": copy.dims,
            "binary": vector_format not in TEXTS,
            "source_sha256": source_sum.result(),
        } | copy.facts
        if words and "path" in words:
            facts["words_sha256"] = sha256(words["path"])
        file.seek(0)
        file.write(header(copy.rows, copy.dims))
        file.flush()
        facts |= {"layout": LAYOUT} | likeness(new_vectors)
        text = json.dumps(facts, indent=1) + "\n"
        entries.keep_card(text)
        new_card.write_text(text)
        _compare(facts, promised or {}, copy.origin)
    return facts


def _compare(facts: Mapping[str, Any], promised: Mapping[str, Any], origin: str) -> None:
    dims, vocabulary = promised.get("dims"), promised.get("vocabulary")
    if dims not in (None, facts["dims"]):
        raise VectorFormatError(
            f"{origin}: the model's entry says {dims} dims, the vectors have {facts['dims']}. "
            "Correct the entry if this is the right file"
        )
    # Published counts may be of lines, of distinct words, or rounded: a difference is no error.
    if vocabulary not in (None, facts["rows"], facts["words"]):
        logger.warning("%s: %s words expected, %s found", origin, vocabulary, facts["words"])
