"""The word2vec format, text and binary, to which the vectors of all other formats are copied.

Also shared by all formats: the state of a conversion.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.packed_files import CheckedStream
from fairflow.vectors.decimals import CHARACTERS, faulty, is_finite_number, is_number

BLOCK = 4 << 20
FLOAT_BYTES = 4
LONGEST_WORD = 4096
# Ten times the longest known vectors; a header with more is of another file.
MOST_DIMS = 100_000

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
    dims : length of a vector, once known. announced : number of vectors that a header promises.
    words : the `fairflow.vectors.npy.WordList` of a format without words.
    with_parts : whether vectors of n-grams are copied too, if the format has any.
    facts : further facts about the vectors from the format, for the card.
    not_utf8 : words with bytes that are not UTF-8, by the text as which they are read.
    """

    origin: str
    offset: int
    rows: int = 0
    lines: int = 0
    dims: int | None = None
    announced: int | None = None
    words: Any = None
    with_parts: bool = False
    facts: dict[str, Any] = field(default_factory=dict)
    not_utf8: dict[str, bytes] = field(default_factory=dict)

    def read_word(self, word: bytes, row: int) -> str:
        """The word of a row; bytes that are not UTF-8 become U+FFFD.

        Two words that are cut within a character may become equal: the first counts.

        Raises
        ------
        VectorFormatError : the word then equals another word.
        """
        try:
            return word.decode()
        except UnicodeDecodeError as error:
            text = word.decode("utf-8", "replace")
            # Some writers cut long words, within a character, too.
            if "end of data" in error.reason and not word[: error.start].isascii():
                return text
        if (other := self.not_utf8.setdefault(text, word)) != word:
            raise VectorFormatError(
                f"{self.origin}, vector {row + 1:,}: expected words in UTF-8, found {word!r}, "
                f"which would equal {other!r} before it. Write the file in UTF-8; "
                "perhaps it is in latin-1"
            )
        return text

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


def first_bytes(stream: BinaryIO | CheckedStream, size: int) -> bytes:
    """The next `size` bytes of a stream, fewer only at its end."""
    data = b""
    while len(data) < size and (more := stream.read(size - len(data))):
        data += more
    return data


def copy_records(
    words: Sequence[bytes], vectors: Iterable[np.ndarray], copy: Conversion
) -> Records:
    """The next words, each with its vector in binary: (dims,), little-endian float32."""
    rows, records = [], []
    for word, vector in zip(words, vectors, strict=True):
        head, numbers = word + b" ", vector.tobytes()
        records += [head, numbers]
        rows.append((copy.read_word(word, copy.rows), copy.rows, copy.offset + len(head)))
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
# Fewer numbers or lines do not show the usual format.
_ENOUGH, _LOOKED_AT = 10, 1000


