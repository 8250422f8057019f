"""Files of words: the words of a query in results/words, and lexicons of other authors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError
from fairflow.files.checked_files import read_sealed, write_sealed
from fairflow.files.packed_files import text_of_packed
from fairflow.queries.lookup import spelling_problem
from fairflow.queries.query import PROPERTY, QUERY_INPUTS, Query, query_inputs

Words = Mapping[str, Mapping[str, Sequence[str]]]


def write_words(words: Words, path: str | Path) -> None:
    """Write {"targets": {name: words}, "attributes": {name: words}}, and what else is declared.

    See `fairflow.queries.query.QueryInputs.plain`.
    """
    write_sealed(words, path)


def read_words(path: str | Path) -> Words:
    """The inverse of `write_words`.

    Raises
    ------
    FairflowError : the file is damaged.
    """
    return read_sealed(path, "file of words")


def read_query(path: str | Path) -> Query:
    """The query of such a file.

    Raises
    ------
    FairflowError : the file is damaged.
    """
    return query_of(read_words(path))


def query_of(sets: Words) -> Query:
    """The query of {"targets": {name: words}, "attributes": {name: words}} and what it declares."""
    targets, attributes = sets["targets"], sets["attributes"]
    words = list(targets.values()), list(attributes.values())
    return Query(*words, list(targets), list(attributes), query_inputs(sets))


def read_units(path: str | Path) -> dict[str, list[str]] | None:
    """The words and templates of the texts of such a file; None for a file of words."""
    return read_words(path).get("units")


def words_of_sets(definition: Mapping[str, Any]) -> dict[str, Any]:
    """The words of each set of a query, those of lexicons read from their files.

    Parameters
    ----------
    definition : role -> name of a set -> its words, or how to read them: the arguments of
        `parse_lexicon`, its path as `file`. And what else is declared, as
        `fairflow.queries.query.QueryInputs.plain` has it, a property by the path of its `file`.

    Raises
    ------
    FairflowError : a lexicon or a property that cannot be read.
    """
    found: dict[str, Any] = {}
    for role, given in definition.items():
        if role == PROPERTY:
            from fairflow.queries.properties import read_property

            found[role] = dict(read_property(Path(given["file"])).values)
        elif role in QUERY_INPUTS:
            found[role] = given
        else:
            found[role] = {name: _words(entry) for name, entry in given.items()}
    return found


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
    packing : how the lexicon is packed in the file at `path`, see `open_packed`.

    Raises
    ------
    DownloadError : the file is not the one promised.
    FairflowError : it is not in that encoding, holds no word, or a line that cannot be a word.
    """
    text = text_of_packed(path, packing, encoding)
    # A mark of byte order belongs to the file, not to its first word.
    lines = (line.strip() for line in text.removeprefix("\ufeff").split("\n"))
    words = {
        number: line
        for number, line in enumerate(lines, start=1)
        if line and not (comment and line.startswith(comment))
    }
    if not words:
        raise FairflowError(f"{path.name} holds no word")
    for number, word in words.items():
        if problem := spelling_problem(word):
            raise FairflowError(f"{path.name}, line {number}: {problem}")
    return [*words.values()]
