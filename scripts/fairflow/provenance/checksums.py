"""The sha256 of every result, as sha256sum writes and reads it, and what departs from it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from fairflow.files.atomic import sha256
from fairflow.provenance.fault import AGAIN, UNPACK, Fault

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
        "differences",
        "remains",
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


def recorded_results(folder: Path) -> tuple[dict[str, str], list[Fault]]:
    """Path -> sha256 of every result of the runs of a project, of language models too, and what
    is wrong with these records.

    Of a result of both runs the record of the whole run counts.
    """
    present = [name for name in (LANGUAGE_CHECKSUMS, CHECKSUMS) if (folder / name).is_file()]
    if not present:
        return {}, [Fault(f"{CHECKSUMS}: there is no such file; make run writes it")]
    recorded: dict[str, str] = {}
    damaged = []
    for record in present:
        text = (folder / record).read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
            parts = _LINE.fullmatch(line)
            if parts:
                recorded[parts[2]] = parts[1]
                continue
            where = f"{record}, line {number}"
            damaged.append(Fault(f"{where}: expected 'sha256  path', found {line!r}; {AGAIN}"))
    return recorded, damaged


def faults(folder: Path, kept: Collection[str] = ()) -> Iterator[Fault]:
    """What of a run is missing, changed or not of the run.

    Parameters
    ----------
    folder : where the run's config/ and results/ lie. kept : results of an unpacked archive that
        could only be made again with models, which it does not have.
    """
    recorded, damaged = recorded_results(folder)
    yield from damaged
    if not recorded:
        return
    for path, expected in recorded.items():
        what = _departure(folder / path, expected)
        if what and path in kept:
            yield Fault(f"{path}: {what}; {UNPACK}", by_hand=True)
        elif what:
            yield Fault(f"{path}: {what}; {AGAIN}", remove=(path,))
    present = {
        file.relative_to(folder).as_posix()
        for name in FOLDERS
        for file in (folder / name).rglob("*")
        if file.is_file()
    }
    for path in sorted(present - recorded.keys() - {CHECKSUMS, LANGUAGE_CHECKSUMS}):
        yield Fault(f"{path}: not of the recorded run; rm {shlex.quote(path)} removes it")


def _departure(path: Path, expected: str) -> str | None:
    """How a file departs from what was recorded."""
    if not path.is_file():
        return "missing"
    digest = sha256(path)
    if digest == expected:
        return None
    return f"changed: sha256 {digest} ({path.stat().st_size} bytes), recorded {expected}"
