"""Files inside packed ones, and what is said of damaged archives."""

from __future__ import annotations

import bz2
import lzma
import posixpath
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from isal.isal_zlib import IsalError

from fairflow.errors import DownloadError
from fairflow.files.compression import HEAD_BYTES, STREAMS, packing_of

# What the readers of archives raise for a damaged one. NotImplementedError and RecursionError are
# RuntimeErrors, and a gzip file's own error is an OSError.
DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    IsalError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)
_ZIP_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA}
_ENCRYPTED = 0x1


class MissingMember(DownloadError):
    """An archive has no member of that name."""


@contextmanager
def damage_named(path: Path, archive: str | None) -> Iterator[None]:
    """Say of a damaged archive that it is one; other faults of the system pass.

    Raises
    ------
    DownloadError : what happens inside is due to the archive at `path`.
    """
    try:
        yield
    except DAMAGE as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        reason = str(error) or type(error).__name__
        raise DownloadError(f"{path} is not a whole {archive} archive: {reason}") from error


def open_archive(
    path: Path, archive: str | None, member: str | None, stack: ExitStack
) -> list[BinaryIO]:
    """A file as it is unpacked, and what has to be read after it; `stack` closes them.

    Each is to be read to its end, as only there a damage is found that has left its mark on no
    more than the values.

    Raises
    ------
    MissingMember : a zip or tar has no such member.
    DownloadError : it has one that cannot be read.
    """
    if archive is None or archive in STREAMS:
        return [stack.enter_context(_unpacked(path, archive))]
    name = _safe(member, path)
    if archive == "zip":
        folder = stack.enter_context(zipfile.ZipFile(path))
        return [stack.enter_context(_member_of_zip(folder, path, name))]
    with open(path, "rb") as file:
        kind = packing_of(file.read(HEAD_BYTES))
    outer = stack.enter_context(_unpacked(path, kind if kind in STREAMS else None, ahead=False))
    folder = stack.enter_context(tarfile.TarFile(fileobj=outer))
    return [stack.enter_context(_member_of_tar(folder, path, name)), outer]


def _unpacked(path: Path, kind: str | None, ahead: bool = True) -> BinaryIO:
    """A file, unpacked; gz `ahead` in a thread of its own, in which nobody can seek."""
    if kind == "gz":
        from isal import igzip, igzip_threaded

        return (igzip_threaded if ahead else igzip).open(path, "rb")
    return {"bz2": bz2.open, "xz": lzma.open, None: partial(open, buffering=0)}[kind](path, "rb")


def _safe(member: str | None, path: Path) -> str:
    parts = PurePosixPath(member or "").parts
    if not parts or parts[0] == "/" or ".." in parts:
        raise DownloadError(f"{member!r} is no name of a member to take out of {path}")
    return str(member)


def _member_of_zip(archive: zipfile.ZipFile, path: Path, member: str) -> BinaryIO:
    if member not in archive.namelist():
        raise MissingMember(f"{path} has no member {member!r}: {', '.join(archive.namelist()[:9])}")
    if wrong := zip_problem(archive.getinfo(member)):
        raise DownloadError(f"{path}: {wrong}")
    return archive.open(member)


def zip_problem(member: zipfile.ZipInfo) -> str | None:
    """Why a sound member of a zip archive cannot be read here, or None."""
    if member.flag_bits & _ENCRYPTED:
        how = "is encrypted"
    elif member.compress_type not in _ZIP_METHODS:
        how = f"is packed by method {member.compress_type} of zip, which is not read here"
    else:
        return None
    return f"{member.filename!r} {how}. Unpack it, and give its place as a file source"


def _member_of_tar(archive: tarfile.TarFile, path: Path, member: str) -> BinaryIO:
    infos = {info.name: info for info in archive.getmembers()}
    if member not in infos:
        raise MissingMember(f"{path} has no file {member!r}: {', '.join([*infos][:9])}")
    info, passed = infos[member], {member}
    while info.issym() or info.islnk():
        folder = posixpath.dirname(info.name) if info.issym() else ""
        to = posixpath.normpath(posixpath.join(folder, info.linkname))
        if to not in infos or to in passed:
            why = "a link that leads back to itself" if to in passed else "no file of the archive"
            raise DownloadError(
                f"{path}: {member!r} is a link to {info.linkname!r}, {why}. Name a file of the "
                f"archive as member: {', '.join(n for n in infos if infos[n].isfile()) or 'none'}"
            )
        passed.add(to)
        info = infos[to]
    if not info.isfile():
        raise DownloadError(f"{path}: {member!r} is no file. Name a file of the archive as member")
    return archive.extractfile(info)
