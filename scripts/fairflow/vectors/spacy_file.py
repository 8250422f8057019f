"""Vectors of a spaCy pipeline: the files `vectors`, `key2row` and `strings.json` of its `vocab`."""

from __future__ import annotations

import hashlib
import io
import logging
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.configuration_files import read_yaml
from fairflow.files.packed_files import CheckedStream
from fairflow.vectors.npy import copy_rows, json_in, matrix_rows, opened_matrix
from fairflow.vectors.word2vec_format import Conversion, Records, read_beside, shown

# spaCy identifies strings by 64-bit keys: a hash of their bytes, or a number.
SEED = 1
_MULTIPLIER = np.uint64(0xC6A4A7935BD1E995)
_SHIFT = np.uint64(47)
_BITS = (1 << 64) - 1

# Names that spaCy 3 numbers and does not hash.
NUMBERED: dict[str, int] = {
    name: number
    for first, names in read_yaml(Path(__file__).with_name("spacy_names.yaml")).items()
    for number, name in enumerate(names.split(), first)
}


def keys_of(strings: Sequence[str]) -> np.ndarray:
    """The key of each string: (strings,), uint64.

    Raises
    ------
    UnicodeEncodeError : half of a surrogate pair, which has no key in spaCy.
    """
    keys = hashes([string.encode() for string in strings])
    for place, string in enumerate(strings):
        if string in NUMBERED:
            keys[place] = NUMBERED[string]
    return keys


def hashes(texts: Sequence[bytes], seed: int = SEED) -> np.ndarray:
    """MurmurHash64A (Appleby 2008) of each text: (texts,), uint64."""
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    result = np.empty(len(texts), dtype=np.uint64)
    for length in np.unique(lengths).tolist():
        places = np.flatnonzero(lengths == length)
        data = b"".join([texts[place] for place in places.tolist()])
        letters = np.frombuffer(data, dtype=np.uint8).reshape(len(places), length)
        result[places] = _hashes(letters, seed)
    return result


def _hashes(letters: np.ndarray, seed: int) -> np.ndarray:
    """The hashes of texts of equal length, one text per row of bytes."""
    count, length = letters.shape
    whole = length // 8
    padded = np.zeros((count, 8 * (whole + 1)), dtype=np.uint8)
    padded[:, :length] = letters
    blocks = padded.view("<u8").astype(np.uint64)
    start = seed ^ (length * int(_MULTIPLIER) & _BITS)
    result = np.full(count, start, dtype=np.uint64)
    for block in blocks.T[:whole]:
        mixed = block * _MULTIPLIER
        mixed ^= mixed >> _SHIFT
        mixed *= _MULTIPLIER
        result ^= mixed
        result *= _MULTIPLIER
    if length % 8:
        result ^= blocks[:, whole]
        result *= _MULTIPLIER
    result ^= result >> _SHIFT
    result *= _MULTIPLIER
    result ^= result >> _SHIFT
    return result


logger = logging.getLogger(__name__)

KEY2ROW, STRINGS, SETTINGS = "key2row", "strings.json", "vectors.cfg"
_AGAIN = "Fetch the pipeline again"
ROWS_AT_ONCE = 10_000
STRINGS_AT_ONCE = 100_000


def copy_spacy(stream: CheckedStream, copy: Conversion) -> Iterator[Records]:
    """The words that have a row in `vectors`, in the order of `key2row`, each with its row.

    `vectors` is a .npy matrix and `key2row` a map of keys to rows in MessagePack. In a pruned
    pipeline many words share a row: `copy.facts` has their number, and the number of keys with a
    row but no string, so that nobody knows their word.

    Raises
    ------
    VectorFormatError : a file next to `vectors` is missing or damaged, they contradict each other,
        or the pipeline has no table of words and vectors.
    """
    _check_mode(read_beside(stream, SETTINGS), copy.origin)
    named, listed = (_needed(name, stream, copy.origin) for name in (KEY2ROW, STRINGS))
    keys, rows = _key2row(named, copy.origin)
    words, known = _words(keys, _strings(listed, copy.origin), copy.origin)
    rows = rows[known]
    copy.facts["words_sha256"] = hashlib.sha256(named + listed).hexdigest()
    copy.facts |= _counts(rows, len(keys), copy.origin)
    with opened_matrix(stream, copy.origin) as matrix:
        if not 0 <= rows.min() <= rows.max() < len(matrix):
            raise VectorFormatError(
                f"{copy.origin} has {len(matrix):,} rows, its {KEY2ROW} names the rows "
                f"{rows.min()} to {rows.max()}: they are not of one pipeline. Take the whole "
                "folder vocab of one"
            )
        copy.dims = matrix.shape[1]
        for start in range(0, len(words), ROWS_AT_ONCE):
            yield copy_rows(matrix_rows(matrix, rows[start : start + ROWS_AT_ONCE]), words, copy)


