"""The file of a materialised query: the words of each set, by role and name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fairflow.files.sealed_json import read_sealed, write_sealed
from fairflow.queries.declared import declared_of
from fairflow.queries.query import Query

Words = Mapping[str, Mapping[str, Sequence[str]]]


def write_words(words: Words, path: str | Path) -> None:
    """Write {"targets": {name: words}, "attributes": {name: words}}, and what is declared besides.

    See `fairflow.queries.declared.Declared.plain`.
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
    return Query(*words, list(targets), list(attributes), declared_of(sets))


def read_units(path: str | Path) -> dict[str, list[str]] | None:
    """What the texts of such a file are units of (`statistics.text_units`); None for words."""
    return read_words(path).get("units")
