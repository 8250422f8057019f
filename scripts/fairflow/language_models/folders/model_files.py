"""The files of a language model: from a hub at a pinned revision, a folder, or a file.

The file is an archive that holds the model's folder, or a .gguf file.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from fairflow.errors import DownloadError
from fairflow.files.atomic import atomic_folder, atomic_path, disk_may_fill
from fairflow.files.checksums import sha256, verify
from fairflow.files.packed_files import BLOCK, names_in, open_packed, unpack_folder
from fairflow.language_models.folders.gguf import is_gguf
from fairflow.language_models.folders.gguf_folder import dequantise
from fairflow.language_models.folders.model_folder import (
    CONFIGURATION,
    architecture_problem,
    folder_problem,
    folder_refusal,
    read_object,
)
from fairflow.language_models.folders.stated_reading import module_files

# Weights in other formats, which transformers would not read, are not wanted.
WANTED = ("*.json", "*.txt", "*.model", "*.jinja", "*.safetensors")


def _is_wanted(place: PurePosixPath) -> bool:
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
    # A name that is not UTF-8 or holds a line break is none of a model's files.
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
    from huggingface_hub import HfApi, constants, snapshot_download
    from huggingface_hub.utils import disable_progress_bars

    disable_progress_bars()
    folder = Path(folder)
    with atomic_folder(folder) as made:
        try:
            facts = HfApi().model_info(hub, revision=revision, files_metadata=True)
            revision_here = {"revision": revision, "local_dir": made}
            snapshot_download(hub, **revision_here, allow_patterns=[CONFIGURATION])
            _check_kind(made, kind, hub, weights=False)
            snapshot_download(hub, **revision_here, allow_patterns=list(WANTED))
        except DownloadError:
            raise
        except Exception as error:
            raise DownloadError(
                f"{hub} at {revision} could not be fetched from {constants.ENDPOINT}: {error}. Is "
                "the network there? HF_ENDPOINT names another address; with a copy of the model on "
                "this machine write folder in place of hub and revision in its entry"
            ) from error
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
        _check_files(made, promised | dict(checksums))
        _check_kind(made, kind, hub)


GGUF = "gguf"


def unpack_model(
    path: str | Path,
    packing: Mapping[str, Any],
    checksums: Mapping[str, str],
    folder: str | Path,
    kind: str,
    model_format: str | None = None,
) -> dict[str, Any]:
    """Make the folder of a model from the file that holds it; all of it, or nothing.

    Parameters
    ----------
    packing : `archive` (zip or tar), `member` (the folder in it, its root by default; or the
        .gguf file, with its `size` and `checksum`), and `file_size` and `file_checksum` of the
        file, where they are promised.
    checksums : file -> "sha256:..." that it must have.
    kind : "masked", "causal" or "encoder".
    model_format : "gguf", or None for a folder in an archive.

    Returns
    -------
    What the list of the model's files is to tell besides: the sha256 of the file, and what
    `dequantise` tells.

    Raises
    ------
    DownloadError : the file is not the promised one, is damaged or holds no such model.
    ModelFolderError : a .gguf file that cannot be converted.
    """
    path, folder = Path(path), Path(folder)
    verify(path, path, packing.get("file_checksum"), packing.get("file_size"))
    origin = f"{packing['member']} of {path}" if "member" in packing else str(path)
    with atomic_folder(folder) as made:
        facts = {"source_sha256": sha256(path)}
        if model_format == GGUF:
            facts |= _place_dequantised(path, packing, origin, made)
        else:
            _place_files(path, packing, made)
        _check_files(made, checksums)
        _check_kind(made, kind, origin)
    return facts


def _place_dequantised(
    path: Path, packing: Mapping[str, Any], origin: str, made: Path
) -> dict[str, Any]:
    """The files that a .gguf file comes to, which is itself taken out first if it is packed."""
    if "archive" not in packing and is_gguf(path):
        return dequantise(path, made)
    lies = {k: packing[k] for k in ("archive", "member", "size", "checksum") if k in packing}
    with tempfile.TemporaryDirectory(dir=made.parent) as beside:
        file = Path(beside, "model.gguf")
        with (
            open_packed(path, **lies) as stream,
            disk_may_fill(file, lambda: packing.get("size")),
            open(file, "wb") as to,
        ):
            shutil.copyfileobj(stream, to, BLOCK)
        return dequantise(file, made, origin)


def _place_files(path: Path, packing: Mapping[str, Any], made: Path) -> None:
    """The files of the member, as those of a model's folder."""
    archive, member = packing["archive"], packing.get("member", "")
    places = unpack_folder(path, archive, member, _is_wanted, made)
    if CONFIGURATION not in places:
        raise DownloadError(
            f"{path}: {member or 'its root'} is no folder of a model: {CONFIGURATION} is missing. "
            f"{_advice(path, archive)}"
        )
    if not any(made.glob("*.safetensors")):
        raise DownloadError(f"{path}: {member or 'its root'} has no weights as safetensors")


def _advice(path: Path, archive: str) -> str:
    names = [PurePosixPath(name) for name in names_in(path, archive)]
    if files := sorted(str(name) for name in names if name.suffix == f".{GGUF}"):
        return f"For {' or '.join(files)} name that file as member, and format: {GGUF}"
    folders = sorted({str(name.parent) for name in names if name.name == CONFIGURATION})
    if not folders:
        return f"No folder of the archive has a {CONFIGURATION}"
    named = ", ".join("its root (no member)" if one == "." else one for one in folders)
    return f"Folders with that file, to be named as member: {named}"


def _check_files(folder: Path, checksums: Mapping[str, str]) -> None:
    """Compare files with their checksums, "sha256:hex".

    Raises
    ------
    DownloadError : a file missing, or not the promised one.
    """
    for name, expected in checksums.items():
        if not (folder / name).is_file():
            there = ", ".join(sorted(file.name for file in folder.iterdir()))
            raise DownloadError(
                f"{name}, of which a sha256 is promised, is not there; found {there}"
            )
        verify(folder / name, name, expected)


def _check_kind(folder: Path, kind: str, origin: str, weights: bool = True) -> None:
    """Refuse what cannot be run as `kind`.

    Parameters
    ----------
    origin : where the files come from, for the sentence. weights : whether they are there too.

    Raises
    ------
    DownloadError : saying what the folder holds.
    """
    if weights and kind == "masked":
        problem = folder_problem(folder, kind)
    else:
        # Weights were compared with what was promised, and only a head has to be among them.
        said = read_object(folder / CONFIGURATION)
        problem = folder_refusal(folder) or architecture_problem(said, kind)
    if problem:
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
