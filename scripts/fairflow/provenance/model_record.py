"""What identifies a model: the checksums of its files and its facts."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from fairflow.files.atomic import read_json
from fairflow.files.checksums import sha256
from fairflow.vectors.derivation import read_derivation

# What the cards of some models tell.
_TOLD_BY_SOME = ("words_sharing_rows", "distinct_rows", "source_sha256", "words_sha256")


def converted(vectors: str, index: str, card: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What identifies a converted model: checksums and size of its files.

    Parameters
    ----------
    facts : the contents of the card.
    """
    return {
        "words": facts["words"],
        "dims": facts["dims"],
        **{key: facts[key] for key in _TOLD_BY_SOME if key in facts},
        "vectors_sha256": sha256(vectors),
        "index_sha256": index_sha256(index),
        "card_sha256": sha256(card),
    }


def derived(derivation: str, origin: Mapping[str, Any]) -> dict[str, Any]:
    """What identifies a derived model: the files of its origin, its derivation and its facts.

    Parameters
    ----------
    derivation : the file that `fairflow.vectors.derivation` writes.
    origin : the record of the converted model that it comes from in the end.
    """
    return {
        **origin,
        "derivation_sha256": sha256(derivation),
        "derivation": dict(read_derivation(derivation).facts),
    }


def index_sha256(index: str) -> str:
    """The sha256 of the contents of an index; its bytes depend on the version of SQLite.

    Raises
    ------
    sqlite3.Error : it cannot be read.
    """
    digest = hashlib.sha256()
    connection = sqlite3.connect(f"file:{quote(index)}?immutable=1", uri=True)
    tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    try:
        for (table,) in connection.execute(tables).fetchall():
            for row in connection.execute(f'SELECT * FROM "{table}"'):
                digest.update(repr(row).encode("utf-8", "surrogatepass"))
    finally:
        connection.close()
    return digest.hexdigest()


def manifest_facts(manifest: str) -> dict[str, Any]:
    """The facts in the list of a language model's files, and the sha256 of that list."""
    content = read_json(manifest)
    stated = {key: content.get(key) for key in ("quantisation", "source_sha256")}
    return stated | {"manifest_sha256": sha256(manifest)}
