"""Opening a packed file as a stream of its unpacked bytes, within bounds."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from fairflow.errors import DownloadError
from fairflow.files import compression
from fairflow.files.archives import damage_named, open_archive
from fairflow.files.downloads.checksums import Checksum, hasher, verify

MARGIN = 1.1
BLOCK = 1 << 20


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
    file_size: int | None = None,
    file_checksum: str | None = None,
) -> Iterator[CheckedStream]:
    """The bytes of a file, unpacked as they are read.

    Parameters
    ----------
    archive : gz, bz2, xz, zip or tar (itself packed or not). None for a plain file, or one whose
        first bytes tell that it is packed as gz, bz2 or xz.
    member : which file of a zip or tar.
    size, checksum : of the unpacked file, verified at the end of the stream.
    file_size, file_checksum : of the file as it lies there, verified before it is opened.

    Raises
    ------
    DownloadError : the file is not packed as declared, is damaged or encrypted, lacks the member,
        is larger than promised (a tenth is forgiven where sizes of unpacked files were rounded),
        or is another file.
    """
    verify(path, path, file_checksum, file_size)
    with open(path, "rb") as file:
        head = file.read(compression.HEAD_BYTES)
    if wrong := compression.problem(archive, head):
        raise DownloadError(f"{path} {wrong}")
    archive = archive or compression.packing_of(head)
    with ExitStack() as stack:
        with damage_named(path, archive):
            if archive in compression.STREAMS and _holds_tar(path, archive):
                raise DownloadError(f"{path} is a packed tar: set archive: tar and the member")
            layers = open_archive(path, archive, member, stack)
        stream = CheckedStream(layers, path, archive, member, size, checksum)
        yield stream
        stream.verify()


def _holds_tar(path: Path, archive: str) -> bool:
    with ExitStack() as stack:
        file = open_archive(path, archive, None, stack)[0]
        return compression.packing_of(file.read(compression.HEAD_BYTES)) == "tar"


class CheckedStream:
    """A stream that counts and sums up what passes through it."""

    def __init__(
        self,
        layers: list[BinaryIO],
        path: Path,
        archive: str | None,
        member: str | None,
        size: int | None,
        checksum: str | None,
    ) -> None:
        self._file, *self._outer = layers
        self._path, self._archive = path, archive
        self._member = member
        self._origin = f"{member} of {path}" if member else str(path)
        self._limit = None if size is None else int(size * MARGIN)
        self._expected = None if checksum is None else Checksum.parse(checksum)
        self._sum = None if self._expected is None else hasher(self._expected.kind)
        self._seen = 0

    @property
    def name(self) -> str:
        """The name of the file, in its archive if it lies in one."""
        return self._member or str(self._path)

    @property
    def plain(self) -> Path | None:
        """The file itself, if it is not packed."""
        return self._path if self._archive is None else None

    def again(self) -> AbstractContextManager[CheckedStream]:
        """The same bytes from their beginning."""
        return open_packed(self._path, self._archive, self._member)

    def beside(self, name: str, member: str | None = None) -> AbstractContextManager[CheckedStream]:
        """The file of that name in the same folder, of an archive if this one lies in one.

        Parameters
        ----------
        member : the file is a zip archive, and this one in it is meant.

        Raises
        ------
        FileNotFoundError, MissingMember : there is none.
        DownloadError : it cannot be read.
        """
        if self._member is None:
            return open_packed(self._path.with_name(name), "zip" if member else None, member)
        if member is not None:
            raise DownloadError(f"{self._path}: no archive in this archive is read")
        neighbour = posixpath.join(posixpath.dirname(self._member), name)
        return open_packed(self._path, self._archive, neighbour)

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end.

        Raises
        ------
        DownloadError : more bytes came than were promised, or the archive is damaged.
        """
        with damage_named(self._path, self._archive):
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
        """Read what is left of a packed or promised file, and compare the sum of the whole.

        Raises
        ------
        DownloadError : naming both sums; or the archive is damaged.
        """
        if self._expected is None and self._archive is None:
            return
        while self.read(BLOCK):
            pass
        for layer in self._outer:
            with damage_named(self._path, self._archive):
                while layer.read(BLOCK):
                    pass
        difference = self._expected and self._expected.difference(self._sum.hexdigest())
        if difference:
            raise DownloadError(f"{self._origin} {difference}")
