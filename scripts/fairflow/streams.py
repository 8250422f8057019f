"""Opening a packed file as a stream of its unpacked bytes, within bounds."""

from __future__ import annotations

import hashlib
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

from fairflow.errors import DownloadError

MARGIN = 1.1


class Stream(Protocol):
    """What formats read from."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""


@contextmanager
def open_packed(
    path: Path,
    archive: str | None = None,
    member: str | None = None,
    size: int | None = None,
    checksum: str | None = None,
) -> Iterator[CheckedStream]:
    """The bytes of a file, unpacked as they are read.

    Parameters
    ----------
    archive : gz, zip or tar; None for a plain file. member : which file of a zip or tar.
    size, checksum : of the unpacked file, verified at the end of the stream.

    Raises
    ------
    DownloadError : the archive lacks the member or is broken; the file is larger than promised
        (a tenth is forgiven where sizes were rounded), or another file.
    """
    origin = f"{member} of {path}" if member else str(path)
    try:
        with _open(path, archive, member) as file:
            stream = CheckedStream(file, origin, size, checksum)
            yield stream
            stream.verify()
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise DownloadError(f"{path} is not a whole {archive} archive: {error}") from error


class CheckedStream:
    """A stream that counts and sums up what passes through it."""

    def __init__(self, file: BinaryIO, origin: str, size: int | None, checksum: str | None) -> None:
        self._file = file
        self._origin = origin
        self._limit = None if size is None else int(size * MARGIN)
        kind, _, self._expected = (checksum or "").partition(":")
        self._sum = hashlib.new(kind) if kind else None
        self._seen = 0

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end.

        Raises
        ------
        DownloadError : more bytes came than were promised.
        """
        block = self._file.read(size)
        self._seen += len(block)
        if self._limit is not None and self._seen > self._limit:
            raise DownloadError(
                f"{self._origin} unpacks to more than the {self._limit} bytes that its entry "
                "allows; it is not the file that was promised"
            )
        if self._sum is not None:
            self._sum.update(block)
        return block

    def verify(self) -> None:
        """Compare the sum of the whole stream, reading what is left of it.

        Raises
        ------
        DownloadError : naming both sums.
        """
        if self._sum is None:
            return
        while self.read(1 << 20):
            pass
        if self._sum.hexdigest() != self._expected:
            raise DownloadError(
                f"{self._origin} has {self._sum.name} {self._sum.hexdigest()}, expected "
                f"{self._expected}; it is not the file that the configuration names"
            )


def _open(path: Path, archive: str | None, member: str | None) -> BinaryIO:
    if archive is None:
        return open(path, "rb", buffering=0)
    if archive == "gz":
        from isal import igzip_threaded

        # Unpacks ahead in a thread of its own.
        return igzip_threaded.open(path, "rb")
    name = _safe(member, path)
    if archive == "zip":
        return _member_of_zip(path, name)
    return _member_of_tar(path, name)


def _safe(member: str | None, path: Path) -> str:
    parts = PurePosixPath(member or "").parts
    if not parts or parts[0] == "/" or ".." in parts:
        raise DownloadError(f"{member!r} is no name of a member to take out of {path}")
    return str(member)


def _member_of_zip(path: Path, member: str) -> BinaryIO:
    archive = zipfile.ZipFile(path)
    if member not in archive.namelist():
        raise DownloadError(f"{path} has no member {member!r}: {', '.join(archive.namelist()[:9])}")
    return archive.open(member)


def _member_of_tar(path: Path, member: str) -> BinaryIO:
    archive = tarfile.open(path)  # noqa: SIM115 - it stays open as long as its member
    file = archive.extractfile(member) if member in archive.getnames() else None
    if file is None:
        raise DownloadError(f"{path} has no file {member!r}: {', '.join(archive.getnames()[:9])}")
    return file
