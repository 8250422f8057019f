"""The files of a language model: from a hub at a pinned revision, or a folder of the user's."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from fairflow.errors import DownloadError
from fairflow.files.atomic import atomic_folder, atomic_path
from fairflow.files.checksums import sha256, verify
from fairflow.language_models.checkpoints.model_folder import (
    CONFIGURATION,
    architecture_problem,
    folder_refusal,
    module_files,
    read_object,
)

# Weights in other formats, which transformers would not read, are not wanted.
WANTED = ("*.json", "*.txt", "*.model", "*.jinja", "*.safetensors")


def is_wanted(place: PurePosixPath) -> bool:
    """Whether a file at a place of a model's folder is one that transformers would read."""
    hidden = any(part.startswith(".") for part in place.parts)
    return not hidden and any(fnmatchcase(place.name, pattern) for pattern in WANTED)


def link_folder(source: str | Path, folder: str | Path) -> None:
    """Links to the files of a folder, so that weights are not copied.

    Raises
    ------
    DownloadError : no such folder, or it holds no model.
    """
    source, folder = Path(source), Path(folder)
    if not (source / CONFIGURATION).is_file():
        raise DownloadError(f"{source} is no folder of a model: {CONFIGURATION} is missing")
    with atomic_folder(folder) as made:
        for path in model_files(source):
            relative = path.relative_to(source)
            (made / relative).parent.mkdir(exist_ok=True, parents=True)
            (made / relative).symlink_to(os.path.relpath(path, (folder / relative).parent))


def model_files(folder: str | Path) -> list[Path]:
    """The files of a model in a folder of the user's: those of the folder, and of its modules."""
    at_top = (path for path in Path(folder).iterdir() if path.is_file())
    # A model's files have no names with a line break or other bytes than UTF-8.
    named = (path for path in at_top if path.name[0] != "." and path.name.isprintable())
    return sorted({*named, *module_files(folder)})


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

    folder = Path(folder)
    with atomic_folder(folder) as made:
        with _from_hub(hub, revision):
            facts = HfApi().model_info(hub, revision=revision, files_metadata=True)
            revision_here = {"revision": revision, "local_dir": made}
            snapshot_download(hub, **revision_here, allow_patterns=[CONFIGURATION])
            check_kind(made, kind, hub)
            snapshot_download(hub, **revision_here, allow_patterns=list(WANTED))
        shutil.rmtree(made / ".cache", ignore_errors=True)
        if not any(made.glob("*.safetensors")):
            raise DownloadError(
                f"{hub} at {revision} has no weights as safetensors: name a revision that has them"
            )
        promised = {
            one.rfilename: f"sha256:{one.lfs.sha256}"
            for one in facts.siblings or ()
            if one.lfs is not None and (made / one.rfilename).is_file()
        }
        check_files(made, promised | dict(checksums))
        check_kind(made, kind, hub)


def hub_configuration(hub: str, revision: str) -> dict[str, Any]:
    """The config.json of a revision, which the cache of the hub's library keeps.

    Raises
    ------
    DownloadError : the hub does not answer, has no such file, or its library is not installed.
    """
    try:
        from huggingface_hub import hf_hub_download
    except ImportError as error:
        needs = "needs the requirements of language models: make .venv/language-models"
        raise DownloadError(f"a model of the hub {needs}") from error
    with _from_hub(hub, revision):
        return read_object(Path(hf_hub_download(hub, CONFIGURATION, revision=revision)))


@contextmanager
def _from_hub(hub: str, revision: str) -> Iterator[None]:
    """Say of any fault of a download which model it was and what to do."""
    from huggingface_hub import constants
    from huggingface_hub.utils import disable_progress_bars

    disable_progress_bars()
    try:
        yield
    except DownloadError:
        raise
    except Exception as error:
        raise DownloadError(
            f"{hub} at {revision} could not be fetched from {constants.ENDPOINT}: {error}. Is "
            "the network reachable? HF_ENDPOINT names another address; with a copy of the model on "
            "this machine name its folder (in an entry folder instead of hub and revision)"
        ) from error


def check_files(folder: Path, checksums: Mapping[str, str]) -> None:
    """Compare files with their checksums, "sha256:hex".

    Raises
    ------
    DownloadError : a file missing, or not the promised one.
    """
    for name, expected in checksums.items():
        if not (folder / name).is_file():
            there = ", ".join(sorted(file.name for file in folder.iterdir()))
            raise DownloadError(f"{name}, whose sha256 is expected, is missing; found {there}")
        verify(folder / name, name, expected)


def check_kind(folder: Path, kind: str, origin: str) -> None:
    """Refuse what cannot be run as `kind`.

    Parameters
    ----------
    origin : where the files come from, for the sentence.

    Raises
    ------
    DownloadError : saying what the folder holds.
    """
    said = read_object(folder / CONFIGURATION)
    if problem := folder_refusal(folder) or architecture_problem(said, kind):
        raise DownloadError(f"{origin}: {problem.removeprefix(f'{folder}: ')}")


def write_manifest(
    folder: str | Path, source: Mapping[str, Any], path: str | Path, **facts: Any
) -> None:
    """What a model is made of: where it comes from, and the sha256 of each file."""
    paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): sha256(path) for path in paths}
    manifest = {"source": dict(source), "files": files, **facts}
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
