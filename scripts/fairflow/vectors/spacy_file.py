"""Vectors of a spaCy pipeline: the files `vectors`, `key2row` and `strings.json` of its `vocab`."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import tempfile
from array import array
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.archives import MissingMember
from fairflow.files.streams import CheckedStream
from fairflow.vectors.copying import BLOCK, FLOAT_BYTES, SHARED_ROWS, Copy, Row, shown
from fairflow.vectors.npy import copy_rows, read_matrix
from fairflow.vectors.spacy_strings import NUMBERED, keys_of

logger = logging.getLogger(__name__)

KEY2ROW, STRINGS, SETTINGS = "key2row", "strings.json", "vectors.cfg"
ROWS_AT_ONCE = 10_000
STRINGS_AT_ONCE = 100_000


def copy_spacy(stream: CheckedStream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """The words that have a row in `vectors`, in the order of `key2row`, each with its row.

    `vectors` is a .npy matrix and `key2row` a map of keys to rows in MessagePack. In a pruned
    pipeline many words have one row: `copy.facts` tells how many, and how many keys have a row but
    no string, so that nobody knows their word.

    Raises
    ------
    VectorFormatError : a file beside `vectors` is missing or damaged, they contradict each other,
        or the pipeline has no table of words and vectors.
    """
    _check_mode(_beside(SETTINGS, stream), copy.origin)
    named, listed = (_needed(name, stream, copy.origin) for name in (KEY2ROW, STRINGS))
    keys, rows = _key2row(named, copy.origin)
    words, known = _words(keys, _strings(listed, copy.origin), copy.origin)
    rows = rows[known]
    copy.facts["words_sha256"] = hashlib.sha256(named + listed).hexdigest()
    copy.facts |= _counts(rows, len(keys), copy.origin)
    shape, blocks = read_matrix(stream, copy.origin)
    if not 0 <= rows.min() <= rows.max() < shape[0]:
        raise VectorFormatError(
            f"{copy.origin} has {shape[0]:,} rows, {KEY2ROW} beside it names the rows {rows.min()} "
            f"to {rows.max()}: they are not of one pipeline. Take the whole folder vocab of one"
        )
    copy.dims = shape[1]
    with tempfile.TemporaryFile(buffering=0) as file:
        for block in blocks:
            file.write(block.tobytes())
        for start in range(0, len(words), ROWS_AT_ONCE):
            vectors = _at_rows(file, rows[start : start + ROWS_AT_ONCE], copy.dims)
            yield copy_rows(vectors, words, target, copy)


def _check_mode(settings: bytes | None, origin: str) -> None:
    # Pipelines before spaCy 3.2 have no such file: there was but one mode.
    stated = {} if settings is None else _json(settings, SETTINGS, origin)
    mode = stated.get("mode", "default") if isinstance(stated, dict) else stated
    if mode == "floret":
        raise VectorFormatError(
            f"{origin} is a table of floret: its rows are for parts of words, and no word has one "
            "of its own. Take a pipeline whose vectors have the mode default"
        )
    if mode != "default":
        raise VectorFormatError(
            f"{SETTINGS} beside {origin}: expected the mode default, found {str(mode)[:40]!r}. "
            "Take a pipeline of spaCy 3"
        )


def _key2row(data: bytes, origin: str) -> tuple[np.ndarray, np.ndarray]:
    """Keys and the rows they name, in the order of the file."""
    import msgpack

    keys, rows = array("Q"), array("q")
    unpacker = msgpack.Unpacker(io.BytesIO(data))
    try:
        for _ in range(unpacker.read_map_header()):
            keys.append(unpacker.unpack())
            rows.append(unpacker.unpack())
        if unpacker.tell() != len(data):
            raise ValueError(f"{len(data) - unpacker.tell():,} bytes follow it")
    # In a damaged file anything may stand in the place of a number, or a number out of range.
    except (msgpack.UnpackException, ValueError, TypeError, OverflowError) as error:
        raise VectorFormatError(
            f"{KEY2ROW} beside {origin}: expected a map of keys to rows in MessagePack, found a "
            f"fault after {len(rows):,} of them ({str(error).rstrip('.')}). Fetch the "
            "pipeline again"
        ) from error
    if not keys:
        raise VectorFormatError(
            f"{origin}: this pipeline has no vectors, like every one whose name ends in _sm. Take "
            "the one whose name ends in _md or _lg"
        )
    return np.frombuffer(keys, dtype=np.uint64), np.frombuffer(rows, dtype=np.int64)


def _strings(data: bytes, origin: str) -> list[str]:
    strings = _json(data, STRINGS, origin)
    if not isinstance(strings, list) or not all(isinstance(string, str) for string in strings):
        raise VectorFormatError(
            f"{STRINGS} beside {origin}: expected a list of strings, found {shown(data)}. Fetch "
            "the pipeline again"
        )
    return strings


def _words(keys: np.ndarray, strings: list[str], origin: str) -> tuple[list[str], np.ndarray]:
    """The strings of those keys that have one, and the places of these keys."""
    # Strings that have a number instead of a hash stand in no file.
    strings = [*NUMBERED, *strings]
    parts = range(0, len(strings), STRINGS_AT_ONCE)
    try:
        own = np.concatenate([keys_of(strings[i : i + STRINGS_AT_ONCE]) for i in parts])
    except UnicodeEncodeError as error:
        raise VectorFormatError(
            f"{STRINGS} beside {origin} holds half of a character ({error}). Fetch the pipeline "
            "again"
        ) from error
    order = np.argsort(own, kind="stable")
    places = np.minimum(np.searchsorted(own, keys, sorter=order), len(order) - 1)
    known = np.flatnonzero(own[order[places]] == keys)
    words = [strings[i] for i in order[places[known]].tolist()]
    if not words:
        raise VectorFormatError(
            f"{STRINGS} beside {origin} has the string of none of the {len(keys):,} keys of "
            f"{KEY2ROW}: they are not of one pipeline. Take the whole folder vocab of one"
        )
    return words, known


def _counts(rows: np.ndarray, keys: int, origin: str) -> dict[str, int]:
    """What is to be known of the rows that words have."""
    uses = np.unique(rows, return_counts=True)[1]
    sharing, lost = int(uses[uses > 1].sum()), keys - len(rows)
    if sharing:
        logger.warning(
            "%s: %d of %d words share their vector with another word; there are %d vectors",
            *(origin, sharing, len(rows), len(uses)),
        )
    if lost:
        logger.warning("%s: %d keys have a row but no string; left out", origin, lost)
    return {"keys_without_string": lost} | dict(zip(SHARED_ROWS, (sharing, len(uses)), strict=True))


def _at_rows(file: BinaryIO, rows: np.ndarray, dims: int) -> np.ndarray:
    """Some rows of the matrix in a file: (rows, dims), float32."""
    size = dims * FLOAT_BYTES
    # Read and not mapped: pages that are mapped would count as memory in use.
    data = b"".join([os.pread(file.fileno(), size, row * size) for row in rows.tolist()])
    return np.frombuffer(data, dtype="<f4").reshape(len(rows), dims)


def _json(data: bytes, name: str, origin: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise VectorFormatError(
            f"{name} beside {origin} is no JSON: {str(error)[:100]}; found {shown(data)}. Fetch "
            "the pipeline again"
        ) from error


def _needed(name: str, stream: CheckedStream, origin: str) -> bytes:
    data = _beside(name, stream)
    if data is None:
        raise VectorFormatError(
            f"there is no {name} beside {origin}: expected the file vectors in the folder vocab of "
            f"a spaCy pipeline, with {KEY2ROW} and {STRINGS}. Take that folder as a whole"
        )
    return data


def _beside(name: str, stream: CheckedStream) -> bytes | None:
    """A file of the same folder or archive; None if there is none of that name."""
    try:
        with stream.beside(name) as file:
            return b"".join(iter(lambda: file.read(BLOCK), b""))
    except (FileNotFoundError, MissingMember):
        return None
