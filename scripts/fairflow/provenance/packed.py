"""Which files of a project make an archive besides its results: the workflow and its settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

DOCUMENTS = (
    "Snakefile",
    "Makefile",
    "README.md",
    "LICENSE",
    "CITATION.cff",
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
