"""Formats of vector files: each is copied into word2vec format in one pass, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from fairflow.errors import VectorFormatError
from fairflow.streams import Stream

BLOCK = 4 << 20
FLOAT_BYTES = 4
LONGEST_WORD = 4096

# Word, row, offset of the vector in the word2vec file.
Row = tuple[str, int, int]


@dataclass
class Copy:
    """How far a copy has come.

    Attributes
    ----------
    origin : the file's name, for errors. offset : where the next record goes.
    dims : length of a vector, once known. announced : number of vectors that a header promises.
    words : the file of words that a format without words of its own needs.
    """

    origin: str
    offset: int
    rows: int = 0
    lines: int = 0
    dims: int | None = None
    announced: int | None = None
    words: Path | None = None


def copy_glove_text(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """Text without a header: a word, then numbers, separated by single ASCII spaces.

    A word may itself hold spaces or U+00A0: the vector is cut off from the right. Lines end at
    "\\n" alone; a byte order mark, carriage returns, trailing spaces and empty lines are tolerated.

    Raises
    ------
    VectorFormatError : a line with another number of values; with its number.
    """
    first = stream.read(BLOCK).removeprefix(b"\xef\xbb\xbf")
    yield from _copy_lines(first, stream, target, copy)


def copy_word2vec_text(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """Text with a header 'COUNT DIMS', whose count is not trusted; else as GloVe's."""
    first = stream.read(BLOCK).removeprefix(b"\xef\xbb\xbf")
    header, _, rest = first.partition(b"\n")
    copy.announced, copy.dims = _parsed_header(header, copy.origin)
    copy.lines = 1
    yield from _copy_lines(rest, stream, target, copy)


def copy_word2vec_binary(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    """Binary: a header, then word, space and little-endian float32 values for each word.

    Writers differ in whether they put a newline between records; both are read.

    Raises
    ------
    VectorFormatError : no header, or fewer records than it promises.
    """
    header, _, data = stream.read(BLOCK).partition(b"\n")
    copy.announced, copy.dims = _parsed_header(header, copy.origin)
    size = copy.dims * FLOAT_BYTES
    while True:
        rows, end = _binary_records(data, size, copy)
        if end:
            target.write(data[:end])
        copy.offset += end
        data = data[end:]
        yield rows
        if not (block := stream.read(BLOCK)):
            break
        data += block
    if copy.rows < copy.announced or data.strip(b"\r\n"):
        raise VectorFormatError(
            f"{copy.origin} ends within vector {copy.rows + 1} of the {copy.announced} that its "
            "header promises: it is truncated. Delete it and run again"
        )


@dataclass(frozen=True)
class Format:
    """How a source file is copied, and whether its word2vec form is binary."""

    copy: Callable[[Stream, BinaryIO, Copy], Iterator[list[Row]]]
    binary: bool


def _copy_gensim(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    from fairflow.vectors.gensim_file import copy_gensim

    return copy_gensim(stream, target, copy)


def _copy_fasttext_bin(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    from fairflow.vectors.through_gensim import copy_fasttext_bin

    return copy_fasttext_bin(stream, target, copy)


def _copy_npy(stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    from fairflow.vectors.npy import copy_npy

    return copy_npy(stream, target, copy)


FORMATS: dict[str, Format] = {
    "glove-text": Format(copy_glove_text, binary=False),
    "word2vec-text": Format(copy_word2vec_text, binary=False),
    "fasttext-vec": Format(copy_word2vec_text, binary=False),
    "word2vec-binary": Format(copy_word2vec_binary, binary=True),
    "npy": Format(_copy_npy, binary=True),
    "gensim": Format(_copy_gensim, binary=True),
    "fasttext-bin": Format(_copy_fasttext_bin, binary=True),
}


def _copy_lines(block: bytes, stream: Stream, target: BinaryIO, copy: Copy) -> Iterator[list[Row]]:
    while block:
        end = block.rfind(b"\n") + 1
        if end:
            yield _copy_block(block[:end], target, copy)
        more = stream.read(BLOCK)
        block = block[end:] + more
        if block and not more:
            # The last line has no end of its own.
            block += b"\n"


def _copy_block(block: bytes, target: BinaryIO, copy: Copy) -> list[Row]:
    """Write whole lines and tell their words; lines in order are written as they are."""
    lines = block.split(b"\n")
    lines.pop()
    tidy = True
    rows = []
    for number, line in enumerate(lines):
        copy.lines += 1
        if not line or line[-1] in b" \r":
            tidy = False
            line = lines[number] = line.rstrip(b" \r")
            if not line:
                continue
        cut = _end_of_word(line, copy)
        rows.append((line[:cut].decode("utf-8", "replace"), copy.rows, copy.offset + cut + 1))
        copy.rows += 1
        copy.offset += len(line) + 1
    target.write(block if tidy else b"".join(line + b"\n" for line in lines if line))
    return rows


def _end_of_word(line: bytes, copy: Copy) -> int:
    spaces = line.count(b" ")
    if copy.dims is None:
        copy.dims = spaces
    if spaces == copy.dims and spaces:
        cut = line.index(b" ")
    else:
        cut = len(line.rsplit(b" ", copy.dims)[0]) if spaces > copy.dims > 0 else 0
        # A number at the end of the word is rather a vector that is too long.
        if cut and _is_number(line[:cut].rsplit(b" ", 1)[-1]):
            cut = 0
    if not cut or not _is_number(line[cut + 1 : _end_of_field(line, cut + 1)]):
        raise VectorFormatError(
            f"{copy.origin}, line {copy.lines}: expected a word and {copy.dims} numbers, found "
            f"{spaces} values after {line[:30].decode(errors='replace')!r}..."
        )
    return cut


def _end_of_field(line: bytes, start: int) -> int:
    end = line.find(b" ", start)
    return len(line) if end < 0 else end


def _binary_records(data: bytes, size: int, copy: Copy) -> tuple[list[Row], int]:
    """The whole records at the start of `data`, and where they end."""
    rows: list[Row] = []
    start, end = 0, len(data)
    while (space := data.find(b" ", start, start + LONGEST_WORD)) >= 0:
        following = space + 1 + size
        if following > end:
            break
        word = data[start:space].lstrip(b"\r\n").decode("utf-8", "replace")
        rows.append((word, copy.rows, copy.offset + space + 1))
        copy.rows += 1
        start = following
    if space < 0 and end - start > LONGEST_WORD:
        raise VectorFormatError(
            f"{copy.origin}: no word where vector {copy.rows + 1} should begin; the file does not "
            f"hold vectors of {copy.dims} values"
        )
    return rows, start


def _parsed_header(line: bytes, origin: str) -> tuple[int, int]:
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields) or not int(fields[1]):
        raise VectorFormatError(
            f"{origin}, line 1: expected 'COUNT DIMS', found {line[:40]!r}. "
            "A file without that line is glove-text"
        )
    return int(fields[0]), int(fields[1])


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
