"""One member of a zip archive or wheel."""

from __future__ import annotations

import zipfile
from pathlib import Path

from fairflow.files.archives import DAMAGE, zip_problem
from fairflow.files.downloads.checksums import hasher
from fairflow.files.downloads.failures import SourceFailure, disk_may_fill, ensure_space
from fairflow.files.downloads.partial_file import CHUNK_BYTES


def extract(archive: Path, member: str, to: Path, kind: str) -> str:
    """Write a member to a file of its own.

    Returns
    -------
    The member's checksum of the given kind.

    Raises
    ------
    SourceFailure : the archive is none, is damaged or encrypted, or lacks the member.
    DownloadError : the disk has no room for it.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            if member not in opened.namelist():
                raise SourceFailure(f"has no member {member!r}")
            if wrong := zip_problem(opened.getinfo(member)):
                raise SourceFailure(f"holds a member that cannot be read: {wrong}")
            return _written(opened, opened.getinfo(member), to, kind)
    except DAMAGE as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise SourceFailure(f"is no sound zip archive: {error}") from error


def _written(opened: zipfile.ZipFile, member: zipfile.ZipInfo, to: Path, kind: str) -> str:
    digest = hasher(kind)
    ensure_space(to, member.file_size)
    with (
        disk_may_fill(to, lambda: member.file_size),
        opened.open(member) as source,
        open(to, "wb") as file,
    ):
        while chunk := source.read(16 * CHUNK_BYTES):
            digest.update(chunk)
            file.write(chunk)
    return digest.hexdigest()
