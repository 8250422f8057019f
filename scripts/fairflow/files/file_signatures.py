"""Whether a file can be what it should be, told by its first bytes."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fairflow.errors import DownloadError, FairflowError
from fairflow.files.packed_files import names_in, open_packed

HEAD_BYTES = 1 << 16

_MARK = b"\xef\xbb\xbf"
_PAGES = (b"<!doctype", b"<html", b"<head", b"<body", b"<?xml")
_FASTTEXT_MAGIC = 793712314
_LARGEST_DIMS = 100_000


def check_uses(path: Path, uses: Sequence[Mapping[str, str]]) -> None:
    """Refuse a file that none of its users can use.

    Parameters
    ----------
    uses : `format` of the vectors or the network in it and, if it is packed, `archive` and
        `member`; without a format any archive of the kind will do.

    Raises
    ------
    FairflowError : the file is packed otherwise, damaged, or does not begin as the format does.
    """
    failures = []
    for use in uses:
        try:
            return _check_use(path, use)
        except FairflowError as error:
            failures.append(error)
    if failures:
        raise failures[0]


def _check_use(path: Path, use: Mapping[str, str]) -> None:
    if "format" not in use:
        names_in(path, use["archive"])
        return
    with open_packed(path, use.get("archive"), use.get("member")) as stream:
        head = stream.read(HEAD_BYTES)
    if wrong := vectors_problem(use["format"], head):
        raise DownloadError(f"{stream.name} {wrong}")


def is_page(head: bytes) -> bool:
    """Whether a file begins as a web page does, or an answer in XML."""
    return head.removeprefix(_MARK).lstrip()[:16].lower().startswith(_PAGES)


def vectors_problem(vector_format: str, head: bytes) -> str | None:
    """Why a file with these first bytes does not hold vectors in a format, or None if it may.

    Parameters
    ----------
    vector_format : a key of `fairflow.vectors.convert.FORMATS`, or gguf.
    head : `HEAD_BYTES` of the unpacked file, or all of a shorter one.
    """
    if is_page(head):
        return f"is a web page, not {vector_format}: it begins with {head.lstrip()[:40]!r}"
    expected, begins = _BEGINNINGS[vector_format]
    if begins(head):
        return None
    return (
        f"is no file of format {vector_format}: it begins with {head[:40]!r}, not with {expected}"
    )


def _begins_with_counts(head: bytes) -> bool:
    fields = head.removeprefix(_MARK).partition(b"\n")[0].split()
    return len(fields) == 2 and all(field.isdigit() for field in fields)


def _begins_with_a_vector(head: bytes) -> bool:
    lines = head.removeprefix(_MARK).split(b"\n")
    # The last may be cut, within a number too.
    if len(lines) == 1 and len(head) == HEAD_BYTES:
        lines = [head.rpartition(b" ")[0]]
    fields = next((line.split() for line in lines if line.strip()), [])
    return len(fields) > 1 and _is_number(fields[-1])


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _begins_as_fasttext(head: bytes) -> bool:
    if len(head) < 4:
        return False
    # The first version begins with the number of dims.
    (first,) = struct.unpack("<i", head[:4])
    return first == _FASTTEXT_MAGIC or 0 < first < _LARGEST_DIMS


def _starts(*options: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(options)


_COUNTS = "a line of COUNT and DIMS", _begins_with_counts
_MATRIX = "that of a .npy file", _starts(b"\x93NUMPY")
# Format -> what it begins with, in words and as a function.
_BEGINNINGS = {
    "glove-text": ("a word and numbers", _begins_with_a_vector),
    "word2vec-text": _COUNTS,
    "fasttext-vec": _COUNTS,
    "word2vec-binary": _COUNTS,
    "npy": _MATRIX,
    "spacy": _MATRIX,
    "gensim": ("that of a pickle", _starts(b"\x80", b"c", b"(")),
    "gguf": ("GGUF", _starts(b"GGUF")),
    "fasttext-bin": ("that of a fastText model", _begins_as_fasttext),
}
