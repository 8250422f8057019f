"""What every format shares while a file of vectors is copied into word2vec format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from fairflow.errors import VectorFormatError
from fairflow.files.streams import Stream

BLOCK = 4 << 20
FLOAT_BYTES = 4
LONGEST_WORD = 4096
# Ten times the longest vectors that there are; what promises more is another file.
MOST_DIMS = 100_000
# What a card tells of a model whose file gives some words the same row.
SHARED_ROWS = ("words_sharing_rows", "distinct_rows")

# Word, row, offset of the vector in the word2vec file.
Row = tuple[str, int, int]


class Words(Protocol):
    """The words of a format that has none of its own; its text is the name of their file."""

    def read(self) -> list[str]:
        """One for each row, in the order of the rows."""


@dataclass
class Copy:
    """How far a copy has come.

    Attributes
    ----------
    origin : the file's name, for errors. offset : where the next record goes.
    dims : length of a vector, once known. announced : number of vectors that a header promises.
    words : those of a format that has none of its own.
    with_parts : whether vectors of parts of words are copied too, where a format has any.
    facts : what else the format has to tell of the vectors, for the card.
    """

    origin: str
    offset: int
    rows: int = 0
    lines: int = 0
    dims: int | None = None
    announced: int | None = None
    words: Words | None = None
    with_parts: bool = False
    facts: dict[str, Any] = field(default_factory=dict)

    def read_header(self, line: bytes) -> None:
        """Take the number of vectors and their length from a first line 'COUNT DIMS'.

        Raises
        ------
        VectorFormatError : another line, or a length that no vectors have.
        """
        fields = line.split()
        # Python refuses to read numbers of thousands of digits.
        plain = len(fields) == 2 and all(f.isdigit() and len(f) < 20 for f in fields)
        if not plain or not 0 < int(fields[1]) <= MOST_DIMS:
            raise VectorFormatError(
                f"{self.origin}, line 1: expected 'COUNT DIMS' with at most {MOST_DIMS:,} dims, "
                f"found {shown(line)}. A text file without that line is glove-text"
            )
        self.announced, self.dims = int(fields[0]), int(fields[1])

    def check_count(self) -> None:
        """Compare the vectors copied with those announced.

        Raises
        ------
        VectorFormatError : they are more or fewer.
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


def shown(data: bytes) -> str:
    """The beginning of some bytes of a file, to be told in a sentence."""
    text = data[:40].decode("utf-8", "replace")
    return repr(text) + ("..." if len(data) > 40 else "")


def first_bytes(stream: Stream, size: int) -> bytes:
    """The next `size` bytes of a stream, fewer only at its end."""
    data = b""
    while len(data) < size and (more := stream.read(size - len(data))):
        data += more
    return data
