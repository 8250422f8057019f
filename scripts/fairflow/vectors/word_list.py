"""The words of a format that has none of its own: one for each row, in the order of the rows.

The ending of the file's name tells how they are written: .parquet a column of texts, .json a list,
any other a word per line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from fairflow.errors import FairflowError, VectorFormatError
from fairflow.files.streams import BLOCK, open_packed
from fairflow.vectors.copying import LONGEST_WORD, shown


@dataclass(frozen=True)
class WordList:
    """A file of words, or a member of an archive.

    Attributes
    ----------
    column : of a parquet; not needed if it has but one. packing : see `open_packed`.
    """

    path: str | Path
    column: str | None = None
    packing: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        member = self.packing.get("member")
        return f"{member} of {self.path}" if member else str(self.path)

    def read(self) -> list[str]:
        """The words.

        Raises
        ------
        VectorFormatError : naming the file and the line, item or row that is no word.
        DownloadError : it is not the file that its checksum promises, or cannot be unpacked.
        """
        with open_packed(self.path, **self.packing) as stream:
            data = b"".join(iter(lambda: stream.read(BLOCK), b""))
        ending = PurePosixPath(self.packing.get("member") or self.path).suffix.lower()
        place, read = _READERS.get(ending, ("line", _lines))
        if self.column is not None and read is not _column:
            raise VectorFormatError(
                f"{self}: words_column {self.column!r} is for a .parquet file. Leave it out"
            )
        words = read(data, self)
        for number, word in enumerate(words, start=1):
            if wrong := _problem(word):
                raise VectorFormatError(f"{self}, {place} {number}: {wrong}")
        return words


def _lines(data: bytes, origin: WordList) -> list[str]:
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not lines[-1]:
        lines.pop()
    words = []
    for number, line in enumerate(lines, start=1):
        try:
            words.append(line.removesuffix(b"\r").decode())
        except UnicodeDecodeError as error:
            raise VectorFormatError(
                f"{origin}, line {number}: expected UTF-8, found byte 0x{line[error.start]:02x}"
                ". Write the file in UTF-8"
            ) from error
    return words


def _items(data: bytes, origin: WordList) -> list[Any]:
    try:
        words = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise VectorFormatError(
            f"{origin} is no JSON: {str(error)[:100]}; found {shown(data)}. Write a list of words"
        ) from error
    if not isinstance(words, list):
        raise VectorFormatError(
            f"{origin}: expected a JSON list of words, found {shown(data)}. Write a word per row, "
            "in the order of the rows"
        )
    return words


def _column(data: bytes, origin: WordList) -> list[str]:
    from fairflow.files.foreign_parquet import texts_of_column

    try:
        return texts_of_column(data, origin.column, str(origin))
    except FairflowError as error:
        raise VectorFormatError(str(error)) from error


_READERS: dict[str, tuple[str, Callable[[bytes, WordList], list[Any]]]] = {
    ".json": ("item", _items),
    ".parquet": ("row", _column),
}


def _problem(word: Any) -> str | None:
    """Why something is no word, or None if it is one."""
    if not isinstance(word, str):
        return f"expected a word, found {str(word)[:40]}. Write it between quotation marks"
    if not 0 < len(word.strip()) <= LONGEST_WORD:
        return f"expected a word of at most {LONGEST_WORD:,} letters"
    try:
        word.encode()
    except UnicodeEncodeError:
        return f"expected a word, found half of a character in {word[:40]!a}. Write it whole"
    return None
