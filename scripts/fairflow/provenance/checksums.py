"""The sha256 of every result, as sha256sum writes and reads it, and what departs from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from fairflow.errors import FairflowError
from fairflow.files import sha256

CHECKSUMS = "results/provenance/checksums.sha256"
# Of language models alone, when a run of theirs made them.
LANGUAGE_CHECKSUMS = "results/provenance/checksums-lm.sha256"
# Everything in these folders belongs to a run; logs, benchmarks, downloads and models do not.
FOLDERS = tuple(
    f"results/{name}"
    for name in (
        "words",
        "items",
        "embeddings",
        "tokens",
        "completions",
        "slices",
        "scores",
        "item_scores",
        "studies",
        "figures",
        "audits",
        "provenance",
    )
)
_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")


def checksum_lines(paths: Iterable[str]) -> str:
    """A line 'sha256  path' for each path, sorted by path, with an end of line after each."""
    return "".join(f"{sha256(path)}  {path}\n" for path in sorted(set(paths)))


def read_checksums(path: Path) -> dict[str, str]:
    """Path -> sha256.

    Raises
    ------
    FairflowError : the file is missing, or a line is not 'sha256  path'.
    """
    if not path.is_file():
        raise FairflowError(f"{path}: there is no such file; make run writes it")
    recorded = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], start=1):
        parts = _LINE.fullmatch(line)
        if parts is None:
            raise FairflowError(f"{path}, line {number}: expected 'sha256  path', found {line!r}")
        recorded[parts[2]] = parts[1]
    return recorded


def recorded_results(folder: Path) -> dict[str, str]:
    """Path -> sha256 of every result of the runs of a project, of language models too.

    Of a result of both runs the record of the whole run counts.

    Raises
    ------
    FairflowError : no run was recorded, or a line is not 'sha256  path'.
    """
    records = [folder / name for name in (LANGUAGE_CHECKSUMS, CHECKSUMS)]
    present = [path for path in records if path.is_file()] or records[1:]
    return {path: digest for record in present for path, digest in read_checksums(record).items()}


def faults(folder: Path) -> Iterator[str]:
    """One sentence for each file of a run that is missing, changed or not of the run.

    Parameters
    ----------
    folder : where the run's config/ and results/ lie.
    """
    recorded = recorded_results(folder)
    for path, expected in recorded.items():
        if not (folder / path).is_file():
            yield f"{path}: missing; make run makes it again"
        elif (found := sha256(folder / path)) != expected:
            size = (folder / path).stat().st_size
            yield (
                f"{path}: changed: sha256 {found} ({size} bytes), recorded {expected}; "
                "remove it, and make run makes it again"
            )
    present = {
        file.relative_to(folder).as_posix()
        for name in FOLDERS
        for file in (folder / name).rglob("*")
        if file.is_file()
    }
    for path in sorted(present - recorded.keys() - {CHECKSUMS, LANGUAGE_CHECKSUMS}):
        yield f"{path}: not of the recorded run; remove it, or record the run again with make run"
