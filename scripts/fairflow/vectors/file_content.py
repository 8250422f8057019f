"""The format of a file, recognised by its first bytes, with the reason."""

from __future__ import annotations

import pickletools
import struct
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairflow.errors import DownloadError, FairflowError, VectorFormatError
from fairflow.files.packed_files import names_in, open_packed
from fairflow.vectors.fasttext_file import MAGIC as FASTTEXT
from fairflow.vectors.gensim_file import CLASSES
from fairflow.vectors.word2vec_format import (
    FLOAT_BYTES,
    LONGEST_WORD,
    MARK,
    MOST_DIMS,
    counts_in,
    is_number,
    shown,
)


class UnknownFormat(VectorFormatError):
    """The format of a file is not recognised, or more than one is possible."""


class NoVectors(UnknownFormat):
    """A file certainly holds no vectors, so that naming a format would not help."""


GGUF = "gguf"
HEAD_BYTES = 1 << 20
_PAGES = (b"<!doctype", b"<html", b"<head", b"<body", b"<?xml")
_POINTER = b"version https://git-lfs"
_PICKLES = (b"\x80", b"ccopy_reg\n", b"ccopyreg\n", b"cgensim.")
_MOST_LINES = 200
_PRINTED = bytes(range(32, 127)) + b"\t\r\n"


@dataclass(frozen=True)
class Content:
    """A format (a key of `FORMATS`, or gguf), and how it was recognised, as a clause."""

    format: str
    because: str


_NUMBER = struct.pack("<i", FASTTEXT)
_SIGNATURES = {
    b"GGUF": Content(GGUF, "it begins with GGUF"),
    b"\x93NUMPY": Content("npy", "it begins as a .npy file"),
    _NUMBER: Content("fasttext-bin", "it begins with the number of native fastText"),
}


def content_of(head: bytes) -> Content:
    """The format of a file.

    Parameters
    ----------
    head : `HEAD_BYTES` of the unpacked file, or all of a shorter one.

    Raises
    ------
    NoVectors : its content is recognised, and is not vectors.
    UnknownFormat : its beginning fits none of the formats.
    """
    _refuse(head)
    for start, content in _SIGNATURES.items():
        if head.startswith(start):
            return content
    if found := _counted(head) or _pickled(head) or _lines(head):
        return found
    raise UnknownFormat(f"unknown format (the file begins with {shown(head)})")


def _refuse(head: bytes) -> None:
    if not head.strip():
        raise NoVectors("it is empty. Fetch or write it again")
    if head.startswith(_POINTER):
        raise NoVectors(
            "it is a pointer of Git LFS: the file itself was not fetched. Fetch it: "
            "git lfs pull in the folder that was cloned"
        )
    if head.removeprefix(MARK).lstrip()[:16].lower().startswith(_PAGES):
        raise NoVectors(
            f"it is a web page (it begins with {shown(head.lstrip())}). Download the file itself"
        )


def _counted(head: bytes) -> Content | None:
    """Vectors after a line 'COUNT DIMS': text if the next line is text, else binary."""
    header, _, rest = head.removeprefix(MARK).partition(b"\n")
    count, dims = counts_in(header) or (0, 0)
    if not 0 < dims <= MOST_DIMS:
        return None
    says = f"its first line counts {count:,} vectors of {dims:,} numbers"
    values = rest.partition(b"\n")[0].rstrip(b" \r").rsplit(b" ", dims)[1:]
    if len(values) == dims and all(map(is_number, values)):
        return Content("word2vec-text", f"{says}, the next is a word and numbers as text")
    start = rest.find(b" ") + 1
    floats = rest[start : start + dims * FLOAT_BYTES]
    if 0 < start <= LONGEST_WORD and floats.translate(None, _PRINTED):
        return Content("word2vec-binary", f"{says}, and the numbers after it are binary")
    return None


def _pickled(head: bytes) -> Content | None:
    """gensim's KeyedVectors. Only the names of classes are read; nothing in the pickle is run."""
    if not head.startswith(_PICKLES):
        return None
    classes = list(_classes(head))
    if any(name in CLASSES for name in classes[:2]):
        return Content("gensim", f"it is a pickle of gensim's {classes[0][1]}")
    found = ".".join(classes[0]) if classes else "no class"
    if found.startswith("gensim."):
        raise NoVectors(
            f"it is a complete gensim model ({found}). Save only its vectors, and name that file: "
            f'{classes[0][1]}.load("OLD").wv.save("NEW.kv")'
        )
    raise NoVectors(
        f"it is a pickle of {found}; it could hold code and is not opened. Write the vectors "
        "with gensim's KeyedVectors.save, or as text"
    )


def _classes(head: bytes) -> Iterator[tuple[str, str]]:
    """Module and name of the classes in a pickle, or in the part of it that was read."""
    texts: list[str] = []
    try:
        for code, argument, _ in pickletools.genops(head):
            if code.name == "GLOBAL":
                module, _, name = str(argument).partition(" ")
                yield module, name
            elif code.name == "STACK_GLOBAL" and len(texts) > 1:
                yield texts[-2], texts[-1]
            elif isinstance(argument, str):
                texts.append(argument)
    # The head may end anywhere in a pickle.
    except (ValueError, IndexError, struct.error):
        return


def _lines(head: bytes) -> Content | None:
    """Text without a header: most lines are a word and the same number of numbers."""
    whole = len(head) < HEAD_BYTES
    lines = [line.rstrip(b" \r") for line in head.removeprefix(MARK).split(b"\n")[:_MOST_LINES]]
    lines = [line for line in (lines if whole else lines[:-1]) if line]
    counts = Counter(map(_numbers_at_end, lines))
    dims, times = counts.most_common(1)[0] if counts else (0, 0)
    if dims < 2 or 2 * times <= len(lines):
        return None
    return Content("glove-text", f"its lines are a word and {dims:,} numbers, without a header")


def _numbers_at_end(line: bytes) -> int:
    values = line.split(b" ")[1:]
    return next((i for i, v in enumerate(reversed(values)) if not is_number(v)), len(values))


def check_uses(path: Path, uses: Sequence[Mapping[str, str]]) -> None:
    """Refuse a file that does not fit any of its uses.

    Parameters
    ----------
    uses : `format` of the vectors or the network in it and, if it is packed, `archive` and
        `member`. Without a format any archive of this type fits.

    Raises
    ------
    FairflowError : the file is packed in another way, is damaged, or has another format.
    """
    failures: list[FairflowError] = []
    for use in uses:
        try:
            if "format" not in use:
                names_in(path, use["archive"])
                return
            with open_packed(path, use.get("archive"), use.get("member")) as stream:
                head = stream.read(HEAD_BYTES)
            if wrong := vectors_problem(use["format"], head):
                raise DownloadError(f"{stream.name} {wrong}")
            return
        except FairflowError as error:
            failures.append(error)
    if failures:
        raise failures[0]


# Formats that are recognised as another format.
_ALIKE = {"fasttext-vec": "word2vec-text", "spacy": "npy"}


def vectors_problem(vector_format: str, head: bytes) -> str | None:
    """Why a file with these first bytes cannot have a format, or None if it can.

    Parameters
    ----------
    vector_format : a key of `fairflow.vectors.convert.FORMATS`, or gguf.
    head : as for `content_of`.
    """
    no_such = f"is not a file of format {vector_format}"
    try:
        content = content_of(head)
    except UnknownFormat as error:
        return f"{no_such}: {error}"
    if content.format == _ALIKE.get(vector_format, vector_format):
        return None
    return f"{no_such}, but of {content.format}: {content.because}"
