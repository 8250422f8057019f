"""The file of a materialised query: the words of each set, by role and name."""

from __future__ import annotations

import json
from pathlib import Path

from fairflow.query import Query


def read_query(path: str | Path) -> Query:
    """The query of a file that holds {"targets": {name: words}, "attributes": {name: words}}."""
    sets = json.loads(Path(path).read_text(encoding="utf-8"))
    targets, attributes = sets["targets"], sets["attributes"]
    words = list(targets.values()), list(attributes.values())
    return Query(*words, list(targets), list(attributes))


def read_units(path: str | Path) -> dict[str, list[str]] | None:
    """What the texts of such a file are units of, see `fairflow.text_units`; None for words."""
    return json.loads(Path(path).read_text(encoding="utf-8")).get("units")
