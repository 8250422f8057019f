"""Packed files: recognised by their first bytes, read as checked streams, unpacked to folders."""

from __future__ import annotations

import bz2
import errno
import io
import lzma
import posixpath
import shutil
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any

from isal.isal_zlib import IsalError

from fairflow.errors import DownloadError, FairflowError
from fairflow.files.atomic import disk_may_fill, ensure_space
from fairflow.files.checksums import Checksum, hasher, verify

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

HEAD_BYTES = 512

# https://en.wikipedia.org/wiki/List_of_file_signatures; that of bzip2 with its first block's, as
# a text may begin with BZh and a digit.
_SIGNATURES = {
    b"\x1f\x8b": "gz",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"\xfd7zXZ\0": "xz",
    **{b"BZh%d1AY&SY" % level: "bz2" for level in range(1, 10)},
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "rar",
    b"\x28\xb5\x2f\xfd": "zst",
}
_TAR_SIGNATURE, _TAR_OFFSET = b"ustar", 257

STREAMS, FOLDERS = ("gz", "bz2", "xz"), ("zip", "tar")


def packing_of(head: bytes) -> str | None:
    """The packing that the first `HEAD_BYTES` of a file tell; None for one that is not packed.

    Of a packed tar it is the packing around the tar.
    """
    if head[_TAR_OFFSET:].startswith(_TAR_SIGNATURE):
        return "tar"
    return next((kind for start, kind in _SIGNATURES.items() if head.startswith(start)), None)


def checked_packing(path: Path, declared: str | None) -> str | None:
    """The packing of a file, as far as its first bytes show it.

    Parameters
    ----------
    declared : one of `STREAMS` and `FOLDERS`, or None where nothing is declared.

    Raises
    ------
    DownloadError : it is not packed as declared, or in a way that has to be declared or unpacked.
    """
    with open(path, "rb") as file:
        head = file.read(HEAD_BYTES)
    kind = packing_of(head)
    if declared is None and (kind is None or kind in STREAMS):
        return kind
    if kind == declared or (declared == "tar" and (kind is None or kind in STREAMS)):
        return kind
    if declared is None and kind in FOLDERS:
        wrong = f"is a {kind} archive: unpack it, or add archive: {kind} and member to its entry"
    elif declared is None:
        wrong = f"is packed as {kind}, which is not read here: unpack it, and name the file in it"
    else:
        found = f"is packed as {kind}" if kind else f"begins with {head[:24]!r}"
        wrong = f"{found}; its entry says {declared}. If it is the right file, correct archive"
    raise DownloadError(f"{path} {wrong}")


# What the readers of archives raise for a damaged one. NotImplementedError and RecursionError are
# RuntimeErrors, OverflowError and MemoryError are due to sizes that no file has, and a gzip file's
# own error is an OSError.
_UNREADABLE = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, IsalError)
_NONSENSE = (struct.error, EOFError, OSError, RuntimeError, OverflowError, MemoryError, ValueError)


class MissingMember(DownloadError):
    """An archive has no member of that name."""


@contextmanager
def damage_named(path: Path, archive: str | None) -> Iterator[None]:
    """Raise a named error for a damaged archive; other errors of the system pass.

    Raises
    ------
    DownloadError : what happens inside is due to the archive at `path`.
    """
    try:
        yield
    # The types of isal have its error as an instance.
    except (*_UNREADABLE, *_NONSENSE) as error:  # type: ignore[misc]
        # A place before the beginning or behind all that a file may hold is an invalid argument.
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise
        reason = str(error) or type(error).__name__
        raise DownloadError(f"{path} is not a whole {archive} archive: {reason}") from error


