"""Files of benchmarks: pairs of words with scores, and questions of four words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError
from fairflow.files.streams import open_packed

SIMILARITY, ANALOGIES = KINDS = ("similarity", "analogies")


@dataclass(frozen=True)
class Benchmark:
    """The items of a benchmark.

    Attributes
    ----------
    kind : of `KINDS`. items : two words each, or four. scores : of pairs, by people.
    """

    kind: str
    items: tuple[tuple[str, ...], ...]
    scores: tuple[float, ...] = ()


def read_benchmark(
    path: str | Path, kind: str, encoding: str, packing: Mapping[str, Any] | None = None
) -> Benchmark:
    """The benchmark of a file.

    Pairs stand one a line, two words and a score between tabs, of which several count as one; a
    line that starts with # is a comment. Questions are four words between spaces; a line that
    starts with : is a heading.

    Parameters
    ----------
    kind : what the file holds. packing : how it lies in the file at `path`, see `open_packed`.

    Raises
    ------
    DownloadError : the file is not the one promised.
    FairflowError : it is not in that encoding, holds no item, or a line that is none; its number.
    """
    with open_packed(Path(path), **(packing or {})) as stream:
        data = b"".join(iter(lambda: stream.read(1 << 20), b""))
    name = Path((packing or {}).get("member") or path).name
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise FairflowError(f"{name} is not {encoding}: {error.reason}") from error
    items, scores = [], []
    for number, line in _lines(text, "#" if kind == SIMILARITY else ":"):
        try:
            item, score = _pair(line) if kind == SIMILARITY else (_question(line), None)
        except ValueError:
            expected = "two words and a number between tabs" if kind == SIMILARITY else "four words"
            raise FairflowError(
                f"{name}, line {number}: expected {expected}, found {line!r}"
            ) from None
        items.append(item)
        scores.append(score)
    if not items:
        raise FairflowError(f"{name} holds no item of a benchmark of {kind}")
    return Benchmark(kind, tuple(items), tuple(scores) if kind == SIMILARITY else ())


def _lines(text: str, comment: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.startswith(comment):
            yield number, line.strip()


def _pair(line: str) -> tuple[tuple[str, ...], float]:
    left, right, score = (part.strip() for part in line.split("\t") if part.strip())
    return (left, right), float(score)


def _question(line: str) -> tuple[str, ...]:
    a, b, c, d = line.split()
    return a, b, c, d
