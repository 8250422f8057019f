"""A folder inside a zip or tar archive, of which the wanted files are written out."""

from __future__ import annotations

import stat
import tarfile
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from fairflow.errors import DownloadError
from fairflow.files import compression
from fairflow.files.archives import damage_named, zip_problem
from fairflow.files.downloads.failures import disk_may_fill, ensure_space

BLOCK = 1 << 20
Wanted = Callable[[PurePosixPath], bool]


@dataclass(frozen=True)
class Member:
    """What an archive holds under a name.

    Attributes
    ----------
    problem : why it cannot be written out, or None.
    """

    name: str
    size: int
    problem: str | None
    open: Callable[[], BinaryIO]


def unpack_folder(path: Path, archive: str, folder: str, wanted: Wanted, to: Path) -> list[str]:
    """Write the wanted files of a folder in an archive below an empty folder `to`.

    Parameters
    ----------
    archive : zip, or tar (itself packed or not). folder : in the archive; "" for its root.
    wanted : of the place of a file below that folder.

    Returns
    -------
    The places of the files that were written, sorted; none where the folder has none of them.

    Raises
    ------
    DownloadError : the file is not packed as declared or is damaged; a wanted file is encrypted, a
        link or a device, stands in the archive twice, or leads out of the folder; no room for them.
    """
    with _opened(path, archive) as members:
        chosen = _chosen(path, members, folder, wanted)
        total = sum(member.size for member in chosen.values())
        ensure_space(to / "files", total)
        for place, member in chosen.items():
            target = to / place
            target.parent.mkdir(parents=True, exist_ok=True)
            with disk_may_fill(target, lambda: total):
                _write(member, target)
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
    with open(path, "rb") as file:
        head = file.read(compression.HEAD_BYTES)
    if wrong := compression.problem(archive, head):
        raise DownloadError(f"{path} {wrong}")
    with damage_named(path, archive):
        if archive == "zip":
            with zipfile.ZipFile(path) as opened:
                files = (info for info in opened.infolist() if not info.is_dir())
                yield [_member_of_zip(opened, info) for info in files]
        else:
            with tarfile.open(path, "r:*") as opened:
                yield [_member_of_tar(opened, info) for info in opened if not info.isdir()]
                # A packed tar tells of a damage at its end alone.
                while opened.fileobj.read(BLOCK):
                    pass


def _member_of_zip(opened: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    kind = stat.S_IFMT(info.external_attr >> 16)
    plain = kind in (0, stat.S_IFREG)
    problem = zip_problem(info) if plain else f"{info.filename!r} is a link or a device, no file"
    return Member(info.filename, info.file_size, problem, lambda: opened.open(info))


def _member_of_tar(opened: tarfile.TarFile, info: tarfile.TarInfo) -> Member:
    problem = None if info.isreg() else f"{info.name!r} is a link or a device, no file"
    return Member(info.name, info.size, problem, lambda: opened.extractfile(info))


def _chosen(
    path: Path, members: Collection[Member], folder: str, wanted: Wanted
) -> dict[PurePosixPath, Member]:
    """Place below the folder -> member, of those that are wanted.

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
        if member.problem:
            raise DownloadError(f"{path}: {member.problem}")
        if place in chosen:
            raise DownloadError(f"{path} holds {member.name!r} twice")
        chosen[place] = member
    for place in chosen:
        if within := next((parent for parent in place.parents if parent in chosen), None):
            raise DownloadError(
                f"{path}: {str(within)!r} is a file and a folder with files at once"
            )
    return chosen


def _write(member: Member, target: Path) -> None:
    with member.open() as source, open(target, "xb") as file:
        while block := source.read(BLOCK):
            file.write(block)
