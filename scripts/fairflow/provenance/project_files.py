"""Which files of a project make an archive besides its results: the workflow and its settings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from fairflow.files.atomic import sha256
from fairflow.provenance.fault import UNPACK, Fault

# In an archive: the sha256 of each file of the workflow, as sha256sum writes it.
WORKFLOW_CHECKSUMS = "workflow.sha256"

DOCUMENTS = (
    "Snakefile",
    "Makefile",
    "README.md",
    "LICENSE",
    "CITATION.cff",
    "Dockerfile",
    "pyproject.toml",
)
FOLDERS = {
    "config": "Studies, models, metrics, queries and word sets",
    "envs": "Locked versions of the packages",
    "scripts": "The scripts of the rules and the library fairflow",
    "workflow": "The rules, schemas, profiles and captions",
}
# What tools leave beside the files that people write.
_NOT_WRITTEN = (".pyc", "~", ".egg-info")


def documents(folder: Path) -> list[str]:
    """Those of the single files that a project has."""
    return [name for name in DOCUMENTS if (folder / name).is_file()]


def workflow_files(folder: Path) -> list[str]:
    """Documents and every file of the folders, hidden and compiled files left out; sorted."""
    inside = (path for name in FOLDERS for path in _files(folder / name))
    return sorted([*documents(folder), *(p.relative_to(folder).as_posix() for p in inside)])


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        left_out = any(
            p.startswith((".", "__pycache__")) or p.endswith(_NOT_WRITTEN) for p in parts
        )
        if path.is_file() and not left_out:
            yield path


def workflow_checksums(paths: Iterable[str], contents: Mapping[str, bytes]) -> bytes:
    """The contents of `WORKFLOW_CHECKSUMS`.

    Parameters
    ----------
    contents : files that stand in an archive in place of the project's own: path -> bytes.
    """
    sums = {path: sha256(path) for path in paths if path not in contents}
    sums |= {path: hashlib.sha256(data).hexdigest() for path, data in contents.items()}
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(sums.items())).encode()


def workflow_faults() -> Iterator[Fault]:
    """Each file of the workflow that is not as it was packed, in the folder of an archive."""
    path = Path(WORKFLOW_CHECKSUMS)
    if not path.is_file():
        yield Fault(f"{path}: missing; {UNPACK}", by_hand=True)
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        what = "changed since the archive was packed"
        if not Path(name).is_file():
            what = "missing"
        elif sha256(name) == digest:
            continue
        yield Fault(f"{name}: {what}; {UNPACK}", by_hand=True)
