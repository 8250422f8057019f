"""Lexicons: files of one word per line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError
from fairflow.files.streams import open_packed
from fairflow.queries.declared import DECLARABLE, PROPERTY


def words_of_sets(
    definition: Mapping[str, Any],
) -> dict[str, Any]:
    """The words of each set of a query, those of lexicons read from their files.

    Parameters
    ----------
    definition : role -> name of a set -> its words, or how to read them: the arguments of
        `parse_lexicon`, its path as `file`. And what is declared besides, as
        `fairflow.queries.declared.Declared.plain` has it, a property by the path of its `file`.

    Raises
    ------
    FairflowError : a lexicon or a property that cannot be read.
    """
    return {
        role: _declared(role, sets)
        if role in DECLARABLE
        else {name: _words(entry) for name, entry in sets.items()}
        for role, sets in definition.items()
    }


def _declared(what: str, given: Any) -> Any:
    if what != PROPERTY:
        return given
    from fairflow.queries.properties import read_property

    return dict(read_property(Path(given["file"])).values)


def _words(entry: Any) -> list[str]:
    if not isinstance(entry, Mapping):
        return entry
    return parse_lexicon(Path(entry["file"]), entry["encoding"], entry["comment"], entry["packing"])


def parse_lexicon(
    path: Path, encoding: str, comment: str | None, packing: Mapping[str, Any] | None = None
) -> list[str]:
    """The words of a lexicon, in the order of the file; empty lines and comments are skipped.

    Parameters
    ----------
    packing : how the lexicon lies in the file at `path`, see `open_packed`.

    Raises
    ------
    DownloadError : the file is not the one promised.
    FairflowError : it is not in that encoding, or holds no word.
    """
    with open_packed(path, **(packing or {})) as stream:
        data = b"".join(iter(lambda: stream.read(1 << 20), b""))
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise FairflowError(f"{path.name} is not {encoding}: {error.reason}") from error
    lines = (line.strip() for line in text.split("\n"))
    words = [line for line in lines if line and not (comment and line.startswith(comment))]
    if not words:
        raise FairflowError(f"{path.name} holds no word")
    return words
