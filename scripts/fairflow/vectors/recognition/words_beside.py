"""Which file beside a .npy matrix holds its words: the one with as many words as it has rows."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from fairflow.errors import FairflowError
from fairflow.files.foreign_parquet import columns_of_texts
from fairflow.files.streams import BLOCK, open_packed
from fairflow.vectors.npy import read_header
from fairflow.vectors.recognition.places import Place
from fairflow.vectors.recognition.unknown import UnknownFormat

_ENDINGS = (".txt", ".json", ".parquet", ".words", ".vocab", ".tsv", ".lst", "")
# What a file of words may have for each of them; a larger one is something else.
_BYTES_OF_A_WORD = 400


def words_beside(place: Place, name: str) -> dict[str, Any]:
    """The keys of an entry that tell where the words of a .npy file lie.

    Raises
    ------
    UnknownFormat : no file beside it has as many words as it has rows, or several have.
    VectorFormatError : it is no matrix of floats.
    """
    rows = read_header(place.head(name), place.named(name))[1][0]
    fitting = [
        (other, entry)
        for other in place.beside(name)
        if other != name and PurePosixPath(other).suffix.lower() in _ENDINGS
        for entry in _as_words(place, other, rows)
    ]
    stem = PurePosixPath(name).stem
    akin = [(other, entry) for other, entry in fitting if PurePosixPath(other).stem == stem]
    chosen = akin or fitting
    if len(chosen) == 1:
        return chosen[0][1]
    found = f"{', '.join(other for other, _ in chosen)} have so many" if chosen else "none has"
    raise UnknownFormat(
        f"it is a .npy matrix of {rows:,} rows, whose words are expected in a file beside it with "
        f"one word for each row; {found}. Write the words, one a line in the order of the rows, "
        f"into {stem}.txt in the same folder"
    )


def _as_words(place: Place, name: str, rows: int) -> list[dict[str, Any]]:
    """The entries by which a file has a word for each row."""
    size = place.size(name)
    if size is not None and size > max(rows * _BYTES_OF_A_WORD, 1 << 20):
        return []
    try:
        columns = _columns(place, name) if name.lower().endswith(".parquet") else [None]
        return [
            place.words(name) | ({} if column is None else {"words_column": column})
            for column in columns
            if len(place.word_list(name, column).read()) == rows
        ]
    except (FairflowError, OSError):
        return []


def _columns(place: Place, name: str) -> list[str]:
    with open_packed(**place.packed(name)) as stream:
        data = b"".join(iter(lambda: stream.read(BLOCK), b""))
    return columns_of_texts(data, name)