def copy_glove_text(stream: CheckedStream, copy: Conversion) -> Iterator[Records]:
    """Text without a header: a word, then numbers, separated by single ASCII spaces.

    A word may contain spaces or U+00A0: the vector is split off from the right. Lines end at
    "\\n" alone; a byte order mark, carriage returns, trailing spaces and empty lines are tolerated.

    Raises
    ------
    VectorFormatError : a line with another number of values, or with something that is no number;
        a column of ids; a number that is cut off at the end of the file. The line is named.
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
            _check_last_number(block, lines, copy)
            block += b"\n"


def _check_last_number(last: bytes, before: bytes, copy: Conversion) -> None:
    """Compare the end of a last line without an end with the numbers before it.

    Raises
    ------
    VectorFormatError : its last number has fewer decimals, or digits of an exponent, than all
        others.
    """
    lines = [line.rstrip(b" \r") for line in before[-_PIECE:].split(b"\n")[1:]] + [last]
    dims = copy.dims or last.count(b" ")
    values = [value.lower() for line in lines for value in line.rsplit(b" ", dims)[1:]]
    if not values or not is_finite_number(values[-1]):
        return
    sign = b"e" if b"e" in values[-1] else b"."
    # A number with an exponent is compared with others that have one.
    alike = [value for value in values if (b"e" in value) == (sign == b"e")]
    *others, own = [len(value.partition(sign)[2].lstrip(b"+-")) for value in alike]
    if len(others) >= _ENOUGH and own < min(others):
        raise VectorFormatError(
            f"{copy.origin}, line {copy.lines + 1}: expected at least {min(others)} digits after "
            f"the {sign.decode()!r} of each number, as all others have, found the end of the file "
            f"after {shown(values[-1])}: it is truncated. Fetch it again, or end its last line if "
            "it is whole"
        )


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
    if copy.rows == 0:
        _check_columns(heads[:_LOOKED_AT], block, stops, numbers, copy)
    try:
        # Much faster than one by one; no word contains a line break.
        words = b"\n".join(heads).decode().split("\n") if heads else []
    except UnicodeDecodeError:
        words = [copy.read_word(head, row) for row, head in enumerate(heads, start=copy.rows)]
    offsets = [copy.offset + stop + 1 for stop in stops]
    rows = list(zip(words, range(copy.rows, copy.rows + len(words)), offsets, strict=True))
    copy.rows += len(words)
    copy.offset += len(block)
    return rows, block


def _check_columns(
    words: Sequence[bytes],
    block: bytes,
    stops: Sequence[int],
    numbers: Sequence[int],
    copy: Conversion,
) -> None:
    """Look for a column of ids or counts among the numbers of the first lines.

    Parameters
    ----------
    words : of these lines. stops : the ends of the words of all lines. numbers : of the lines.

    Raises
    ------
    VectorFormatError : one column holds whole numbers that differ, and no other column any; or all
        words are whole numbers.
    """
    if len(words) >= _ENOUGH and all(map(bytes.isdigit, words)):
        raise VectorFormatError(
            f"{copy.origin}, line {numbers[0]}: expected words, found {words[0].decode()}, "
            f"{words[1].decode()}, ... before the numbers of a vector. Write the words themselves"
        )
    rows = [block[stop : block.index(b"\n", stop)].split() for stop in stops[: len(words)]]
    whole = np.array([[value.isdigit() for value in row] for row in rows])
    columns = np.flatnonzero(whole.all(axis=0)).tolist()
    if len(rows) < _ENOUGH or copy.dims == 1 or len(columns) != 1 or whole.sum() > len(rows):
        return
    found = [row[columns[0]] for row in rows]
    if 2 * len({*found}) > len(found):
        raise VectorFormatError(
            f"{copy.origin}, line {numbers[0]}: expected a word and {copy.dims} numbers of a vector"
            f", found {found[0].decode()} as number {columns[0] + 1}, {found[1].decode()} in the "
            "next line and so on, whole numbers where all others have decimals: ids or counts are "
            "no dimension. Remove that column"
        )


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
    if copy.dims is None:
        copy.dims = block.count(b" ", *lines[0])
        _end_of_word(block[: lines[0][1]], numbers[0], copy)
    # Usually the first space ends the word, and all lines are checked together.
    stops = [block.find(b" ", begin, end) for begin, end in lines]
    lengths = np.subtract(stops, begins)
    doubtful = set(np.flatnonzero((lengths <= 0) | (lengths > LONGEST_WORD)).tolist())
    if b"\t" in block:
        doubtful.update(i for i, line in enumerate(lines) if block.find(b"\t", *line) >= 0)
    text = np.frombuffer(block, dtype=np.uint8)
    doubtful.update(faulty(text, np.maximum(stops, begins), ends, copy.dims))
    for line in sorted(doubtful):
        begin, end = lines[line]
        stops[line] = begin + _end_of_word(block[begin:end], numbers[line], copy)
    return begins, stops


def _end_of_word(line: bytes, number: int, copy: Conversion) -> int:
    """The end of the word of a line, which may contain spaces.

    Raises
    ------
    VectorFormatError : there is no word before the last `dims` numbers.
    """
    word, *values = line.rsplit(b" ", copy.dims)
    proper = 0 < len(word.strip(b" ")) == len(word) <= LONGEST_WORD
    *before, last = re.split(rb"[ \t]", word)
    # A number at the end of the word probably means that the vector is too long.
    proper = proper and not (before and is_finite_number(last))
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
    if not word:
        return f"no word before {shown(line.strip())}"
    if len(word) > LONGEST_WORD:
        return f"a word of {len(word):,} bytes, more than {LONGEST_WORD:,}"
    if len(values) > MOST_DIMS:
        return f"{len(values):,} values, more than {MOST_DIMS:,}"
    if bad and len(values) == copy.dims:
        return f"{shown(values[bad[0] - 1])} as number {bad[0]} of {shown(word)}"
    header = copy.announced is None and copy.dims == 1
    hint = ". If line 1 is a header 'COUNT DIMS', the format is word2vec-text" if header else ""
    return f"{len(values)} values after {shown(word)}{hint}"


# Numbers of vectors are 0 or between these; bytes in the wrong order give others.
_SMALLEST, _LARGEST = 1e-15, 1e6
_FLOATS_LOOKED_AT = 100


def copy_word2vec_binary(stream: CheckedStream, copy: Conversion) -> Iterator[Records]:
    """Binary: a header, then word, space and little-endian float32 values for each word.

    Writers differ in whether they put a newline between records; both are read.

    Raises
    ------
    VectorFormatError : no header, another number of records than it promises, or numbers that are
        text or big-endian.
    """
    header, _, data = first_bytes(stream, BLOCK).partition(b"\n")
    copy.read_header(header)
    size = copy.dims * FLOAT_BYTES
    while True:
        rows, end = _records(data, size, copy)
        if rows and rows[0][1] == 0:
            begins = [offset - copy.offset for _, _, offset in rows[:_FLOATS_LOOKED_AT]]
            fault = fault_of_floats(b"".join(data[begin : begin + size] for begin in begins))
            if fault:
                raise VectorFormatError(
                    f"{copy.origin}, vector 1: expected a word and {copy.dims} little-endian "
                    f"numbers of float32, found {fault}"
                )
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


def fault_of_floats(data: bytes) -> str | None:
    """What most numbers of binary vectors seem to be, with advice; None if they may be float32."""
    data = data[: len(data) // FLOAT_BYTES * FLOAT_BYTES]
    if 4 * len(data.translate(None, CHARACTERS + b" \r\n")) < len(data):
        return "text. If the numbers of all words are text, the format is word2vec-text"
    if _usual(data, "<f4"):
        return None
    if _usual(data, ">f4"):
        return "big-endian ones. Write the vectors little-endian"
    return "numbers too large or too small for vectors. Fetch the file again, or name its format"


def _usual(data: bytes, kind: str) -> bool:
    """Whether at least half of the finite numbers have the size of numbers of vectors."""
    sizes = np.abs(np.frombuffer(data, kind))
    sizes = sizes[np.isfinite(sizes)]
    usual = (sizes == 0) | ((sizes > _SMALLEST) & (sizes < _LARGEST))
    return 2 * int(usual.sum()) >= len(sizes)


def _records(data: bytes, size: int, copy: Conversion) -> tuple[list[Row], int]:
    """The complete records at the start of `data`, and their end."""
    rows: list[Row] = []
    start, end = 0, len(data)
    while (space := data.find(b" ", start, start + LONGEST_WORD)) >= 0:
        following = space + 1 + size
        if following > end:
            break
        word = copy.read_word(data[start:space].lstrip(b"\r\n"), copy.rows)
        rows.append((word, copy.rows, copy.offset + space + 1))
        copy.rows += 1
        start = following
    if space < 0 and end - start > LONGEST_WORD:
        raise VectorFormatError(
            f"{copy.origin}: no word where vector {copy.rows + 1:,} should begin; the file does "
            f"not hold vectors of {copy.dims} values"
        )
    return rows, start
