"""A language model inside a file: an archive that holds its folder, or a .gguf file.

Apart from `model_files`, so that a model is not fetched from a hub again for a change here.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.errors import DownloadError
from fairflow.files.atomic import atomic_folder, disk_may_fill
from fairflow.files.checksums import sha256, verify
from fairflow.files.packed_files import BLOCK, open_packed, unpack_folder
from fairflow.language_models.checkpoints.gguf import dequantise
from fairflow.language_models.checkpoints.model_files import check_files, check_kind, is_wanted
from fairflow.language_models.checkpoints.model_folder import CONFIGURATION

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
    Facts for the list of the model's files: the sha256 of the file, and what
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
        check_files(made, checksums)
        check_kind(made, kind, origin)
    return facts


def _place_dequantised(
    path: Path, packing: Mapping[str, Any], origin: str, made: Path
) -> dict[str, Any]:
    """The files that a .gguf file comes to, which is itself taken out first if it is packed."""
    if "archive" not in packing:
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
    places = unpack_folder(path, archive, member, is_wanted, made)
    if CONFIGURATION not in places:
        raise DownloadError(
            f"{path}: {member or 'its root'} is no folder of a model: {CONFIGURATION} is missing. "
            f"Name the folder that has it, or a .gguf file and format: {GGUF}, as member"
        )
    if not any(made.glob("*.safetensors")):
        raise DownloadError(f"{path}: {member or 'its root'} has no weights as safetensors")