def open_archive(
    path: Path, archive: str | None, member: str | None, stack: ExitStack
) -> list[IO[bytes]]:
    """A file as it is unpacked, and what has to be read after it; `stack` closes them.

    Each is to be read to its end, as only there a damage is found that has left its mark on no
    more than the values.

    Raises
    ------
    MissingMember : a zip or tar has no such member.
    DownloadError : it has one that cannot be read, or two.
    """
    if archive is None or archive in STREAMS:
        return [stack.enter_context(_unpacked(path, archive))]
    parts = PurePosixPath(member or "").parts
    if member is None or not parts or parts[0] == "/" or ".." in parts:
        raise DownloadError(f"{member!r} is no name of a member to take out of {path}")
    if archive == "zip":
        packed = stack.enter_context(zipfile.ZipFile(path))
        _check_member(path, member, packed.namelist())
        return [stack.enter_context(packed.open(member))]
    kind = checked_packing(path, archive)
    outer = stack.enter_context(_unpacked(path, kind if kind in STREAMS else None, ahead=False))
    folder, file = stack.enter_context(tarfile.TarFile(fileobj=outer)), None
    _check_member(path, member, folder.getnames())
    with suppress(KeyError):
        # A link is followed, within the archive.
        file = folder.extractfile(member)
    if file is None:
        raise DownloadError(f"{path}: {member!r} is no file. Name a file of the archive as member")
    return [stack.enter_context(file), outer]


def _check_member(path: Path, member: str, names: list[str]) -> None:
    if member not in names:
        raise MissingMember(f"{path} has no member {member!r}: {', '.join(names[:9])}")


def _unpacked(path: Path, kind: str | None, ahead: bool = True) -> IO[bytes]:
    """A file, unpacked; gz `ahead` in a separate thread, and then without seeking."""
    if kind == "gz":
        from isal import igzip, igzip_threaded

        return (igzip_threaded if ahead else igzip).open(path, "rb")
    if kind is None:
        return open(path, "rb", buffering=0)
    return bz2.open(path, "rb") if kind == "bz2" else lzma.open(path, "rb")


