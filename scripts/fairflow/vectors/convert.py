"""From a downloaded file to word2vec format with an index, in one streaming pass."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fairflow.errors import VectorFormatError
from fairflow.files.atomic import sha256
from fairflow.files.streams import open_packed
from fairflow.vectors.companion_files import HEADER_BYTES
from fairflow.vectors.copying import Copy
from fairflow.vectors.formats import FORMATS
from fairflow.vectors.new_store import new_store
from fairflow.vectors.word_list import WordList

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
    """Write the word2vec form of `source`, its index and its card; return the card.

    Parameters
    ----------
    source : a download. vector_format : a key of `fairflow.vectors.formats.FORMATS`.
    vectors : word2vec format, text or binary, which gensim's load_word2vec_format opens. Lines
        and records are copied, not parsed.
    index : SQLite table word -> (row, offset of the vector in `vectors`, checksum of these). The
        first of equal words wins. `starts` has every 64th word; `card` the text of the card.
    card : JSON with words, dims, duplicates, casing, the lengths of a sample of vectors, the sha256
        of `source` and of a file of `words`, by what to know `vectors` again, and what else the
        format tells of them.
    packing : how the vector file lies in `source` and what both must be: see `open_packed`.
    promised : `dims`, which must come out, and `vocabulary`, of which another number is logged.
    subwords : keep the vectors of parts of words, which fastText-bin has, behind those of words: of
        these a `VectorStore` composes vectors of words that the file does not list.
    words : for the format npy, the arguments of a `WordList`; without `path` it is in `source`.

    Raises
    ------
    DownloadError, VectorFormatError : the file is not what it should be; nothing is written.
    """
    member = (packing or {}).get("member")
    origin = f"{member} of {source}" if member else str(source)
    # Summed up beside the copy: that takes another core.
    with new_store(vectors, index, card) as store, ThreadPoolExecutor(max_workers=1) as beside:
        source_sum = beside.submit(sha256, source)
        copy = Copy(
            origin, offset=HEADER_BYTES, words=_word_list(words, source), with_parts=subwords
        )
        with open_packed(Path(source), **(packing or {})) as stream:
            for rows in FORMATS[vector_format].copy(stream, store.target, copy):
                store.add(rows)
            if not copy.rows:
                raise VectorFormatError(f"{origin} holds no vector; is it the right file?")
        if subwords and "parts" not in copy.facts:
            raise VectorFormatError(
                f"{origin} has no vectors of parts of words, of which others could be composed: "
                "leave out subwords, or take the .bin file of a fastText model that has them"
            )
        facts = {
            "rows": copy.rows,
            "announced_rows": copy.announced,
            "dims": copy.dims,
            "binary": FORMATS[vector_format].binary,
            "source_sha256": source_sum.result(),
        } | copy.facts
        if words and "path" in words:
            facts["words_sha256"] = sha256(words["path"])
        facts = store.finish(facts)
        _compare(facts, promised or {}, origin)
    return facts


def _word_list(words: Mapping[str, Any] | None, source: str | Path) -> WordList | None:
    return None if words is None else WordList(**{"path": source} | dict(words))


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
