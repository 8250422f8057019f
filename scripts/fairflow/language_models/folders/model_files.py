"""The files of a language model: from a hub at a pinned revision, or a folder of the user's."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.errors import DownloadError
from fairflow.files.atomic import atomic_path, sha256
from fairflow.language_models.folders.model_folder import (
    CONFIGURATION,
    architecture_problem,
    folder_problem,
    read_object,
)
from fairflow.language_models.folders.stated_pooling import module_files

# Weights in other formats, which transformers would not read, are not wanted.
WANTED = ("*.json", "*.txt", "*.model", "*.safetensors")


def link_folder(source: str | Path, folder: str | Path) -> None:
    """Links to the files of a folder, so that weights are not copied.

    Raises
    ------
    DownloadError : no such folder, or it holds no model.
    """
    source, folder = Path(source), Path(folder)
    if not (source / CONFIGURATION).is_file():
        raise DownloadError(f"{source} is no folder of a model: {CONFIGURATION} is missing")
    with _whole(folder) as made:
        for path in model_files(source):
            relative = path.relative_to(source)
            (made / relative).parent.mkdir(exist_ok=True, parents=True)
            (made / relative).symlink_to(os.path.relpath(path, (folder / relative).parent))


def model_files(folder: str | Path) -> list[Path]:
    """The files of a model in a folder of the user's: those of the folder, and of its modules."""
    at_top = (path for path in Path(folder).iterdir() if path.is_file())
    return sorted({*(path for path in at_top if path.name[0] != "."), *module_files(folder)})


def fetch_from_hub(
    hub: str,
    revision: str,
    checksums: Mapping[str, str],
    folder: str | Path,
    kind: str = "encoder",
) -> None:
    """Download a revision and compare its files with the hub's and the configured checksums.

    Raises
    ------
    DownloadError : no answer, no weights as safetensors, a file missing or not the promised one,
        a model that is not of `kind`; of another architecture no weights are fetched.
    """
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.utils import disable_progress_bars

    disable_progress_bars()
    folder = Path(folder)
    with _whole(folder) as made:
        try:
            facts = HfApi().model_info(hub, revision=revision, files_metadata=True)
            revision_here = {"revision": revision, "local_dir": made}
            snapshot_download(hub, **revision_here, allow_patterns=[CONFIGURATION])
            _check_kind(made, kind, hub, weights=False)
            snapshot_download(hub, **revision_here, allow_patterns=list(WANTED))
        except DownloadError:
            raise
        except Exception as error:
            raise DownloadError(f"{hub} at {revision} could not be fetched: {error}") from error
        shutil.rmtree(made / ".cache", ignore_errors=True)
        if not any(made.glob("*.safetensors")):
            raise DownloadError(
                f"{hub} at {revision} has no weights as safetensors: name a revision that has them"
            )
        promised = {
            one.rfilename: one.lfs.sha256
            for one in facts.siblings or ()
            if one.lfs is not None and (made / one.rfilename).is_file()
        }
        check_files(made, promised | {n: c.removeprefix("sha256:") for n, c in checksums.items()})
        _check_kind(made, kind, hub)


def check_files(folder: Path, checksums: Mapping[str, str]) -> None:
    """Compare files with their sha256.

    Raises
    ------
    DownloadError : a file missing, or not the promised one.
    """
    for name, expected in checksums.items():
        path = folder / name
        digest = sha256(path) if path.is_file() else "no such file"
        if digest != expected:
            raise DownloadError(f"{name} has sha256 {digest}, expected {expected}")


def _check_kind(folder: Path, kind: str, hub: str, weights: bool = True) -> None:
    if weights:
        problem = folder_problem(folder, kind)
    else:
        problem = architecture_problem(read_object(folder / CONFIGURATION), kind)
    if problem:
        raise DownloadError(f"{hub}: {problem.removeprefix(f'{folder}: ')}")


def write_manifest(
    folder: str | Path, source: Mapping[str, Any], path: str | Path, **facts: Any
) -> None:
    """What a model is made of: where it comes from, and the sha256 of each file."""
    paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): sha256(path) for path in paths}
    manifest = {"source": dict(source), "files": files, **facts}
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


class _whole:
    """A folder that takes its place when the block ends without error."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> Path:
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self._temporary = tempfile.TemporaryDirectory(
            dir=self.folder.parent, prefix=f".{self.folder.name}."
        )
        made = Path(self._temporary.name, "model")
        made.mkdir()
        return made

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            shutil.rmtree(self.folder, ignore_errors=True)
            Path(self._temporary.name, "model").rename(self.folder)
        self._temporary.cleanup()