MARGIN = 1.1
BLOCK = 1 << 20


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
    file_size, file_checksum : of the packed file, verified before it is opened.

    Raises
    ------
    DownloadError : the file is not packed as declared, is damaged or encrypted, lacks the member,
        is larger than promised (a tenth is forgiven where sizes of unpacked files were rounded),
        or is another file.
    """
    verify(path, path, file_checksum, file_size)
    kind = checked_packing(path, archive)
    archive = archive or kind
    with ExitStack() as stack:
        with damage_named(path, archive):
            if archive in STREAMS:
                with _unpacked(path, archive) as file:
                    if packing_of(file.read(HEAD_BYTES)) == "tar":
                        raise DownloadError(
                            f"{path} is a packed tar: set archive: tar and the member"
                        )
            layers = open_archive(path, archive, member, stack)
        stream = CheckedStream(layers, path, archive, member, size, checksum)
        yield stream
        stream.verify()


def read_packed(path: str | Path, packing: Mapping[str, Any] | None = None) -> bytes:
    """All bytes of a file, unpacked by the arguments of `open_packed`."""
    with open_packed(Path(path), **(packing or {})) as stream:
        return b"".join(iter(lambda: stream.read(BLOCK), b""))


def text_of_packed(path: str | Path, packing: Mapping[str, Any] | None, encoding: str) -> str:
    """The text of a file, unpacked by the arguments of `open_packed`.

    Raises
    ------
    DownloadError : as `open_packed` does.
    FairflowError : it is not in that encoding.
    """
    try:
        return read_packed(path, packing).decode(encoding)
    except UnicodeDecodeError as error:
        name = Path((packing or {}).get("member") or path).name
        raise FairflowError(f"{name} is not {encoding}: {error.reason}") from error


class CheckedStream(io.RawIOBase):
    """A file to be read that counts and sums up what passes through it."""

    def __init__(
        self,
        layers: list[IO[bytes]],
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
        """The name of the file, within its archive if it is in one."""
        return self._member or str(self._path)

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """Its verified bytes in a file: its own file, or a temporary one."""
        if self._archive is None:
            self.verify()
            yield self._path
            return
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "unpacked"
            with open(path, "wb") as file:
                shutil.copyfileobj(self, file, BLOCK)
            self.verify()
            yield path

    def again(self) -> AbstractContextManager[CheckedStream]:
        """The same bytes from their beginning."""
        return open_packed(self._path, self._archive, self._member)

    def beside(self, name: str) -> AbstractContextManager[CheckedStream]:
        """The file of that name in the same folder, or in the same archive.

        Parameters
        ----------
        member : the file is a zip archive, and this one in it is meant.

        Raises
        ------
        FileNotFoundError, MissingMember : there is no such file.
        DownloadError : it cannot be read.
        """
        if self._member is None:
            return open_packed(self._path.with_name(name))
        neighbour = posixpath.join(posixpath.dirname(self._member), name)
        return open_packed(self._path, self._archive, neighbour)

    def readable(self) -> bool:
        """Always: it can only be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """As `read`, into a buffer; how many bytes came."""
        view = memoryview(buffer)
        block = self.read(len(view))
        view[: len(block)] = block
        return len(block)

    def read(self, size: int = -1, /) -> bytes:
        """At most `size` bytes, all by default; none at the end.

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
        found = self._sum.hexdigest() if self._sum else ""
        difference = self._expected and self._expected.difference(found)
        if difference:
            raise DownloadError(f"{self._origin} {difference}")


Wanted = Callable[[PurePosixPath], bool]


@dataclass(frozen=True)
class Member:
    """A file in an archive.

    Attributes
    ----------
    is_plain : neither a link nor a device.
    """

    name: str
    size: int
    is_plain: bool
    open: Callable[[], IO[bytes]]


def unpack_folder(path: Path, archive: str, folder: str, wanted: Wanted, to: Path) -> list[str]:
    """Write the wanted files of a folder in an archive below an empty folder `to`.

    Parameters
    ----------
    archive : zip, or tar (itself packed or not). folder : in the archive; "" for its root.
    wanted : of the place of a file below that folder.

    Returns
    -------
    The sorted paths of the files that were written; empty if the folder has no such files.

    Raises
    ------
    DownloadError : the file is not packed as declared or is damaged; a wanted file is encrypted, a
        link or a device, is twice in the archive, or leads out of the folder; no room for them.
    """
    with _opened(path, archive) as members:
        chosen = _chosen(path, members, folder, wanted)
        total = sum(member.size for member in chosen.values())
        ensure_space(to / "files", total)
        for place, member in chosen.items():
            target = to / place
            target.parent.mkdir(parents=True, exist_ok=True)
            with (
                disk_may_fill(target, lambda: total),
                member.open() as source,
                open(target, "xb") as file,
            ):
                shutil.copyfileobj(source, file, BLOCK)
    return sorted(map(str, chosen))


def names_in(path: Path, archive: str) -> list[str]:
    """The names of everything in an archive.

    Raises
    ------
    DownloadError : the file is not packed as declared, or is damaged.
    """
    with _opened(path, archive) as members:
        return [member.name for member in members]


@contextmanager
def _opened(path: Path, archive: str) -> Iterator[Sequence[Member]]:
    checked_packing(path, archive)
    with damage_named(path, archive):
        if archive == "zip":
            with zipfile.ZipFile(path) as opened:
                files = (info for info in opened.infolist() if not info.is_dir())
                yield [_listed_in_zip(opened, info) for info in files]
        else:
            with tarfile.open(path, "r:*") as opened:
                yield [_listed_in_tar(opened, info) for info in opened if not info.isdir()]
                # A packed tar shows damage only at its end.
                while opened.fileobj.read(BLOCK):
                    pass


def _listed_in_zip(opened: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    # Windows may write backslashes between folders.
    name = info.filename if "/" in info.filename else info.filename.replace("\\", "/")
    return Member(name, info.file_size, True, lambda: opened.open(info))


def _listed_in_tar(opened: tarfile.TarFile, info: tarfile.TarInfo) -> Member:
    return Member(info.name, info.size, info.isreg(), lambda: tarfile.ExFileObject(opened, info))


def _chosen(
    path: Path, members: Collection[Member], folder: str, wanted: Wanted
) -> dict[PurePosixPath, Member]:
    """Path within the folder -> member, for the wanted members.

    Raises
    ------
    DownloadError : one of them cannot be written out.
    """
    chosen: dict[PurePosixPath, Member] = {}
    for member in members:
        name = PurePosixPath(member.name)
        inside = name.is_relative_to(folder) and name != PurePosixPath(folder)
        if not inside or not wanted(place := name.relative_to(folder)):
            continue
        if name.is_absolute() or ".." in name.parts or "\\" in member.name or "\0" in member.name:
            raise DownloadError(f"{path}: {member.name!r} leads out of the archive's own folders")
        if not member.is_plain:
            raise DownloadError(f"{path}: {member.name!r} is a link or a device, no file")
        chosen[place] = member
    return chosen
