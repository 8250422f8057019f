"""The sha256 of every result in the format of sha256sum, and the files that differ from it."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fairflow.capabilities import files_of_capabilities
from fairflow.files.checksums import departure, sha256
from fairflow.files.configuration_files import read_yaml

AGAIN = "make repair makes it again"
UNPACK = "take it from the archive again"


@dataclass(frozen=True)
class ChecksumFault:
    """A file that is not as recorded.

    Attributes
    ----------
    text : file, what is wrong, and a command that repairs it.
    remove : files that have to go, so that the workflow makes them again.
    ask : files that the workflow has to be asked for by name, as no result of a run needs them any
        more once it is there.
    by_hand : whether somebody has to repair it before the workflow can run, or record anything.
    """

    text: str
    remove: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    by_hand: bool = False


RESULTS = "results"
CHECKSUMS = "results/provenance/checksums.sha256"
# Of what was made of a run, and of each audit; all others are of runs.
_PARTS = re.compile(rf"{RESULTS}/(provenance/checksums-(report|paper)|audit/.*)\.sha256")
# Folders of a run other than those of tables, figures and records, and their contents: verify,
# repair, the checksums, the crate and the archive cover them. Logs, benchmarks, downloads and
# models belong to no run.
RESULT_FOLDERS = {
    "results/words": "The words of queries",
    "results/slices": "The vectors of queries' words, per model and file of queries",
    "results/scores": "One file per model, metric with its parameters and file of queries",
    "results/vector_norms": "Vector lengths of each model",
    "results/differences": "How scores differ between models before and after, per study and model",
    "results/quality": "How well vectors tell similar words, per model",
}
for _file in files_of_capabilities("folders.yaml"):
    RESULT_FOLDERS |= read_yaml(_file)
# Everything in these folders belongs to a run.
FOLDERS = (*RESULT_FOLDERS, "results/studies", "results/figures", "results/provenance")
# Of a run, of the page and the paper that were made of it, and of each audit.
_RECORDS = (f"{RESULTS}/provenance/checksums*.sha256", f"{RESULTS}/audit/*/checksums.sha256")
_SETTINGS = re.compile(rf"{RESULTS}/audit/[^/]+/settings\.json")
_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")


def checksum_lines(paths: Iterable[str], known: Mapping[str, str] = MappingProxyType({})) -> str:
    """A line 'sha256  path' for each file, sorted by path, with an end of line after each.

    Parameters
    ----------
    known : path -> sha256 of files, there or not, that are not read.
    """
    paths = sorted({*paths, *known})
    return "".join(f"{known.get(path) or sha256(path)}  {path}\n" for path in paths)


def records(folder: Path) -> list[str]:
    """The records of what was made in a project, one of the whole run last."""
    found = (path for place in _RECORDS for path in folder.glob(place))
    of_parts = sorted({path.relative_to(folder).as_posix() for path in found})
    return sorted(of_parts, key=lambda name: (not _PARTS.fullmatch(name), name == CHECKSUMS))


class Recorded(NamedTuple):
    """The sha256 of a result, and the record that has it."""

    digest: str
    record: str


def recorded_results(folder: Path) -> tuple[dict[str, Recorded], list[ChecksumFault]]:
    """Path -> the record of each result of a project, and the faults of the records.

    Of a result of several records the last one counts, which is that of the whole run.
    """
    present = records(folder)
    if not present:
        return {}, [ChecksumFault(f"{CHECKSUMS}: there is no such file; make run writes it")]
    recorded: dict[str, Recorded] = {}
    damaged = []
    for record in present:
        text = (folder / record).read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
            parts = _LINE.fullmatch(line)
            where = f"{record}, line {number}"
            if parts and _is_of_results(folder, parts[2]):
                recorded[parts[2]] = Recorded(parts[1], record)
            elif parts:
                wrong = f"{where}: names {parts[2]}, expected a file below {RESULTS}"
                damaged.append(ChecksumFault(f"{wrong}; remove the line", by_hand=True))
            else:
                wrong = f"{where}: expected 'sha256  path', found {line!r}"
                damaged.append(ChecksumFault(f"{wrong}; {AGAIN}", *_with_record(record)))
    return recorded, damaged


def _with_record(record: str, *paths: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What to remove and to ask for, so that results are made again.

    A record of a part is made with them, that of a run by itself.
    """
    if _PARTS.fullmatch(record):
        return (*paths, record), (record,)
    return paths, ()


def faults(folder: Path, kept: Collection[str] = ()) -> Iterator[ChecksumFault]:
    """The files of a run that are missing or changed, and files that are not of the run.

    Parameters
    ----------
    folder : where the run's config/ and results/ lie. kept : results of an unpacked archive that
        could only be made again with models, which it does not have.
    """
    recorded, damaged = recorded_results(folder)
    yield from damaged
    if not recorded:
        return
    for path, (expected, record) in recorded.items():
        if not (what := departure(folder / path, expected, "changed")):
            continue
        inside = (folder / path).parent.resolve().is_relative_to((folder / RESULTS).resolve())
        if path in kept:
            yield ChecksumFault(f"{path}: {what}; {UNPACK}", by_hand=True)
        elif not inside:
            text = f"{path}: {what}; a link leads out of {RESULTS}, so remove it by hand"
            yield ChecksumFault(text, by_hand=True)
        elif _SETTINGS.fullmatch(path):
            # What the audit was of is not known without them.
            yield ChecksumFault(f"{path}: {what}; make audit MODEL=PATH writes it again")
        else:
            yield ChecksumFault(f"{path}: {what}; {AGAIN}", *_with_record(record, path))
    present = {
        file.relative_to(folder).as_posix()
        for name in FOLDERS
        for file in (folder / name).rglob("*")
        if file.is_file()
    }
    for path in sorted(present - recorded.keys() - {*records(folder)}):
        yield ChecksumFault(f"{path}: not of the recorded run; rm {shlex.quote(path)} removes it")


def _is_of_results(folder: Path, path: str) -> bool:
    """Whether a path of a record is written as that of a file below the folder of results."""
    below = path.startswith(f"{RESULTS}/") and os.path.normpath(path) == path
    return below and not (folder / path).is_dir()
