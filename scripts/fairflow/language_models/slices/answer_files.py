"""Files of answers that others give."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class GivenAnswer:
    """A row of a file of answers.

    Attributes
    ----------
    id : of a question, or of an item. where : the file and the line.
    """

    id: str
    text: str | None
    likelihoods: Mapping[str, float | tuple[float, ...]] | None = None
    ended: bool | None = None
    status: str = "ok"
    reason: str | None = None
    model: str = ""
    where: str = ""
    rank: int | None = None


def read_answers(path: str | Path, id: str = "id", text: str = "text") -> Iterator[GivenAnswer]:
    """The rows of a file."""
    path = Path(path)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        if ".csv" in path.suffixes:
            for line, row in enumerate(csv.DictReader(file), start=2):
                yield GivenAnswer(row[id], row[text], where=f"{path}, line {line}")
        elif path.suffix == ".json":
            for name, texts in json.load(file).items():
                for one in [texts] if isinstance(texts, str) else texts:
                    yield GivenAnswer(name, one, where=f"{path}, {name}")
        else:
            for line, row in enumerate(map(json.loads, file), start=1):
                given = row.get("likelihoods")
                yield GivenAnswer(row[id], row.get(text), given, where=f"{path}, line {line}")