def _check_mode(settings: bytes | None, origin: str) -> None:
    # Pipelines before spaCy 3.2 have no such file: there was only one mode.
    stated = {} if settings is None else json_in(settings, f"{SETTINGS} next to {origin}", _AGAIN)
    mode = stated.get("mode", "default") if isinstance(stated, dict) else stated
    if mode != "default":
        raise VectorFormatError(
            f"{SETTINGS} next to {origin}: expected the mode default, found {str(mode)[:40]!r} (in "
            "a table of floret no word has its own row). Take another pipeline of spaCy 3"
        )


def _key2row(data: bytes, origin: str) -> tuple[np.ndarray, np.ndarray]:
    """The keys and their rows, in the order of the file."""
    import msgpack

    keys, rows = array("Q"), array("q")
    unpacker = msgpack.Unpacker(io.BytesIO(data))
    try:
        for _ in range(unpacker.read_map_header()):
            keys.append(unpacker.unpack())
            rows.append(unpacker.unpack())
        if unpacker.tell() != len(data):
            raise ValueError(f"{len(data) - unpacker.tell():,} bytes follow it")
    # In a damaged file a number may be out of range, or something else.
    except (msgpack.UnpackException, ValueError, TypeError, OverflowError) as error:
        raise VectorFormatError(
            f"{KEY2ROW} next to {origin}: expected a map of keys to rows in MessagePack, found a "
            f"fault after {len(rows):,} of them ({str(error).rstrip('.')}). {_AGAIN}"
        ) from error
    if not keys:
        raise VectorFormatError(
            f"{origin}: this pipeline has no vectors, like every one whose name ends in _sm. Take "
            "the one whose name ends in _md or _lg"
        )
    return np.frombuffer(keys, dtype=np.uint64), np.frombuffer(rows, dtype=np.int64)


def _strings(data: bytes, origin: str) -> list[str]:
    strings = json_in(data, f"{STRINGS} next to {origin}", _AGAIN)
    if not isinstance(strings, list) or not all(isinstance(string, str) for string in strings):
        raise VectorFormatError(
            f"{STRINGS} next to {origin}: expected a list of strings, found {shown(data)}. {_AGAIN}"
        )
    return strings


def _words(keys: np.ndarray, strings: list[str], origin: str) -> tuple[list[str], np.ndarray]:
    """The strings of the keys that have one, and the indices of these keys."""
    # Strings with a number instead of a hash are not in any file.
    strings = [*NUMBERED, *strings]
    parts = range(0, len(strings), STRINGS_AT_ONCE)
    own = np.concatenate([keys_of(strings[i : i + STRINGS_AT_ONCE]) for i in parts])
    order = np.argsort(own, kind="stable")
    places = np.minimum(np.searchsorted(own, keys, sorter=order), len(order) - 1)
    known = np.flatnonzero(own[order[places]] == keys)
    words = [strings[i] for i in order[places[known]].tolist()]
    if not words:
        raise VectorFormatError(
            f"{STRINGS} next to {origin} has no string for any of the {len(keys):,} keys of "
            f"{KEY2ROW}: they are not of one pipeline. Take the whole folder vocab of one"
        )
    return words, known


@cache
def _warn_of_sharing(origin: str, sharing: int, words: int, vectors: int) -> None:
    """Once for a file, which may be read again."""
    told = "%s: %d of %d words share their vector with another word; there are %d vectors"
    logger.warning(told, origin, sharing, words, vectors)


def _counts(rows: np.ndarray, keys: int, origin: str) -> dict[str, int]:
    """Facts about the rows of words."""
    uses = np.unique(rows, return_counts=True)[1]
    sharing, lost = int(uses[uses > 1].sum()), keys - len(rows)
    if sharing:
        _warn_of_sharing(origin, sharing, len(rows), len(uses))
    if lost:
        logger.warning("%s: %d keys have a row but no string; left out", origin, lost)
    return {
        "keys_without_string": lost,
        "words_sharing_rows": sharing,
        "distinct_rows": len(uses),
    }


def _needed(name: str, stream: CheckedStream, origin: str) -> bytes:
    data = read_beside(stream, name)
    if data is None:
        raise VectorFormatError(
            f"{name} is missing next to {origin}: expected the file vectors in the folder vocab "
            f"of a spaCy pipeline, with {KEY2ROW} and {STRINGS}. Take that folder as a whole"
        )
    return data
