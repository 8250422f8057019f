"""The word2vec format, text and binary, to which the vectors of all other formats are copied.

Also shared by all formats: the state of a conversion.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.packed_files import CheckedStream, MissingMember

BLOCK = 4 << 20
FLOAT_BYTES = 4
LONGEST_WORD = 4096
# Ten times the longest known vectors; a header with more is of another file.
MOST_DIMS = 100_000

# A number is written as C's printf and Python's repr write one, or nan or inf; other texts that
# Python's float accepts (1_0, infinity, digits of other scripts) are not numbers here.
_FINITE = rb"[+-]?+(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+"
_NUMBER = rb"(?:%b|[+-]?+(?:[nN][aA][nN]|[iI][nN][fF]))" % _FINITE
_FINITE_NUMBER, _ANY_NUMBER = re.compile(_FINITE), re.compile(_NUMBER)
# Every character that may occur in a number.
CHARACTERS = b"0123456789.eE+-nafiNAFI"

# Word, row, offset of the vector in the word2vec file.
Row = tuple[str, int, int]
# Rows, and their bytes in a word2vec file.
Records = tuple[list[Row], bytes]


@dataclass
class Conversion:
    """The state of a conversion into the word2vec format.

    Attributes
    ----------
    origin : the file's name, for errors. offset : where the next record goes.
    dims : length of a vector, 0 before it is known.
    announced : number of vectors that a header promises.
    words : the `fairflow.vectors.npy.WordList` of a format without words.
    with_parts : whether vectors of n-grams are copied too, if the format has any.
    facts : further facts about the vectors from the format, for the card.
    """

    origin: str
    offset: int
    rows: int = 0
    lines: int = 0
    dims: int = 0
    announced: int | None = None
    words: Any = None
    with_parts: bool = False
    facts: dict[str, Any] = field(default_factory=dict)

    def read_header(self, line: bytes) -> None:
        """Read the number of vectors and their length from a first line 'COUNT DIMS'.

        Raises
        ------
        VectorFormatError : another line, or an impossible length.
        """
        counts = counts_in(line)
        if counts is None or not 0 < counts[1] <= MOST_DIMS:
            raise VectorFormatError(
                f"{self.origin}, line 1: expected 'COUNT DIMS' with at most {MOST_DIMS:,} dims, "
                f"found {shown(line)}. A text file without that line is glove-text"
            )
        self.announced, self.dims = counts

    def check_count(self) -> None:
        """Compare the vectors copied with those announced.

        Raises
        ------
        VectorFormatError : there are more or fewer.
        """
        if self.announced in (None, self.rows):
            return
        if self.rows < self.announced:
            count = f"ends after {self.rows:,} of the {self.announced:,}"
            advice = "it is truncated. Fetch it again"
        else:
            count = f"holds more than the {self.announced:,}"
            advice = "it is another file, or two in one. Fetch it again"
        raise VectorFormatError(
            f"{self.origin} {count} vectors that its first line promises: {advice}; if it is meant "
            "to be so, write the right count into its first line"
        )


def is_number(field: bytes) -> bool:
    """Whether a field is a number, including nan and inf."""
    return _ANY_NUMBER.fullmatch(field) is not None


def counts_in(line: bytes) -> tuple[int, int] | None:
    """The two numbers of a first line 'COUNT DIMS'; None of another line."""
    fields = line.split()
    # Python refuses to parse numbers with thousands of digits.
    if len(fields) != 2 or not all(field.isdigit() and len(field) < 20 for field in fields):
        return None
    return int(fields[0]), int(fields[1])


def shown(data: bytes) -> str:
    """The beginning of some bytes of a file, for a sentence."""
    text = data[:40].decode("utf-8", "replace")
    return repr(text) + ("..." if len(data) > 40 else "")


def first_bytes(stream: IO[bytes] | CheckedStream, size: int) -> bytes:
    """The next `size` bytes of a stream, fewer only at its end."""
    data = b""
    while len(data) < size and (more := stream.read(size - len(data))):
        data += more
    return data


def read_beside(stream: CheckedStream, name: str) -> bytes | None:
    """A file in the same folder or archive as that of a stream; None if there is no such file."""
    try:
        with stream.beside(name) as file:
            return b"".join(iter(lambda: file.read(BLOCK), b""))
    except (FileNotFoundError, MissingMember):
        return None


def copy_records(
    words: Sequence[bytes], vectors: Iterable[np.ndarray], copy: Conversion
) -> Records:
    """The next words, each with its vector in binary: (dims,), little-endian float32."""
    rows, records = [], []
    for word, vector in zip(words, vectors, strict=True):
        head, numbers = word + b" ", vector.tobytes()
        records += [head, numbers]
        rows.append((word.decode("utf-8", "replace"), copy.rows, copy.offset + len(head)))
        copy.rows += 1
        copy.offset += len(head) + len(numbers)
    return rows, b"".join(records)


def rows_of_matrix(file: BinaryIO, rows: Sequence[int], dims: int, start: int = 0) -> np.ndarray:
    """Some rows of a float32 matrix that starts at a byte of a file: (rows, dims).

    They are read and not mapped: pages that are mapped would count as memory in use.

    Raises
    ------
    ValueError : the file ends before.
    """
    number, size = file.fileno(), dims * FLOAT_BYTES
    data = b"".join([os.pread(number, size, start + row * size) for row in rows])
    return np.frombuffer(data, dtype="<f4").reshape(len(rows), dims)


MARK = b"\xef\xbb\xbf"
# Small enough for the processor's cache.
_PIECE = 1 << 20


def copy_glove_text(stream: CheckedStream, copy: Conversion) -> Iterator[Records]:
    """Text without a header: a word, then numbers, separated by single ASCII spaces.

    A word may contain spaces or U+00A0: the vector is split off from the right. Lines end at
    "\\n" alone; a byte order mark, carriage returns, trailing spaces and empty lines are tolerated.

    Raises
    ------
    VectorFormatError : a line with another number of values, or with something that is no number.
        The line is named.
    """
    first = first_bytes(stream, BLOCK).removeprefix(MARK)
    yield from _copy_lines(first, stream, copy)


def copy_word2vec_text(stream: CheckedStream, copy: Conversion) -> Iterator[Records]:
    """Text with a header 'COUNT DIMS'; else as GloVe's.

    Raises
    ------
    VectorFormatError : as for GloVe's; no header, or another number of vectors than it promises.
    """
    first = first_bytes(stream, BLOCK).removeprefix(MARK)
    header, _, rest = first.partition(b"\n")
    copy.read_header(header)
    copy.lines = 1
    yield from _copy_lines(rest, stream, copy)
    copy.check_count()


def _copy_lines(block: bytes, stream: CheckedStream, copy: Conversion) -> Iterator[Records]:
    while block:
        end = block.rfind(b"\n") + 1
        lines = block[:end]
        if lines:
            yield _copy_block(lines, copy)
        elif len(block) > BLOCK:
            raise VectorFormatError(
                f"{copy.origin}, line {copy.lines + 1}: no end of line within {BLOCK:,} bytes; "
                "this is no text file of vectors"
            )
        more = stream.read(_PIECE)
        block = block[end:] + more
        if block and not more:
            # The last line may have no line break.
            block += b"\n"


def _copy_block(block: bytes, copy: Conversion) -> Records:
    """Whole lines and their words; correct lines are copied unchanged."""
    ends = _ends(block)
    numbers: Sequence[int] = range(copy.lines + 1, copy.lines + 1 + len(ends))
    copy.lines += len(ends)
    if {block[0], *np.frombuffer(block, np.uint8)[ends - 1].tolist()} & {*b" \r\n"}:
        lines = [line.rstrip(b" \r") for line in block.split(b"\n")[:-1]]
        numbers = [number for number, line in zip(numbers, lines, strict=True) if line]
        block = b"".join([line + b"\n" for line in lines if line])
        ends = _ends(block)
    begins, stops = _words(block, ends, numbers, copy) if len(ends) else ([], [])
    heads = [block[begin:stop] for begin, stop in zip(begins, stops, strict=True)]
    # Much faster than one by one; no word contains a line break. Bytes that are not UTF-8 become
    # U+FFFD, and of words that are then equal the first counts.
    words = b"\n".join(heads).decode("utf-8", "replace").split("\n") if heads else []
    offsets = [copy.offset + stop + 1 for stop in stops]
    rows = list(zip(words, range(copy.rows, copy.rows + len(words)), offsets, strict=True))
    copy.rows += len(words)
    copy.offset += len(block)
    return rows, block


def _ends(block: bytes) -> np.ndarray:
    return np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n"))


def _words(
    block: bytes, ends: np.ndarray, numbers: Sequence[int], copy: Conversion
) -> tuple[list[int], list[int]]:
    """The start of each line, and the end of its word; the rest are `dims` numbers.

    Parameters
    ----------
    ends : of the lines. numbers : of the lines, from 1.
    """
    begins = [0, *(ends[:-1] + 1).tolist()]
    lines = list(zip(begins, ends.tolist(), strict=True))
    if not copy.dims:
        copy.dims = block.count(b" ", *lines[0])
        _end_of_word(block[: lines[0][1]], numbers[0], copy)
    # Usually the first space ends the word, and all lines are checked together.
    plain = _plain_lines(copy.dims).fullmatch
    usual = plain(block)
    stops = [
        block.find(b" ", begin, end)
        if usual or plain(block, begin, end + 1)
        else begin + _end_of_word(block[begin:end], number, copy)
        for (begin, end), number in zip(lines, numbers, strict=True)
    ]
    return begins, stops


@cache
def _plain_lines(dims: int) -> re.Pattern[bytes]:
    """Lines of a word without spaces and `dims` numbers, each after one space."""
    return re.compile(rb"(?:[^ \t\n]{1,%d}+(?: %b){%d}+\n)*+" % (LONGEST_WORD, _NUMBER, dims))


def _end_of_word(line: bytes, number: int, copy: Conversion) -> int:
    """The end of the word of a line, which may contain spaces.

    Raises
    ------
    VectorFormatError : there is no word before the last `dims` numbers.
    """
    word, *values = line.rsplit(b" ", copy.dims)
    proper = 0 < len(word.strip(b" ")) == len(word) <= LONGEST_WORD
    *before, last = re.split(rb"[ \t]", word)
    # A number at the end of the word (nan and inf are words, too) probably means that the vector is
    # too long.
    proper = proper and not (before and _FINITE_NUMBER.fullmatch(last))
    if proper and 0 < len(values) == copy.dims <= MOST_DIMS and all(map(is_number, values)):
        return len(word)
    raise VectorFormatError(
        f"{copy.origin}, line {number}: expected a word and {copy.dims} numbers, each after one "
        f"space, found {_fault(line, copy)}. Write the line so, remove it, or fetch the file again"
    )


def _fault(line: bytes, copy: Conversion) -> str:
    """What is wrong with a line."""
    word, *values = line.split(b" ")
    bad = [number for number, value in enumerate(values, start=1) if not is_number(value)]
    if b"\t" in line:
        return f"a tab in {shown(line)}: write spaces"
    if bad and len(values) == copy.dims:
        return f"{shown(values[bad[0] - 1])} as number {bad[0]} of {shown(word)}"
    return f"{len(values)} values after {shown(word)}"


def copy_word2vec_binary(stream: CheckedStream, copy: Conversion) -> Iterator[Records]:
    """Binary: a header, then word, space and little-endian float32 values for each word.

    Writers differ in whether they put a newline between records; both are read.

    Raises
    ------
    VectorFormatError : no header, or another number of records than it promises.
    """
    header, _, data = first_bytes(stream, BLOCK).partition(b"\n")
    copy.read_header(header)
    size = copy.dims * FLOAT_BYTES
    while True:
        rows, end = _records(data, size, copy)
        copy.offset += end
        yield rows, data[:end]
        data = data[end:]
        if not (block := stream.read(BLOCK)):
            break
        data += block
    if data.strip(b"\r\n"):
        raise VectorFormatError(
            f"{copy.origin} ends within vector {copy.rows + 1:,} of the {copy.announced:,} that "
            "its first line promises: it is truncated. Fetch it again"
        )
    copy.check_count()


def _records(data: bytes, size: int, copy: Conversion) -> tuple[list[Row], int]:
    """The complete records at the start of `data`, and their end."""
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
            f"{copy.origin}: no word where vector {copy.rows + 1:,} should begin; the file does "
            f"not hold vectors of {copy.dims} values"
        )
    return rows, start


# Increased with every change of the files' content.
LAYOUT = 2
HEADER_BYTES = 40
_SAMPLES, _SAMPLE = 16, 64


def header(records: int, dims: int) -> bytes:
    """The first line of a file of vectors, padded because their number is known last."""
    return f"{records} {dims}".ljust(HEADER_BYTES - 1).encode() + b"\n"


def likeness(path: str | Path) -> dict[str, Any]:
    """The size of a file of vectors, and the sha256 of blocks evenly spaced in it.

    This identifies the file without reading all of it. It does not notice a single changed
    number; for this, results/provenance/models has the sha256 of the whole file.
    """
    size = os.stat(path).st_size
    pieces = hashlib.sha256()
    with open(path, "rb", buffering=0) as file:
        for piece in range(_SAMPLES):
            file.seek(piece * max(0, size - _SAMPLE) // (_SAMPLES - 1))
            pieces.update(file.read(_SAMPLE))
    return {"vectors_bytes": size, "vectors_pieces_sha256": pieces.hexdigest()}


def mark(word: str, row: int, offset: int) -> int:
    """The checksum of an entry of the index."""
    return zlib.crc32(f"{row} {offset} {word}".encode("utf-8", "surrogatepass"))


def check_vectors(path: Path, facts: Mapping[str, Any]) -> None:
    """Compare a file of vectors with the card.

    Raises
    ------
    VectorFormatError : it is not the file that the card describes.
    """
    with open(path, "rb") as file:
        beginning = file.read(HEADER_BYTES)
    expected = {key: facts[key] for key in ("vectors_bytes", "vectors_pieces_sha256")}
    first_line = header(facts["words"] + facts["duplicates"], facts["dims"])
    if beginning != first_line or likeness(path) != expected:
        raise misfit(path, "these are not the vectors that the index and the card describe")


def misfit(path: str | Path, what: str) -> VectorFormatError:
    """The error for a file of a converted model that does not fit the others."""
    path = Path(path)
    return VectorFormatError(
        f"{path}: {what}; something changed a file of this model, or another version of fairflow "
        f"made it. Remove the folder {path.parent}; the next run makes the model again"
    )


def read_vectors(
    path: Path, entries: Sequence[tuple[str, int]], dims: int, binary: bool
) -> np.ndarray:
    """The vectors at some offsets of a file in word2vec format: (words, dims).

    Raises
    ------
    VectorFormatError : at an offset there is not the word and a vector of that length.
    """
    matrix = np.empty((len(entries), dims), dtype=np.float32)
    with open(path, "rb") as file:
        for row in np.argsort([offset for _, offset in entries], kind="stable"):
            word, offset = entries[row]
            if not _stands_before(file, word, offset):
                raise misfit(path, f"{word!r} does not stand before byte {offset}")
            try:
                if binary:
                    matrix[row] = np.frombuffer(file.read(dims * FLOAT_BYTES), "<f4", dims)
                else:
                    matrix[row] = _read_text(file, dims)
            except ValueError as error:
                what = f"no vector of {dims} numbers at byte {offset} ({error})"
                raise misfit(path, what) from error
    return matrix


def _stands_before(file: BinaryIO, word: str, offset: int) -> bool:
    """Whether a file has a word and a space before an offset; moves the file to the offset."""
    head = word.encode() + b" "
    file.seek(max(0, offset - len(head)))
    # Bytes that are not UTF-8 cannot be compared: the index has U+FFFD instead.
    return file.read(len(head)) == head or (
        "\N{REPLACEMENT CHARACTER}" in word and file.seek(offset) == offset
    )


def _read_text(file: BinaryIO, dims: int) -> np.ndarray:
    line = file.readline()
    fields = line.split()
    # With these characters only, Python and this format agree on what a number is.
    if len(fields) != dims or line.translate(None, CHARACTERS + b" \r\n"):
        raise ValueError(f"{len(fields)} fields, or one that is no number")
    return np.fromiter(map(float, fields), dtype=np.float64, count=dims).astype(np.float32)


def cut_block(data: bytes, starts: Sequence[int], dims: int, binary: bool) -> np.ndarray:
    """The vectors at some positions of a block of the file: (starts, dims), float32.

    Raises
    ------
    ValueError : there are no vectors of that length.
    """
    if binary:
        size = dims * FLOAT_BYTES
        cut = np.frombuffer(b"".join([data[start : start + size] for start in starts]), "<f4")
    else:
        lines = b"\n".join([data[start : data.index(b"\n", start)] for start in starts])
        cut = np.loadtxt(io.BytesIO(lines), np.float64, comments=None).astype(np.float32)
    return cut.reshape(len(starts), dims)
